"""How written options reach the kernel: which are dropped on the way, what is added, and in which order.

Knows the mount paths; what the options then do together is ``effective_options``.

Sources: kubernetes-sigs/aws-efs-csi-driver:pkg/driver/node.go (lower case, exact duplicates), aws/efs-utils:
src/efs_utils_common/mount_options.py (``parse_options``, ``get_nfs_mount_options``), kubernetes/kubernetes:
pkg/volume/util/util.go (``JoinMountOptions``), kubernetes-csi/csi-driver-nfs:pkg/nfs/nodeserver.go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import StrEnum
from typing import NamedTuple

from efslint.knowledge.drivers import Mounter
from efslint.knowledge.options import Fault, ParsedOption, parse_option
from efslint.storage.fact import Origin, OriginKind
from efslint.storage.written_options import WrittenOption


class State(StrEnum):
    """What became of a written option.

    ``overridden``: another written option wins. ``repeated``: it stands there twice. ``ignored``: it means
    nothing here. ``undone``: the driver or its helper cancels or changes it. ``fatal``: the mount fails.
    """

    EFFECTIVE = "effective"
    OVERRIDDEN = "overridden"
    REPEATED = "repeated"
    IGNORED = "ignored"
    UNDONE = "undone"
    UNKNOWN = "unknown"
    MALFORMED = "malformed"
    FATAL = "fatal"


class Cause(StrEnum):
    """Why an option is ignored, or why the mount fails, for those who treat the reasons differently.

    Ignored: ``no-op`` by its nature, ``locks`` because NFSv4 keeps them on the server, ``minor-version`` because no
    version goes with it, ``sloppy`` because that option hides it. Fatal: ``versions`` are several version options,
    ``added-version`` is one beside that of the mount helper, ``helper-only`` what the NFS client does not know,
    ``exclusive`` two options that exclude each other, ``transport`` UDP with NFSv4, ``tls`` a quarrel over encryption,
    ``refused`` what the EFS CSI driver or its helper does not take, ``value`` a value that they do not take.
    """

    NO_OP = "no-op"
    LOCKS = "locks"
    MINOR_VERSION = "minor-version"
    SLOPPY = "sloppy"
    VERSIONS = "versions"
    ADDED_VERSION = "added-version"
    HELPER_ONLY = "helper-only"
    EXCLUSIVE = "exclusive"
    TRANSPORT = "transport"
    TLS = "tls"
    REFUSED = "refused"
    VALUE = "value"


class Verdict(NamedTuple):
    """A written option's state, why in plain words, and the written option that wins over it, if one does.

    ``suggestion`` is what was probably meant by an unknown or badly written option.
    """

    option: WrittenOption
    state: State
    why: str = ""
    by: WrittenOption | None = None
    cause: Cause | None = None
    suggestion: str | None = None


class Placed(NamedTuple):
    """An option at its place in the kernel's order; ``at`` is its index among the written ones, -1 for a default."""

    at: int
    parsed: ParsedOption
    option: WrittenOption | None
    origin: Origin

    @property
    def written(self) -> WrittenOption:
        """The written option, where it is known that somebody wrote it."""
        assert self.option is not None
        return self.option

    @property
    def name(self) -> str:
        """The name, as the driver passes it on."""
        return self.parsed.name

    @property
    def text(self) -> str:
        """The option, as the driver passes it on."""
        return self.parsed.text


class Arranged(NamedTuple):
    """The options in the kernel's order, and what became of those that never get there, by index."""

    placed: tuple[Placed, ...]
    dropped: dict[int, Verdict]


ORDER = {
    Mounter.EFS_CSI: "the EFS CSI driver keeps the written order, and the last one wins",
    Mounter.IN_TREE_NFS: "kubelet sorts the options of in-tree NFS volumes, and the last in sorted order wins",
    Mounter.CSI_DRIVER_NFS: "csi-driver-nfs keeps the written order, and the last one wins",
    Mounter.OTHER_CSI_NFS: "the written order reaches the kernel, and the last one wins",
    Mounter.INLINE_NFS: "a pod's own nfs volume has no place for mount options",
}
_TWICE = "the same option stands there already"
_HELPER_DEFAULTS = (
    (("rsize",), "rsize=1048576"),
    (("wsize",), "wsize=1048576"),
    (("soft", "hard"), "hard"),
    (("timeo",), "timeo=600"),
    (("retrans",), "retrans=2"),
    (("noresvport",), "noresvport"),
)


def read_options(options: Sequence[WrittenOption], mounter: Mounter) -> tuple[Placed, ...]:
    """Read the options the way this mounter passes them on: the EFS CSI driver turns them to lower case."""
    placed = []
    for at, option in enumerate(options):
        text = option.text.lower() if mounter is Mounter.EFS_CSI else option.text
        parsed = parse_option(text)
        if parsed.problem is None and option.problem is not None and option.problem.fault is Fault.BLANKS:
            parsed = parsed._replace(problem=option.problem)
        placed.append(Placed(at, parsed, option, Origin(option.span)))
    return tuple(placed)


def arrange(placed: Sequence[Placed], mounter: Mounter) -> Arranged:
    """Bring options into the order in which the kernel gets them."""
    dropped: dict[int, Verdict] = {}
    if mounter is Mounter.INLINE_NFS:
        for one in placed:
            dropped.update(_drop(one, State.IGNORED, ORDER[mounter]))
        return Arranged((), dropped)
    if mounter is Mounter.EFS_CSI:
        distinct = _distinct_items(placed, dropped, str.lower)
        return Arranged(tuple(_by_key(distinct, dropped)), dropped)
    if mounter is Mounter.IN_TREE_NFS:
        distinct = _distinct_items(placed, dropped, str)
        return Arranged(tuple(sorted(distinct, key=lambda one: (one.written.item_text, one.at))), dropped)
    return Arranged(tuple(placed), dropped)


def helper_additions(placed: Iterable[Placed], file_system: str | None) -> Iterator[Placed]:
    """Yield what the EFS mount helper appends: each default whose exact key nobody wrote."""
    written = {one.name for one in placed}
    version = "nfsvers=4.2" if file_system == "s3files" else "nfsvers=4.1"
    for keys, text in ((("nfsvers", "vers"), version), *_HELPER_DEFAULTS):
        if written.isdisjoint(keys):
            reason = f"the EFS mount helper adds {text} where {' or '.join(keys)} is not written"
            yield Placed(-1, parse_option(text), None, Origin(None, OriginKind.DRIVER, reason))


def _distinct_items(
    placed: Sequence[Placed], dropped: dict[int, Verdict], passed_on: Callable[[str], str]
) -> list[Placed]:
    """Leave out list items that repeat an earlier one exactly; all options of an item share its fate."""
    first: dict[str, int] = {}
    kept: dict[tuple[int, str], Placed] = {}
    for one in placed:
        item = one.written.item
        earlier = first.setdefault(passed_on(one.written.item_text), item)
        if earlier == item:
            kept[one.at, one.text] = kept[-1 - item, one.text] = one
        else:
            dropped.update(_drop(one, State.REPEATED, _TWICE, kept[-1 - earlier, one.text]))
    return [one for (at, _), one in kept.items() if at >= 0]


def _by_key(placed: Sequence[Placed], dropped: dict[int, Verdict]) -> Iterable[Placed]:
    """Keep one option per key: the last value, in the place of the first."""
    kept: dict[str, Placed] = {}
    for one in placed:
        earlier = kept.get(one.name)
        if earlier is None or earlier.text != one.text:
            kept[one.name] = one
        if earlier is not None and earlier.text == one.text:
            dropped.update(_drop(one, State.REPEATED, _TWICE, earlier))
        elif earlier is not None:
            why = f"{one.text} wins: the EFS mount helper keeps the last value of a repeated option"
            dropped.update(_drop(earlier, State.OVERRIDDEN, why, one))
    return kept.values()


def _drop(one: Placed, state: State, why: str, by: Placed | None = None) -> dict[int, Verdict]:
    return {one.at: Verdict(one.written, state, why, by.option if by is not None else None)}

"""What mount options really do: the options in force on one mount, who says so, and what became of each written one.

Knows precedence, defaults and contradictions; where the options were written is ``written_options``, how they travel is
``option_order``. What is good or bad is for the rules.

Sources: linux-nfs/nfs-utils:utils/mount/nfs.man and network.c (``nfs_nfs_version``), torvalds/linux:
fs/nfs/fs_context.c.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from efslint.knowledge.drivers import Mounter
from efslint.knowledge.mount_options import Reader, Takes
from efslint.knowledge.options import Fault
from efslint.storage.fact import Origin, OriginKind
from efslint.storage.mount_helper import AccessPoint, Encryption, left_out, refusals
from efslint.storage.option_ledger import Fatal, Ledger
from efslint.storage.option_order import Cause, Placed, State, Verdict, arrange, helper_additions, read_options
from efslint.storage.written_options import WrittenOption

Value = str | int | bool


class EffectiveOptions(NamedTuple):
    """The outcome.

    ``options`` and ``origins`` have the keys of ``mount.options`` in ``schemas/fact.json``; ``deciders`` are the
    written options that decide some of them. ``listed`` has one verdict per written option, in written order.
    ``lock_effect`` is ``local``, ``negotiable`` or ``none``, and ``None`` where no option asks for local locks or the
    server refuses the version. ``timeo_seconds`` are seconds; ``timeo_meant`` is what was probably meant, in tenths of
    a second. ``in_force`` is all that is in force as text; empty when the mount fails.
    """

    options: Mapping[str, Value]
    origins: Mapping[str, Origin]
    deciders: Mapping[str, WrittenOption]
    listed: tuple[Verdict, ...]
    fatal: tuple[Fatal, ...]
    in_force: str
    lock_effect: str | None
    timeo_seconds: float | None
    timeo_meant: int | None

    @property
    def written(self) -> Mapping[str, bool]:
        """Whether somebody wrote what is in force, for every key of ``options``."""
        return {key: key in self.deciders for key in self.options}


class _Mount(NamedTuple):
    """One mount: its options in the kernel's order, the one in force per family, and families with an unusable one."""

    mounter: Mounter
    efs: bool
    sequence: tuple[Placed, ...]
    winners: Mapping[str, Placed]
    spoilt: frozenset[str]


class _Found(NamedTuple):
    key: str
    value: Value
    origin: Origin
    by: Placed | None = None


# Timeouts people mean: AWS's floor and recommendation, and round minutes. A tenth of one is taken for seconds.
USUAL_TIMEOUTS = (150, 300, 600, 900, 1200, 1800)
_TOO_SHORT = 150
_LOCKS_SHARED = ("lock", "local_lock=none")
_KEYS = {
    "timeo": "timeo",
    "retrans": "retrans",
    "recovery": "mode",
    "resvport": "resvport",
    "rsize": "rsize",
    "wsize": "wsize",
    "background": "background",
}
_KERNEL_DEFAULTS: Mapping[str, tuple[Value, str]] = {
    "timeo": (600, "the kernel waits 600 tenths of a second over TCP"),
    "retrans": (2, "the kernel retries twice over TCP"),
    "mode": ("hard", "the kernel's default is hard"),
    "resvport": (True, "the kernel uses a reserved source port unless noresvport is written"),
    "background": (False, "mounts are made in the foreground unless bg is written"),
}
_TWO_VERSIONS = "mount.nfs refuses more than one version option since nfs-utils 2.5.3"


def effective(
    options: Sequence[WrittenOption],
    mounter: Mounter,
    file_system: str | None = None,
    attribute_options: Sequence[WrittenOption] = (),
    tls: bool = True,
    access_point: AccessPoint = AccessPoint.NONE,
) -> EffectiveOptions:
    """Work out what is in force.

    ``options`` come from ``mountOptions`` (or the annotation that replaces them), ``attribute_options`` from
    csi-driver-nfs' ``volumeAttributes.mountOptions``, which comes last. ``file_system`` is ``efs``, ``s3files``,
    ``not-efs`` or ``None`` for not known. ``tls`` is false where an EFS CSI volume's ``encryptInTransit`` is;
    ``access_point`` says whether one goes with the volume.
    """
    written = (*options, *attribute_options)
    arranged = arrange(read_options(written, mounter), mounter)
    ledger = Ledger(mounter, arranged.dropped)
    usable, spoilt = _usable(arranged.placed, ledger)
    efs_csi = mounter is Mounter.EFS_CSI
    added = tuple(helper_additions(arranged.placed, file_system)) if efs_csi else ()
    sequence = (*usable, *added)
    efs = efs_csi or file_system in ("efs", "s3files")
    mount = _Mount(mounter, efs, sequence, _winners(sequence, ledger), spoilt)
    if efs_csi:
        _apply_helper(mount, arranged.placed, ledger, Encryption(tls, access_point, file_system == "s3files"))
    version = _version(mount, ledger)
    lock_effect = _effects(mount, version, ledger)
    for one in usable:
        ledger.judge(one, State.EFFECTIVE)
    return _outcome(mount, (*_values(mount), *version), lock_effect, ledger)


def _usable(placed: Sequence[Placed], ledger: Ledger) -> tuple[tuple[Placed, ...], frozenset[str]]:
    """Judge each option by itself; return those the kernel can read, and the families of known ones it cannot."""
    usable, spoilt = [], set()
    # mount.nfs puts sloppy before all others (linux-nfs/nfs-utils:utils/mount/stropts.c, nfs_insert_sloppy_option).
    sloppy = any(one.name == "sloppy" for one in placed)
    for one in placed:
        problem, spec = one.parsed.problem, one.parsed.spec
        foreign = spec is not None and spec.reader is Reader.HELPER and ledger.mounter is not Mounter.EFS_CSI
        if sloppy and (foreign or (problem is not None and problem.fault is Fault.UNKNOWN)):
            why = "sloppy makes the NFS client pass over what it does not know"
            ledger.judge(one, State.IGNORED, why, cause=Cause.SLOPPY)
        elif problem is not None:
            state = State.UNKNOWN if problem.fault is Fault.UNKNOWN else State.MALFORMED
            ledger.judge(one, state, problem.why)
        if not one.parsed.usable or spec is None:
            spoilt.update([spec.family] if spec is not None else [])
        elif foreign and not sloppy:
            why = f"only the EFS mount helper knows {spec.name}; the NFS client refuses it"
            ledger.fail((one,), why, Cause.HELPER_ONLY)
        elif not foreign:
            usable.append(one)
            if spec.note:
                ledger.judge(one, State.IGNORED, spec.note, cause=Cause.NO_OP)
    return tuple(usable), frozenset(spoilt)


def _family(one: Placed) -> str:
    assert one.parsed.spec is not None
    return one.parsed.spec.family


def _winners(sequence: Sequence[Placed], ledger: Ledger) -> Mapping[str, Placed]:
    """Find, for every family of options, the one in force; judge the others."""
    families: dict[str, list[Placed]] = {}
    for one in sequence:
        families.setdefault(_family(one), []).append(one)
    winners = {}
    for family, members in families.items():
        if family == "version" and len(members) > 1:
            by_helper = any(one.option is None for one in members)
            why = _TWO_VERSIONS + (", and the EFS mount helper adds its own" if by_helper else "")
            ledger.fail(members, why, Cause.ADDED_VERSION if by_helper and len(members) == 2 else Cause.VERSIONS)
            continue
        winners[family] = winner = _in_force(family, members)
        for one in members:
            if one is not winner:
                by_rank = one.name == "local_lock" and winner.name != "local_lock"
                ledger.lose(one, winner, f"{winner.name} stands above local_lock" if by_rank else "")
    return winners


def _in_force(family: str, members: Sequence[Placed]) -> Placed:
    """The last one; but lock and nolock stand above local_lock (nfs(5), local_lock)."""
    switches = [one for one in members if family == "locking" and one.name != "local_lock"]
    return (switches or members)[-1]


def _apply_helper(mount: _Mount, placed: Sequence[Placed], ledger: Ledger, encryption: Encryption) -> None:
    """Enter what the EFS CSI driver and its helper refuse, leave out, or pass on in another spelling."""
    by_name = {one.name: one for one in placed}
    for refusal in refusals(by_name, encryption):
        ledger.fail([by_name[name] for name in refusal.names], refusal.why, refusal.cause)
    for one in mount.sequence:
        why = left_out(one.name, encryption.on)
        if why is not None:
            ledger.judge(one, State.UNDONE, why)
        free_text = one.parsed.spec is not None and one.parsed.spec.takes in (Takes.TEXT, Takes.EITHER)
        if free_text and one.option is not None and one.parsed.value != one.option.value:
            ledger.judge(one, State.UNDONE, f"the EFS CSI driver turns options to lower case, so {one.text} is used")


def _version(mount: _Mount, ledger: Ledger) -> tuple[_Found, ...]:
    """Find the pinned protocol version; nothing where it is negotiated."""
    main, minor = mount.winners.get("version"), mount.winners.get("minorversion")
    if main is None:
        if minor is not None:
            why = "minorversion counts only together with vers=4 or nfsvers=4"
            ledger.judge(minor, State.IGNORED, why, cause=Cause.MINOR_VERSION)
        return ()
    version = _protocol(main)
    if minor is not None and not version.startswith("4"):
        ledger.judge(minor, State.IGNORED, "only NFSv4 has minor versions", cause=Cause.MINOR_VERSION)
    elif minor is not None and (version == "4" or mount.sequence.index(minor) > mount.sequence.index(main)):
        if version != "4":
            ledger.lose(main, minor)
        return (_Found("version", f"4.{minor.parsed.number}", minor.origin, minor),)
    elif minor is not None:
        ledger.lose(minor, main)
    return (_Found("version", version, main.origin, main),)


def _protocol(one: Placed) -> str:
    return one.parsed.value or one.name.removeprefix("v")


def _effects(mount: _Mount, version: Sequence[_Found], ledger: Ledger) -> str | None:
    """Judge options by what the version or another option makes of them; return the effect on locks."""
    majors = {str(found.value)[0] for found in version}
    if _udp(mount) and majors == {"4"}:
        ledger.fail((mount.winners["transport"],), "NFSv4 does not run over UDP", Cause.TRANSPORT)
    softreval, recovery = mount.winners.get("softreval"), mount.winners.get("recovery")
    if softreval is not None and recovery is not None and (softreval.name, recovery.name) == ("softreval", "hard"):
        later = max(softreval, recovery, key=mount.sequence.index)
        if later is recovery:
            ledger.lose(softreval, recovery)
    locking = mount.winners.get("locking")
    if locking is None or locking.text in _LOCKS_SHARED:
        return None
    # Two version options keep the mount from coming about, but they may agree on the major version.
    majors = majors or {_protocol(one)[0] for one in mount.sequence if _family(one) == "version"}
    if majors == {"4"} or (mount.efs and not majors):
        why = "locks are part of NFSv4 and still go to the server"
        ledger.judge(locking, State.IGNORED, why, cause=Cause.LOCKS)
        return "none"
    if mount.efs:
        return None
    return "local" if majors and "4" not in majors else "negotiable"


def _udp(mount: _Mount) -> bool:
    transport = mount.winners.get("transport")
    return transport is not None and transport.text.removeprefix("proto=") in ("udp", "udp6")


def _values(mount: _Mount) -> Iterator[_Found]:
    for family, key in _KEYS.items():
        winner = mount.winners.get(family)
        if winner is not None:
            yield _Found(key, _value(key, winner), winner.origin, winner)
        elif (
            key in _KERNEL_DEFAULTS and family not in mount.spoilt and not (key in ("timeo", "retrans") and _udp(mount))
        ):
            value, reason = _KERNEL_DEFAULTS[key]
            yield _Found(key, value, Origin(None, OriginKind.KERNEL, reason))
    locking = mount.winners.get("locking")
    if locking is not None and locking.text not in _LOCKS_SHARED:
        yield _Found("locking", locking.text, locking.origin, locking)


def _value(key: str, winner: Placed) -> Value:
    if key == "resvport":
        return winner.name == "resvport"
    if key == "background":
        return winner.name == "bg"
    if key == "mode":
        return winner.name
    assert winner.parsed.number is not None
    return winner.parsed.number


def _outcome(mount: _Mount, found: Sequence[_Found], lock_effect: str | None, ledger: Ledger) -> EffectiveOptions:
    options = {one.key: one.value for one in found}
    deciders = {one.key: one.by.option for one in found if one.by is not None and one.by.option is not None}
    timeo = options.get("timeo")
    meant = timeo * 10 if isinstance(timeo, int) and "timeo" in deciders and timeo < _TOO_SHORT else None
    return EffectiveOptions(
        options=options,
        origins={one.key: one.origin for one in found},
        deciders=deciders,
        listed=tuple(verdict for _, verdict in sorted(ledger.verdicts.items())),
        fatal=tuple(ledger.fatal),
        in_force="" if ledger.fatal else ",".join(_in_words(mount, options, ledger)),
        lock_effect=lock_effect,
        timeo_seconds=timeo / 10 if isinstance(timeo, int) else None,
        timeo_meant=meant if meant in USUAL_TIMEOUTS else None,
    )


def _in_words(mount: _Mount, options: Mapping[str, Value], ledger: Ledger) -> Iterator[str]:
    """Yield what is in force as options: the recommended ones first, then what else somebody wrote."""
    for key, name in (("version", "nfsvers"), ("rsize", "rsize"), ("wsize", "wsize")):
        if key in options:
            yield f"{name}={options[key]}"
    if "mode" in options:
        yield str(options["mode"])
    for key in ("timeo", "retrans"):
        if key in options:
            yield f"{key}={options[key]}"
    if "resvport" in options:
        yield "resvport" if options["resvport"] else "noresvport"
    said = {*_KEYS, "version", "minorversion"} - {"background"}
    changed = (State.EFFECTIVE, State.MALFORMED)
    for one in mount.sequence:
        lower_cased = one.option is not None and one.text != one.option.text and ledger.state(one) is State.UNDONE
        if _family(one) not in said and one.option is not None and (lower_cased or ledger.state(one) in changed):
            yield one.text

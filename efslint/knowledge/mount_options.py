"""The mount options there are: NFS, EFS mount helper and generic ones, each with what it takes.

Data only: parsing a written option is ``options``, and what an option does on a given mount is decided in ``storage``.

Sources: linux-nfs/nfs-utils:utils/mount/nfs.man and utils/mount/mount.c (option map), torvalds/linux:
fs/nfs/fs_context.c (parameter table and ranges), aws/efs-utils:src/efs_utils_common/constants.py (``NON_NFS_OPTIONS``,
``UNSUPPORTED_OPTIONS``), util-linux/util-linux:libmount/src/optmap.c.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from functools import cache
from typing import NamedTuple


class Takes(StrEnum):
    """What stands after the equals sign. ``either`` may have a value or not."""

    NOTHING = "none"
    INTEGER = "integer"
    CHOICE = "choice"
    CHOICES = "colon-separated choices"
    TEXT = "text"
    EITHER = "either"


class Reader(StrEnum):
    """Who understands an option: NFS client, EFS mount helper alone, mount(8) for any file system, or fstab tools."""

    NFS = "nfs"
    HELPER = "efs-utils"
    GENERIC = "mount"
    FSTAB = "fstab"


class MountOption(NamedTuple):
    """One option. Of the options of one ``family`` only one can be in force.

    ``minimum`` and ``maximum`` are inclusive. ``note`` says, as the end of a sentence, why a known option does nothing.
    """

    name: str
    family: str
    reader: Reader
    takes: Takes = Takes.NOTHING
    minimum: int = 0
    maximum: int = 0xFFFFFFFF
    choices: tuple[str, ...] = ()
    note: str = ""


_INT_MAX = 0x7FFFFFFF
_NETIDS = ("tcp", "tcp6", "udp", "udp6", "rdma", "rdma6")
_FLAVORS = "none null sys krb5 krb5i krb5p lkey lkeyi lkeyp spkm3 spkm3i spkm3p".split()
_INTR = "the kernel ignores it since 2.6.25"
_FSTAB = "it steers tools that read /etc/fstab; kubelet mounts at once and for itself"

# Pairs that share a family: the option and its opposite.
_NFS_SWITCHES = (
    *("ac", "acl", "alignwrite", "cto", "migration", "posix", "resvport", "sharecache", "softreval", "trunkdiscovery"),
    "xattr",
)
_GENERIC_SWITCHES = (
    *("atime", "diratime", "relatime", "strictatime", "lazytime", "iversion", "exec", "suid", "dev", "mand", "sub"),
    "symfollow",
)
_FAMILIES = {
    "recovery": ("hard", "soft", "softerr"),
    "background": ("bg", "fg"),
    "locking": ("lock", "nolock"),
    "transport": ("tcp", "udp", "rdma"),
    "version": ("v2", "v3", "v4", "v4.0", "v4.1", "v4.2"),
}
_INTEGERS = {
    "timeo": (1, _INT_MAX),
    "retrans": (0, _INT_MAX),
    "nconnect": (1, 16),
    "max_connect": (1, 16),
    "port": (0, 65535),
    "mountport": (0, 65535),
    "mountvers": (1, 3),
    "minorversion": (0, 2),
}
_UNBOUND_INTEGERS = (
    *("rsize", "wsize", "bsize", "namlen", "acregmin", "acregmax", "acdirmin", "acdirmax", "actimeo", "retry"),
    *("nfsprog", "mountprog"),
)
_CHOICES = {
    "nfsvers": ("version", ("2", "3", "4", "4.0", "4.1", "4.2")),
    "vers": ("version", ("2", "3", "4", "4.0", "4.1", "4.2")),
    "proto": ("transport", _NETIDS),
    "mountproto": ("mountproto", ("tcp", "tcp6", "udp", "udp6")),
    "local_lock": ("locking", ("all", "flock", "posix", "none")),
    "lookupcache": ("lookupcache", ("all", "none", "pos", "positive")),
    "write": ("write", ("lazy", "eager", "wait")),
    "xprtsec": ("xprtsec", ("none", "tls", "mtls")),
    "fatal_neterrors": ("fatal_neterrors", ("default", "none", "ENETDOWN:ENETUNREACH", "ENETUNREACH:ENETDOWN")),
}
_NFS_TEXTS = ("addr", "clientaddr", "mountaddr", "mounthost", "cert_serial", "privkey_serial")
_SECURITY_TEXTS = ("context", "fscontext", "defcontext", "rootcontext")
_HELPER_FLAGS = ("tls", "notls", "iam", "ocsp", "noocsp", "stunnel", "crossaccount", "nodirects3read", "nos3readcache")
_HELPER_TEXTS = (
    *("accesspoint", "awscredsuri", "awsprofile", "az", "azid", "cafile", "capath", "jwtpath", "mounttargetip"),
    *("netns", "region", "rolearn"),
)
_HELPER_FAMILIES = {"notls": "tls", "noocsp": "ocsp"}
_GENERIC_FLAGS = (
    *("remount", "bind", "rbind", "seclabel", "shared", "rshared", "slave", "rslave", "private", "rprivate"),
    *("unbindable", "runbindable", "silent", "loud", "dirsync"),
)


def _nfs_options() -> Iterator[MountOption]:
    for name in _NFS_SWITCHES:
        yield MountOption(name, name, Reader.NFS)
        yield MountOption(f"no{name}", name, Reader.NFS)
    for family, names in _FAMILIES.items():
        for name in names:
            yield MountOption(name, family, Reader.NFS)
    for name, (minimum, maximum) in _INTEGERS.items():
        yield MountOption(name, name, Reader.NFS, Takes.INTEGER, minimum, maximum)
    for name in _UNBOUND_INTEGERS:
        yield MountOption(name, name, Reader.NFS, Takes.INTEGER)
    for name, (family, choices) in _CHOICES.items():
        yield MountOption(name, family, Reader.NFS, Takes.CHOICE, choices=choices)
    for name in _NFS_TEXTS:
        yield MountOption(name, name, Reader.NFS, Takes.TEXT)
    yield MountOption("sec", "sec", Reader.NFS, Takes.CHOICES, choices=tuple(_FLAVORS))
    yield MountOption("rdirplus", "rdirplus", Reader.NFS, Takes.EITHER, choices=("none", "force"))
    yield MountOption("nordirplus", "rdirplus", Reader.NFS)
    yield MountOption("fsc", "fsc", Reader.NFS, Takes.EITHER)
    yield MountOption("nofsc", "fsc", Reader.NFS)
    yield MountOption("sloppy", "sloppy", Reader.NFS)
    yield MountOption("intr", "intr", Reader.NFS, note=_INTR)
    yield MountOption("nointr", "intr", Reader.NFS, note=_INTR)


def _generic_options() -> Iterator[MountOption]:
    for name in _GENERIC_SWITCHES:
        yield MountOption(name, name, Reader.GENERIC)
        yield MountOption(f"no{name}", name, Reader.GENERIC)
    for name in ("ro", "rw"):
        yield MountOption(name, "access", Reader.GENERIC)
    for name in ("sync", "async"):
        yield MountOption(name, "sync", Reader.GENERIC)
    for name in _GENERIC_FLAGS:
        yield MountOption(name, name, Reader.GENERIC)
    for name in _SECURITY_TEXTS:
        yield MountOption(name, name, Reader.GENERIC, Takes.TEXT)
    for name in ("users", "owner", "group", "auto"):
        yield MountOption(name, name, Reader.FSTAB, note=_FSTAB)
        yield MountOption(f"no{name}", name, Reader.FSTAB, note=_FSTAB)
    for name in ("_netdev", "nofail"):
        yield MountOption(name, name, Reader.FSTAB, note=_FSTAB)
    yield MountOption("user", "user", Reader.FSTAB, Takes.EITHER, note=_FSTAB)
    yield MountOption("nouser", "user", Reader.FSTAB, note=_FSTAB)
    yield MountOption("comment", "comment", Reader.FSTAB, Takes.EITHER, note="it is a remark, dropped before the mount")
    yield MountOption("defaults", "defaults", Reader.FSTAB, note="it stands for what holds anyway")


def _helper_options() -> Iterator[MountOption]:
    for name in _HELPER_FLAGS:
        yield MountOption(name, _HELPER_FAMILIES.get(name, name), Reader.HELPER)
    for name in _HELPER_TEXTS:
        yield MountOption(name, name, Reader.HELPER, Takes.TEXT)
    yield MountOption("tlsport", "tlsport", Reader.HELPER, Takes.INTEGER, 0, 65535)
    yield MountOption("verify", "verify", Reader.HELPER, Takes.INTEGER, 0, 4)


@cache
def mount_options() -> Mapping[str, MountOption]:
    """Return every option by name. Names are case-sensitive, as the kernel's are."""
    found = (*_nfs_options(), *_generic_options(), *_helper_options())
    return {option.name: option for option in found}

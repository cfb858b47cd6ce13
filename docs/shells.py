"""What a shell wants to know of the command: completion for bash, zsh and fish, and the manual page.

All of it is made from the parser and kept in ``share/``, laid out as below a prefix such as ``/usr/local``, so that it
costs nothing when efslint starts and no package to use it.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import reference
import shtab

from efslint import __version__
from efslint.cli_arguments import FORMAT_NAMES, parser

# One function for every shell: ids of rules with their names, also behind a comma. It asks efslint, so that rules of
# packs in the configuration are offered too.
_RULES = {
    "bash": "_efslint_rules",
    "zsh": "_efslint_rules",
    "fish": "(_efslint_rules)",
    "preamble": {
        "bash": """\
_efslint_rules() {
  local before=""
  [[ $1 == *,* ]] && before="${1%,*},"
  compgen -P "$before" -W "$(efslint --list-rules 2>/dev/null |
    while read -r id severity name summary; do echo "$id $name"; done)" -- "${1##*,}"
}
""",
        "zsh": """\
_efslint_rules() {
  local -a rules
  rules=(${(f)"$(efslint --list-rules 2>/dev/null |
    while read -r id severity name summary; do print -rl -- "${id}[${name}]" "${name}[${id}]"; done)"})
  _values -s , rule $rules
}
""",
        "fish": """\
function _efslint_rules
  set -l before (string replace -r '[^,]*$' '' -- (commandline -ct))
  efslint --list-rules 2>/dev/null | while read -l id severity name summary
    printf '%s%s\\t%s\\n' "$before" $id $name
    printf '%s%s\\t%s\\n' "$before" $name $id
  end
end
""",
    },
}
_VALUES = {"FILE": shtab.FILE, "PATH": shtab.FILE, "DIR": shtab.DIRECTORY}


def files() -> dict[str, str]:
    """Return every file by its path below ``share/``."""
    return {
        "bash-completion/completions/efslint": completion("bash"),
        "zsh/site-functions/_efslint": completion("zsh"),
        "fish/vendor_completions.d/efslint.fish": completion("fish"),
        "man/man1/efslint.1": manual(),
    }


def completion(shell: str) -> str:
    """Return the script that completes the command line in a shell."""
    made = parser()
    for action in made._actions:
        metavar = str(action.metavar)
        if metavar.startswith("RULE"):
            action.complete = _RULES  # type: ignore[attr-defined]
        elif metavar.startswith("FORMAT"):
            action.choices = FORMAT_NAMES
        elif metavar in _VALUES:
            action.complete = _VALUES[metavar]  # type: ignore[attr-defined]
    text = shtab.complete(made, shell=shell)
    if shell == "zsh":
        # shtab's pattern for any number of paths completes only the first; without it, it takes the command for one
        # with subcommands.
        text = text.replace('  "(*)::', '  "*:').replace("_defaults_added=0", "_defaults_added=1", 1)
    return "\n".join(line.rstrip() for line in text.splitlines()).rstrip() + "\n"


def manual() -> str:
    """Return the manual page."""
    made = parser()
    lines = [
        f'.TH EFSLINT 1 "" "efslint {__version__}" "User Commands"',
        ".SH NAME",
        r"efslint \- find dangerous EFS and NFS storage in Kubernetes manifests",
        ".SH SYNOPSIS",
        r".B efslint",
        r"[\fIOPTIONS\fR] [\fIPATH\fR ...]",
        ".SH DESCRIPTION",
        roff(str(made.description)),
        "It reads YAML and JSON, follows every container to its mount, volume, claim, class and file system, and works",
        "out which mount options are in force. It needs no cluster and no network.",
        ".SH OPTIONS",
    ]
    for title, actions in reference.option_groups(made):
        lines.append(f".SS {title[0].upper()}{title[1:]}")
        for action in actions:
            lines += [".TP", _names(action), roff(reference.option_text(action))]
    lines += list(_endings(made))
    lines += [
        ".SH FILES",
        ".TP",
        r"\fI.efslint.yaml\fR, \fIpyproject.toml\fR",
        r"The configuration: the nearest file upwards from the working directory, in \fIpyproject.toml\fR the table",
        r"\fB[tool.efslint]\fR.",
        ".SH SEE ALSO",
        r".BR nfs (5),",
        r".BR mount.nfs (8)",
    ]
    return "\n".join(lines) + "\n"


def _names(action: argparse.Action) -> str:
    value = reference.placeholder(action)
    words = [rf"\fB{roff(name)}\fR" + (rf" \fI{roff(value)}\fR" if value else "") for name in action.option_strings]
    return ", ".join(words) or rf"\fI{action.metavar}\fR"


def _endings(made: argparse.ArgumentParser) -> Iterator[str]:
    for title, body in reference.epilog(made):
        yield f".SH {title.upper()}"
        yield ".nf"
        yield from map(roff, body.splitlines())
        yield ".fi"


def roff(text: str) -> str:
    """Protect what roff would take for itself."""
    safe = text.replace("\\", r"\e").replace("-", r"\-")
    return rf"\&{safe}" if safe.startswith((".", "'")) else safe

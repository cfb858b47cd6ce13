"""No network, ever: a run in which every socket and every other program is refused finds the same things."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FIXTURE = "fixtures/postgres-on-efs"

# An audit hook sees what no patched module would: sockets that C code opens, name look-ups, programs that are started.
# Sockets within the machine (AF_UNIX) stay allowed, since processes of one program may talk over them.
GUARD = """
import socket, sys

def guard(event, args):
    local = event == "socket.__new__" and args[1] == getattr(socket, "AF_UNIX", None)
    if event.startswith(("socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn")) and not local:
        raise RuntimeError(f"refused: {event}")

sys.addaudithook(guard)
"""
LINT = "from efslint.cli import main\nraise SystemExit(main(sys.argv[1:]))\n"


def python(code: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = (sys.executable, "-c", code, *arguments)
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "attempt",
    [
        "socket.socket()",
        "socket.create_connection(('127.0.0.1', 9))",
        "socket.getaddrinfo('localhost', 80)",
        "import urllib.request; urllib.request.urlopen('http://127.0.0.1:9/')",
        "import subprocess; subprocess.run(['true'])",
    ],
)
def test_the_guard_refuses(attempt: str) -> None:
    answer = python(GUARD + attempt)
    assert answer.returncode == 1
    assert "refused: " in answer.stderr


def test_findings_without_network_and_other_programs() -> None:
    offline = python(GUARD + LINT, "-f", "json", FIXTURE)
    assert offline.stderr == ""
    assert offline.returncode == 1
    assert "EFS201" in {finding["rule"] for finding in json.loads(offline.stdout)["findings"]}
    assert offline.stdout == python("import sys\n" + LINT, "-f", "json", FIXTURE).stdout

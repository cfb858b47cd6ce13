"""Runs the command in this process, and the manifests that tests of the command look at."""

from __future__ import annotations

import io
import json
import sys
from contextlib import ExitStack
from typing import Any, NamedTuple
from unittest.mock import patch

from efslint.cli import main

SHORT = """\
apiVersion: v1
kind: PersistentVolume
metadata:
  name: short
spec:
  capacity: {storage: 1Gi}
  accessModes: [ReadWriteMany]
  mountOptions:
    - hard
    - timeo=30
  nfs:
    server: 192.0.2.5
    path: /short
"""
"""A volume with one fault, a warning: EFS101, in line 10, column 7."""

CLEAN = SHORT.replace("timeo=30", "timeo=600")
"""The same volume without a fault."""

CLASS = """\
apiVersion: storage.k8s.io/v1
kind: StorageClass
metadata:
  name: files
provisioner: efs.csi.aws.com
parameters: {provisioningMode: efs-ap, fileSystemId: fs-0a1b2c3d4e5f60718, directoryPerms: "700"}
mountOptions: [tls, hard, timeo=600]
"""
"""A class on EFS."""

DATABASE = """\
apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: db
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec:
      containers:
        - name: pg
          image: postgres:16
          volumeMounts:
            - {name: data, mountPath: /var/lib/postgresql/data}
  volumeClaimTemplates:
    - metadata: {name: data}
      spec:
        accessModes: [ReadWriteOnce]
        storageClassName: files
        resources: {requests: {storage: 1Gi}}
"""
"""A database that asks for the class: with it an error, EFS201; alone a note, EFS003."""


class Ran(NamedTuple):
    """What a run left behind."""

    status: int
    out: str
    err: str

    @property
    def report(self) -> dict[str, Any]:
        """The report, which was asked for as JSON."""
        value: dict[str, Any] = json.loads(self.out)
        return value

    @property
    def places(self) -> list[tuple[str, str, int, int]]:
        """Rule, path, line and column of every finding of a report that was asked for as JSON."""
        return [(each["rule"], each["path"], each["line"], each["column"]) for each in self.report["findings"]]

    @property
    def rules(self) -> set[str]:
        """The rules that found something, of a report that was asked for as JSON."""
        return {each["rule"] for each in self.report["findings"]}


def efslint(*arguments: str, stdin: bytes | None = b"") -> Ran:
    """Run the command; ``stdin`` is ``None`` where standard input is closed."""
    out, err = io.BytesIO(), io.BytesIO()
    streams = {
        "stdin": None if stdin is None else io.TextIOWrapper(io.BytesIO(stdin)),
        "stdout": io.TextIOWrapper(out, "utf-8", write_through=True),
        "stderr": io.TextIOWrapper(err, "utf-8", "backslashreplace", write_through=True),
    }
    with ExitStack() as stack:
        for name, stream in streams.items():
            stack.enter_context(patch.object(sys, name, stream))
        status = main(arguments)
        return Ran(status, out.getvalue().decode(), err.getvalue().decode())

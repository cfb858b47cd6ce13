"""Which files beside a ``kustomization.yaml`` are patches: parts of objects, which are no objects themselves.

Knows the fields that name patches (kubernetes-sigs/kustomize, ``api/types/kustomization.go``); leaves building to
kustomize.
"""

from __future__ import annotations

import os
from pathlib import Path

from efslint.text.source import Source
from efslint.yaml.node import items, text
from efslint.yaml.parser import YamlSyntaxError, parse_node


def patch_files(source: Source, directory: str) -> frozenset[str]:
    """Return the real paths of the patches that the ``kustomization.yaml`` of a directory names."""
    try:
        root = parse_node(source, 0, len(source.text))
    except YamlSyntaxError:
        return frozenset()
    listed = [text(each) for each in items(root, "patchesStrategicMerge")]
    listed += [text(each, "path") for key in ("patches", "patchesJson6902") for each in items(root, key)]
    # An inline patch stands in the place of a path, and has several lines.
    return frozenset(os.path.realpath(Path(directory, each)) for each in listed if each and "\n" not in each)

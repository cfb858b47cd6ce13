"""Charts as Helm sees them: names, aliases, subcharts, and the values that reach each of them.

Knows ``Chart.yaml`` and the order in which values win (helm/helm-www, ``docs/chart_template_guide/values_files`` and
``docs/chart_template_guide/subcharts_and_globals``). Leaves finding and reading files to ``inputs``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from efslint.inputs.chart_files import ChartFiles
from efslint.text.source import Source
from efslint.yaml.node import Mapping, Node, Scalar, child, items, text
from efslint.yaml.node import Sequence as List
from efslint.yaml.parser import YamlSyntaxError, parse_node

Path = tuple[str | int, ...]


class Layer(NamedTuple):
    """One set of values. ``root`` is its tree, ``below`` where in it the values of the chart at hand stand.

    ``label`` says what it is to people when it is no file that they could open, such as ``--set``.
    """

    root: Node | None
    below: tuple[str, ...]
    label: str = ""


class Found(NamedTuple):
    """A value and the layer that gives it."""

    node: Node
    layer: Layer


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart in its place: ``files``, and the ``layers`` of values that reach it, the strongest first.

    ``trail`` are the charts from the outermost to this one, for looking up the templates that they define.
    """

    files: ChartFiles
    layers: tuple[Layer, ...]
    globals: tuple[Layer, ...]
    trail: tuple[ChartFiles, ...]

    def lookup(self, path: Path) -> Found | None:
        """Return the value at a path below ``.Values``; ``None`` where no layer has one or the strongest has null.

        Mappings merge key by key, everything else is replaced as a whole.
        """
        for layer in self.globals if path[:1] == ("global",) else self.layers:
            node, blocked = _follow(layer.root, (*layer.below, *path))
            if node is not None:
                return None if type(node) is Scalar and node.value is None else Found(node, layer)
            if blocked:
                return None
        return None

    def keys(self, path: Path) -> tuple[str | int, ...]:
        """Return the indexes of the list or the keys of the mapping (of all layers) at a path."""
        first = self.lookup(path)
        if first is not None and type(first.node) is List:
            return tuple(range(len(first.node.items)))
        layers = self.globals if path[:1] == ("global",) else self.layers
        found = (child(layer.root, *layer.below, *path) for layer in layers)
        names = (key.text for node in found if type(node) is Mapping for key, _ in node.pairs if type(key) is Scalar)
        return tuple(sorted(dict.fromkeys(names)))


def _follow(node: Node | None, path: Path) -> tuple[Node | None, bool]:
    """Return the node at the end of a path, or whether something on the way forbids to look into weaker layers."""
    for step in path:
        if type(node) is Mapping and isinstance(step, str):
            node = node.get(step)
        elif type(node) is List and isinstance(step, int) and step < len(node.items):
            node = node.items[step]
        else:
            return None, node is not None and type(node) is not Mapping
    return node, False


@cache
def parsed(source: Source | None) -> Node | None:
    """Return the tree of a YAML file; ``None`` where there is none or it is broken."""
    if source is None:
        return None
    try:
        return parse_node(source, 0, len(source.text))
    except YamlSyntaxError:
        return None


def chart_file(files: ChartFiles) -> Node | None:
    """Return the tree of ``Chart.yaml``."""
    return parsed(files.files.get("Chart.yaml"))


def chart_name(files: ChartFiles) -> str:
    """Return the name of a chart."""
    return text(chart_file(files), "name") or files.directory


def locate(root: ChartFiles, template: str, given: Sequence[Layer] = ()) -> tuple[Chart, str] | None:
    """Return the chart that a ``# Source:`` names and the path of the template within it.

    ``root`` is the outermost chart; ``given`` are the values that somebody passed, the strongest first. ``None`` where
    the chart has no such subchart or no such template.
    """
    parts = template.split("/")
    trail, at, names = [root], 1, list[str]()
    while len(parts) > at + 2 and parts[at] == "charts":
        found = _subchart(trail[-1], parts[at + 1])
        if found is None:
            return None
        trail.append(found)
        names.append(parts[at + 1])
        at += 2
    layers, shared = _layers(trail, names, given)
    name = "/".join(parts[at:])
    chart = Chart(trail[-1], layers, shared, tuple(trail))
    return (chart, name) if name in chart.files.files else None


def _subchart(parent: ChartFiles, name: str) -> ChartFiles | None:
    """Return a subchart by its name or by the alias that the parent gives it."""
    wanted = name
    for dependency in items(chart_file(parent), "dependencies"):
        if text(dependency, "alias") == name:
            wanted = text(dependency, "name") or name
    return next((each for each in parent.subcharts if chart_name(each) == wanted), None)


def _layers(
    trail: Sequence[ChartFiles], names: Sequence[str], given: Sequence[Layer]
) -> tuple[tuple[Layer, ...], tuple[Layer, ...]]:
    """Return the values and the globals of the last chart of a trail, the strongest first: parents before children."""
    below = tuple(names)
    layers = [Layer(layer.root, (*layer.below, *below), layer.label) for layer in given]
    shared = list(given)
    for depth, files in enumerate(trail):
        values = parsed(files.files.get("values.yaml"))
        layers.append(Layer(values, below[depth:]))
        shared.append(Layer(values, ()))
    return tuple(layers), tuple(shared)

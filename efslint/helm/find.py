"""Which chart a rendered manifest belongs to: the one that was just rendered, or one that is found by its name.

Knows where charts are looked for. Leaves opening files to ``inputs`` and what stands in a chart to ``charts``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from efslint.helm import engine
from efslint.helm.charts import locate
from efslint.helm.given import given_layers, given_values
from efslint.helm.options import DEFAULT_RELEASE, HelmOptions
from efslint.helm.places import NotMade, Release
from efslint.helm.prove import Proof
from efslint.inputs.chart_files import ChartFiles, chart_bytes, find_charts, read_chart, read_values_file
from efslint.kube.helm_output import pieces, release_name
from efslint.kube.manifests import Manifests
from efslint.text.source import Source

NOT_FOUND = NotMade("its chart was not found (see --chart-root)")


@dataclass(slots=True)
class Charts:
    """The charts of a run. ``rendered`` are the releases of manifests that efslint rendered itself, by their path.

    ``below`` are the directories of charts by name, once somebody asked for one.
    """

    options: HelmOptions
    rendered: Mapping[str, Release]
    found: dict[str, Release | NotMade] = field(default_factory=dict)
    below: Mapping[str, tuple[str, ...]] | None = None

    def release(self, manifests: Manifests, template: str) -> Release | NotMade:
        """Return the release that a document of a source is from."""
        source = manifests.source
        known = self.rendered.get(source.path)
        if known is not None:
            return known
        key = f"{source.path}\0{template.partition('/')[0]}"
        if key not in self.found:
            self._find(manifests)
        return self.found[key]

    def name(self, source: Source) -> str | None:
        """Return the name of the release of a source, if it is known."""
        known = self.rendered.get(source.path)
        return known.name if known is not None else self.options.release or release_name(source)

    def _find(self, manifests: Manifests) -> None:
        """Look for the charts of all documents of a source at once."""
        templates: dict[str, list[str]] = {}
        for piece in pieces(manifests.source):
            templates.setdefault(piece.template.partition("/")[0], []).append(piece.template)
        if self.below is None:
            self.below = find_charts(self.options.chart_roots or self.options.roots)
        for name, names in templates.items():
            key = f"{manifests.source.path}\0{name}"
            self.found[key] = self._chosen(self.below.get(name, ()), names, manifests)

    def _chosen(self, directories: Sequence[str], templates: Iterable[str], manifests: Manifests) -> Release | NotMade:
        """Return the one chart of a name that has the most of the templates."""
        wanted = tuple(dict.fromkeys(templates))
        ranked: list[tuple[int, str, ChartFiles]] = []
        for directory in directories:
            files = read_chart(directory)
            ranked.append((sum(locate(files, each) is not None for each in wanted), directory, files))
        most = max((number for number, _, _ in ranked), default=0)
        best = [(directory, files) for number, directory, files in ranked if number == most]
        if len(best) > 1:
            paths = " and ".join(sorted(files.path for _, files in best)[:2])
            return NotMade(f"{paths} are charts of that name (see --chart-root)")
        return self._opened(*best[0], manifests) if best else NOT_FOUND

    def _opened(self, directory: str, files: ChartFiles, manifests: Manifests) -> Release:
        sources = tuple(source for source in map(read_values_file, self.options.values) if source is not None)
        layers = given_layers(self.options.sets, sources)
        name = self.name(manifests.source)
        return Release(files, layers, self._proof(files.path, directory, sources, manifests), name)

    def _proof(self, path: str, directory: str, given: tuple[Source, ...], manifests: Manifests) -> Proof | None:
        if not engine.is_available():
            return None
        release = self.name(manifests.source) or DEFAULT_RELEASE
        namespaces = [each.ref.namespace for each in manifests.resources if each.ref.namespace]
        namespace = self.options.namespace or max(namespaces, key=namespaces.count, default="default")

        def again(changed: bytes, sources: Sequence[Source]) -> dict[str, str] | None:
            done = engine.render(changed, given_values(self.options.sets, sources), release, namespace)
            return None if isinstance(done, engine.Failure) else done

        return Proof(path, chart_bytes(directory), given, again)

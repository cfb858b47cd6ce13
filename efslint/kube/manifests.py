"""From one source to its objects, and to what is wrong with its text.

Knows which documents are worth a parse and what an unrendered template looks like. A document that cannot be read
costs only itself; a template file is left alone as a whole, because half a template tells nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from efslint.kube.relevance import is_relevant, kind_at_top
from efslint.kube.resources import Resource, resources
from efslint.text.source import Source, Span
from efslint.yaml.documents import SyntaxProblem, read_documents
from efslint.yaml.node import Mapping, Node, Scalar, Sequence
from efslint.yaml.templates import find_template, has_template_keys

_HELM = ("# Source: ", "\nMANIFEST:", "\nHOOKS:", "Error: ")
"""What is in every text that Helm printed; few others hold one of these."""
# https://fluxcd.io/flux/components/helm/api/v2/, https://argo-cd.readthedocs.io/en/stable/user-guide/helm/,
# https://docs.k3s.io/helm
_RELEASES = {
    "HelmRelease": r"^apiVersion:[ \t]*[\"']?helm\.toolkit\.fluxcd\.io/",
    "Application": r"^apiVersion:[ \t]*[\"']?argoproj\.io/",
    "ApplicationSet": r"^apiVersion:[ \t]*[\"']?argoproj\.io/",
    "HelmChart": r"^apiVersion:[ \t]*[\"']?helm\.cattle\.io/",
}


class TextProblem(NamedTuple):
    """Something wrong with the text of a file. ``kind`` is a value of ``problem`` in ``schemas/fact.json``, target
    ``file``.
    """

    kind: str
    span: Span
    detail: str
    key: str = ""
    related: Span | None = None


class Manifests(NamedTuple):
    """What one source holds.

    ``documents`` counts those that are not empty, ``objects`` the Kubernetes objects seen. ``unrendered`` are the
    objects that stand for others, which a controller will render from a chart.
    """

    source: Source
    resources: tuple[Resource, ...]
    documents: int
    objects: int
    problems: tuple[TextProblem, ...]
    template: bool
    unrendered: tuple[Span, ...] = ()


def read_manifests(source: Source) -> Manifests:
    """Read a source. What Helm prints around manifests, or beside them on standard error, is no document."""
    found: list[Resource] = []
    problems: list[TextProblem] = []
    unrendered: list[Span] = []
    documents = objects = 0
    if any(mark in source.text for mark in _HELM):
        source, problems = _cleaned(source)
    broken = False
    seen: set[tuple[int, int]] = set()
    for document in read_documents(source, is_relevant):
        if isinstance(document, SyntaxProblem):
            broken = True
            documents += 1
            problems.append(TextProblem("syntax", document.span, document.message))
            continue
        if document.empty:
            continue
        documents += 1
        kind = kind_at_top(source.text[document.start : document.end])
        if kind in _RELEASES:
            unrendered.extend(_release(source, document.start, document.end, kind))
        if document.root is None:
            objects += kind is not None
            continue
        mine = tuple(resources(document.root, document.index))
        objects += len(mine)
        found.extend(mine)
        braces = has_template_keys(document.root) if mine else None
        if braces is not None:
            return _template(source, braces, "helm", documents)
        for resource in mine:
            problems.extend(_repeated_keys(resource.node, seen))
    if broken and (template := find_template(source.text)) is not None:
        return _template(source, Span(source, template.start, template.end), template.language, documents)
    return Manifests(source, tuple(found), documents, objects, tuple(problems), False, tuple(unrendered))


def _cleaned(source: Source) -> tuple[Source, list[TextProblem]]:
    from efslint.kube.helm_output import is_helm_output, without_noise  # most texts are none of Helm's

    if not is_helm_output(source.text):
        return source, []
    cleaned, error = without_noise(source)
    return cleaned, [] if error is None else [TextProblem("chart", error, f"helm says: {error.text[7:].strip()}")]


def _release(source: Source, start: int, end: int, kind: str) -> Iterator[Span]:
    """Find the object of a GitOps controller that stands for a chart and its values."""
    text = source.text[start:end]
    group = re.search(_RELEASES[kind], text, re.MULTILINE)
    charts = not kind.startswith("Application") or re.search(r"^[ \t-]+(?:helm|chart):", text, re.MULTILINE) is not None
    if group is not None and charts:
        found = re.search(r"^kind:.*", text, re.MULTILINE)
        assert found is not None  # it told the kind
        yield Span(source, start + found.start(), start + found.end()).one_line()


def _template(source: Source, span: Span, language: str, documents: int) -> Manifests:
    problem = TextProblem("template", span, language)
    return Manifests(source, (), documents, 0, (problem,), template=True)


def _repeated_keys(root: Mapping, seen: set[tuple[int, int]]) -> Iterator[TextProblem]:
    """Find keys that stand twice in one mapping.

    Iterative: input may be nested deeply. ``seen`` holds the places of collections looked at, so that what aliases
    share is told once.
    """
    stack: list[Node] = [root]
    while stack:
        node = stack.pop()
        place = node.anchor or (node.start, node.end)
        if type(node) is Scalar or place in seen:
            continue
        seen.add(place)
        if type(node) is Sequence:
            stack.extend(node.items)
            continue
        assert type(node) is Mapping
        if node is root and (second := _second_object(root)) is not None:
            yield second
            return
        for key in (key for key, _ in node.shadowed if type(key) is Scalar):
            kept = node.key(key.text) or key
            yield TextProblem("duplicate-key", kept.span, f"key {key.text} stands twice", key.text, key.span)
        stack.extend(value for _, value in node.pairs)


def _second_object(root: Mapping) -> TextProblem | None:
    """Tell an object that repeats what begins an object: it is two, and the line ``---`` between them is missing."""
    repeated = {key.text: key for key, _ in root.shadowed if type(key) is Scalar}
    if not {"apiVersion", "kind"} <= repeated.keys():
        return None
    kept = min((root.key(name) or repeated[name] for name in ("apiVersion", "kind")), key=lambda key: key.start)
    return TextProblem("joined-objects", kept.span, "a second object begins here", kept.text, repeated[kept.text].span)

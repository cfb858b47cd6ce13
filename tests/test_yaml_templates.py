"""Template text: what keeps a file from being a manifest, and the many braces that do not."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from efslint.text.source import Source
from efslint.yaml.parser import YamlSyntaxError, parse_node
from efslint.yaml.templates import find_template, has_template_keys


@pytest.mark.parametrize(
    ("text", "language", "found"),
    [
        ("{{- if .Values.efs.enabled }}\nkind: StorageClass\n{{- end }}\n", "helm", "{{- if .Values.efs.enabled }}"),
        ("kind: Pod\nmetadata:\n  name: {{ .Release.Name }}\n", "helm", "{{ .Release.Name }}"),
        ("name: {{.Release.Name}}-x\n", "helm", "{{.Release.Name}}"),
        ('labels:\n  {{- include "app.labels" . | nindent 2 }}\n', "helm", '{{- include "app.labels" . | nindent 2 }}'),
        ("- {{ tpl .x . }}\n", "helm", "{{ tpl .x . }}"),
        ("a: [1, {{ $x }}]\n", "helm", "{{ $x }}"),
        ("a: {b: {{ .x }} }\n", "helm", "{{ .x }}"),
        ("{{/* a note */}}\n", "helm", "{{/* a note */}}"),
        ("{{/* a note\nof two lines */}}\n", "helm", "{{/* a note"),
        ("{{ .Values.key }}: x\n", "helm", "{{ .Values.key }}"),
        ('image: "{{ .Values.image | default "nginx" }}"\n', "helm", '{{ .Values.image | default "nginx" }}'),
        ("a: !!str {{ .x }}\n", "helm", "{{ .x }}"),
        ("'a b': {{ .x }}\n", "helm", "{{ .x }}"),
        ("a: |\n  text\nb: {{ .x }}\n", "helm", "{{ .x }}"),
        ("a: |\n  text\n{{- end }}\n", "helm", "{{- end }}"),
        ('a: "one\n  {{ two }}\n  three"\nb: {{ .x }}\n', "helm", "{{ .x }}"),
        ("a: one\n  {{ two }}\nb:\n  {{ c }}\n", "jinja", "{{ c }}"),
        ("name: {{ app_name }}\n", "jinja", "{{ app_name }}"),
        ("{% if efs %}\nkind: Pod\n{% endif %}\n", "jinja", "{% if efs %}"),
        ("  {%- for x in y -%}\n", "jinja", "{%- for x in y -%}"),
        ("{# a note #}\n", "jinja", "{# a note #}"),
        ("a: {{ x\n", "jinja", "{{ x"),
    ],
)
def test_templates(text: str, language: str, found: str) -> None:
    template = find_template(text)
    assert template is not None
    assert template.language == language
    assert text[template.start : template.end] == found


@pytest.mark.parametrize(
    "text",
    [
        "a: b\n",
        "",
        'message: "{{ $labels.pod }} is down"\n',
        "message: '{{ $labels.pod }}'\n",
        "args: ['{{inputs.parameters.x}}', \"{{x}}\"]\n",
        "image: docker/{{inputs.parameters.x}}\n",
        "description: on {{ with $x -}} y {{- end }}, {{ z }} and [{{ z }}]\n",
        "expr: |\n  {{ x }}\n\n  {% y %}\n",
        "- |-\n {{ x }}\n",
        "- a: >2 # c\n    {{ x }}\n",
        "a: &t |\n  {{ x }}\n",
        "--- |\n{{ x }}\n".replace("\n{{", "\n {{"),
        "description: a pod\n  {{ $labels.pod }}\n  {{ x }}\n",
        'a: "b \\"\n  {{ c }}\n\n  {{ d }}\\" e"\n',
        "a: 'b\n  {{ c }} it''s'\n",
        "# {{ x }}\na: b # {{ y }}\n",
        "server: ${FS}.efs.${REGION}.amazonaws.com\npath: <PLACEHOLDER>\nx: $(VAR)\n",
        "a: {b: {c: d}}\n",
        "a: {# comment\n  b: c}\n",
        "a: b\n#{{ x }}\n",
    ],
)
def test_no_templates(text: str) -> None:
    assert find_template(text) is None


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("name: {{ x }}\n", "{{ x }}"),
        ("{{ a }}: b\n", "{{ a }}"),
        ("a:\n  - b\n  - [c, {{d}}]\n", "{{d}}"),
        ("? [{{ a }}]\n: b\n", "{{ a }}"),
        ("a: {{ x }}\nb: {{ y }}\n", "{{ x }}"),
        ("a: { {b: c}: d }\n", None),
        ("a: {? {b: c} : d}\n", None),
        ("a: '{{ x }}'\nb: {c: {d: e}}\n", None),
        ("a: b{{ x }}\n", None),
        ("? {a: b}\n: c\n", None),
        ("text", None),
    ],
)
def test_template_keys(text: str, found: str | None) -> None:
    root = parse_node(Source("x", text), 0, len(text))
    assert root is not None
    span = has_template_keys(root)
    assert (span and span.text) == found


def test_template_keys_behind_aliases_are_visited_once() -> None:
    lines = ["a0: &a0 [1]", *(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 3)}]" for n in range(1, 10))]
    text = "\n".join([*lines, "z: {{ x }}"])
    root = parse_node(Source("x", text), 0, len(text))
    assert root is not None
    start = time.perf_counter()
    span = has_template_keys(root)
    assert time.perf_counter() - start < 0.5
    assert span is not None
    assert span.text == "{{ x }}"


@given(st.text(alphabet="{}%#-:'\"|> \nab.$", max_size=50))
def test_any_text(text: str) -> None:
    template = find_template(text)
    if template is not None:
        assert text[template.start : template.start + 2] in ("{{", "{%", "{#")
        assert template.start + 2 <= template.end <= len(text)
    try:
        root = parse_node(Source("x", text), 0, len(text))
    except YamlSyntaxError:
        return
    span = None if root is None else has_template_keys(root)
    assert span is None or (span.text.startswith("{{") and span.text.endswith("}"))


def test_time_on_long_lines() -> None:
    for piece in ("x: ", "a: [", "'", "{{ ", "- ", 'a: "', "!", "&a ", "[{", ": |", " #", "? ", "\\", "{# "):
        line = piece * (50_000 // len(piece))
        start = time.perf_counter()
        find_template(line + " b {{ x }}\n")
        assert time.perf_counter() - start < 2, piece

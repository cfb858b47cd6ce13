"""The way back through the constructs of templates: small charts, what they render to, and where each field is from."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest
from helm_support import needs_engine, write

from efslint.helm.options import HelmOptions
from efslint.helm.places import NotMade, Place, Release, place
from efslint.helm.render import render_chart
from efslint.helm.targets import target_of
from efslint.helm.views import Target
from efslint.inputs.chart_files import read_chart
from efslint.kube.resources import Resource, resources
from efslint.text.source import Source, Span
from efslint.yaml.documents import Document, read_documents
from efslint.yaml.node import Mapping, child

HEAD = "kind: X\napiVersion: v1\n"
"""How every template begins; lines of templates are counted from here."""


class Case(NamedTuple):
    """A template (behind ``HEAD``), its helpers and values; the field to look for, and where it is from.

    ``found`` is a line, as it stands in the file, with the text meant between ``«`` and ``»``.
    """

    name: str
    template: str
    field: tuple[str | int, ...]
    rendered: str
    found: str
    sureness: str = "exact"
    values: str = ""
    helpers: str = ""
    proven: str = "exact"  # with the engine


CASES = [
    Case("a literal", "a: soft\n", ("a",), "soft", "a: «soft»"),
    Case("a quoted literal with a comment", 'a: "soft" # why\n', ("a",), "soft", 'a: «"soft"» # why'),
    Case("a key in quotes", '"a b": soft\n', ("a b",), "soft", '"a b": «soft»'),
    Case("an item", "a:\n- hard\n- soft\n", ("a", 1), "soft", "- «soft»"),
    Case("an item in an item", "a:\n- - hard\n  - soft\n", ("a", 0, 1), "soft", "  - «soft»"),
    Case(
        "a field of an item",
        "a:\n  - n: x\n    o: soft\n  - n: y\n    o: soft\n",
        ("a", 1, "o"),
        "soft",
        "    o: «soft»",
    ),
    Case("a flow list", "a: [hard, soft]\n", ("a", 1), "soft", "a: [hard, «soft»]"),
    Case("a flow mapping", "a: {b: [{c: soft}]}\n", ("a", "b", 0, "c"), "soft", "a: {b: [{c: «soft»}]}"),
    Case("an action in a flow list", "a: [hard, {{ .Values.o }}]\n", ("a", 1), "soft", "o: «soft»", values="o: soft\n"),
    Case("a block", "a: |\n  one\n  two\n", ("a",), "one\ntwo\n", "a: «|»"),
    Case("a value", "a: {{ .Values.b.c }}\n", ("a",), "soft", "  c: «soft»", values="b:\n  c: soft\n"),
    Case("a value in quotes", "a: {{ .Values.o | quote }}\n", ("a",), "soft", "o: «soft»", values="o: soft\n"),
    Case("a value in the template's quotes", 'a: "{{ .Values.o }}"\n', ("a",), "soft", "o: «soft»", values="o: soft\n"),
    Case("a large number", "a: {{ .Values.num }}\n", ("a",), "1e+06", "num: «1000000»", values="num: 1000000\n"),
    Case("a flag", "a: {{ .Values.f }}\n", ("a",), "true", "f: «true»", values="f: true\n"),
    Case("a part of a text", "a: t={{ .Values.num }}\n", ("a",), "t=5", "num: «5»", values="num: 5\n"),
    Case(
        *("several parts, of which all are meant", "a: {{ .Values.x }}-{{ .Values.w }}\n", ("a",), "p-q"),
        *("a: «{{ .Values.x }}-{{ .Values.w }}»", "exact", "x: p\nw: q\n"),
    ),
    Case("the release", "a: {{ .Release.Name }}\n", ("a",), "release-name", "a: «{{ .Release.Name }}»", "probable"),
    Case("a value that is not there", "a: x{{ .Values.no }}\n", ("a",), "x", "a: «x{{ .Values.no }}»", "file only"),
    Case("a default", 'a: {{ .Values.o | default "soft" }}\n', ("a",), "soft", 'a: {{ .Values.o | default «"soft"» }}'),
    Case(
        "a default in front",
        'a: {{ default "soft" .Values.o }}\n',
        ("a",),
        "soft",
        'a: {{ default «"soft"» .Values.o }}',
    ),
    Case(
        "a default that is not used",
        'a: {{ .Values.o | default "hard" }}\n',
        ("a",),
        "soft",
        "o: «soft»",
        values="o: soft\n",
    ),
    Case(
        "a default of the same text",
        'a: {{ .Values.o | default "soft" }}\n',
        ("a",),
        "soft",
        "o: «soft»",
        values="o: soft\n",
    ),
    Case("coalesce", 'a: {{ coalesce .Values.x .Values.w "z" }}\n', ("a",), "soft", "w: «soft»", values="w: soft\n"),
    Case("or", 'a: {{ or .Values.x "soft" }}\n', ("a",), "soft", 'a: {{ or .Values.x «"soft"» }}'),
    Case("and", "a: {{ and true .Values.x }}\n", ("a",), "soft", "x: «soft»", values="x: soft\n"),
    Case(
        "ternary",
        'a: {{ .Values.f | ternary "soft" "hard" }}\n',
        ("a",),
        "soft",
        'a: {{ .Values.f | ternary «"soft"» "hard" }}',
        values="f: true\n",
    ),
    Case("get", 'a: {{ get .Values.b "c" }}\n', ("a",), "soft", "  c: «soft»", values="b:\n  c: soft\n"),
    Case(
        "index", 'a: {{ index .Values.b "c-d" 0 }}\n', ("a",), "soft", "  c-d: [«soft»]", values="b:\n  c-d: [soft]\n"
    ),
    Case(
        "fields of a call",
        "a: {{ (index .Values.b 0).c }}\n",
        ("a",),
        "soft",
        "  - c: «soft»",
        values="b:\n  - c: soft\n",
    ),
    Case("dig", 'a: {{ dig "c" "hard" .Values.b }}\n', ("a",), "soft", "  c: «soft»", values="b:\n  c: soft\n"),
    Case(
        "dig for what is not there",
        'a: {{ dig "c" "hard" .Values.b }}\n',
        ("a",),
        "hard",
        'a: {{ dig "c" «"hard"» .Values.b }}',
        values="b: {}\n",
    ),
    Case("required", 'a: {{ required "give o" .Values.o }}\n', ("a",), "soft", "o: «soft»", values="o: soft\n"),
    Case("printf", 'a: {{ printf "t=%d" (int .Values.num) }}\n', ("a",), "t=5", "num: «5»", values="num: 5\n"),
    Case(
        "printf of literals",
        'a: {{ printf "t=%s" .Release.Service }}\n',
        ("a",),
        "t=Helm",
        'a: {{ printf «"t=%s"» .Release.Service }}',
    ),
    Case(
        "printf of a variable format",
        "a: {{ printf .Values.f }}\n",
        ("a",),
        "soft",
        "f: «soft»",
        "probable",
        values="f: soft\n",
    ),
    Case(
        "printf of two",
        'a: {{ printf "%s-%s" .Values.x .Values.w }}\n',
        ("a",),
        "p-q",
        "x: «p»",
        "probable",
        values="x: p\nw: q\n",
        proven="probable",
    ),
    Case("printf of a line", '{{ printf "a: %s" .Values.o }}\n', ("a",), "soft", "o: «soft»", values="o: soft\n"),
    Case(
        "a text that is cut",
        "a: {{ .Values.o | trunc 4 }}\n",
        ("a",),
        "soft",
        "a: «{{ .Values.o | trunc 4 }}»",
        "probable",
        values="o: softer\n",
    ),
    Case(
        "a text that is put together",
        'a: {{ list .Values.o "x" | join "," }}\n',
        ("a",),
        "soft,x",
        'a: «{{ list .Values.o "x" | join "," }}»',
        "probable",
        values="o: soft\n",
    ),
    Case(
        "a text that is lengthened",
        'a: {{ cat .Values.o "x" }}\n',
        ("a",),
        "soft x",
        "o: «soft»",
        "probable",
        values="o: soft\n",
    ),
    Case(
        "with",
        "{{- with .Values.b }}\na: {{ .c }}\n{{- end }}\n",
        ("a",),
        "soft",
        "  c: «soft»",
        values="b:\n  c: soft\n",
    ),
    Case(
        "with a variable",
        "{{- with $x := .Values.b }}\na: {{ $x.c }}\n{{- end }}\n",
        ("a",),
        "soft",
        "  c: «soft»",
        values="b:\n  c: soft\n",
    ),
    Case(
        "the else of with",
        "{{- with .Values.b }}\nz: {{ .c }}\n{{- else }}\na: {{ .Values.o }}\n{{- end }}\n",
        ("a",),
        "soft",
        "o: «soft»",
        values="o: soft\n",
    ),
    Case(
        "else with",
        "{{- with .Values.b }}\nz: {{ .c }}\n{{- else with .Values.d }}\na: {{ .c }}\n{{- end }}\n",
        ("a",),
        "soft",
        "d: {c: «soft»}",
        values="d: {c: soft}\n",
    ),
    Case(
        "the dollar",
        "{{- with .Values.b }}\na: {{ $.Values.o }}\n{{- end }}\n",
        ("a",),
        "soft",
        "o: «soft»",
        values="b: 1\no: soft\n",
    ),
    Case(
        "a variable", "{{- $x := .Values.b }}\na: {{ $x.c }}\n", ("a",), "soft", "  c: «soft»", values="b:\n  c: soft\n"
    ),
    Case(
        "a variable that changes",
        '{{- $x := "hard" }}{{ $x = .Values.o }}\na: {{ $x }}\n',
        ("a",),
        "soft",
        "o: «soft»",
        values="o: soft\n",
    ),
    Case(
        "a variable of another branch",
        '{{- if .Values.no }}{{- $y := "hard" }}{{ end }}\na: {{ .Values.o }}\n',
        ("a",),
        "soft",
        "o: «soft»",
        values="o: soft\n",
    ),
    Case(
        "if and else", "{{- if .Values.f }}\na: soft\n{{- else }}\na: hard\n{{- end }}\n", ("a",), "hard", "a: «hard»"
    ),
    Case(
        "if and else with the same text",
        "{{- if .Values.f }}\na: soft\n{{- else }}\na: soft\n{{- end }}\n",
        ("a",),
        "soft",
        "a: «soft»",
        "probable",
    ),
    Case(
        "if within a line",
        "a: {{ if .Values.f }}hard{{ else }}soft{{ end }}\n",
        ("a",),
        "soft",
        "a: {{ if .Values.f }}hard{{ else }}«soft»{{ end }}",
    ),
    Case(
        "a range of scalars",
        "a:\n{{- range .Values.l }}\n- {{ . }}\n{{- end }}\n",
        ("a", 1),
        "soft",
        "- «soft»",
        values="l:\n- hard\n- soft\n",
    ),
    Case(
        "a range of the same scalars",
        "a:\n{{- range .Values.l }}\n- {{ . }}\n{{- end }}\n",
        ("a", 1),
        "soft",
        "l: [«soft», soft]",
        "probable",
        values="l: [soft, soft]\n",
        proven="probable",
    ),
    Case(
        "a range of mappings",
        "a:\n{{- range .Values.l }}\n- n: {{ .id }}\n  o: {{ .o }}\n{{- end }}\n",
        ("a", 1, "o"),
        "soft",
        "- {id: q, o: «soft»}",
        values="l:\n- {id: p, o: soft}\n- {id: q, o: soft}\n",
    ),
    Case(
        "a range with a variable",
        "a:\n{{- range $i, $e := .Values.l }}\n- {{ $e.o }}\n{{- end }}\n",
        ("a", 0),
        "soft",
        "- {o: «soft»}",
        values="l:\n- {o: soft}\n",
    ),
    Case(
        "a range over a mapping",
        "a:\n{{- range $k, $v := .Values.m }}\n- n: {{ $k }}\n  o: {{ $v }}\n{{- end }}\n",
        ("a", 1, "o"),
        "soft",
        "m: {p: soft, q: «soft»}",
        values="m: {p: soft, q: soft}\n",
    ),
    Case(
        "the key of a range",
        "a:\n{{- range $k, $v := .Values.m }}\n- {{ $k }}\n{{- end }}\n",
        ("a", 0),
        "soft",
        "m: {«soft»: 1}",
        values="m: {soft: 1}\n",
    ),
    Case(
        "the index of a range",
        "a:\n{{- range $k, $v := .Values.l }}\n- n{{ $k }}\n{{- end }}\n",
        ("a", 0),
        "n0",
        "- «n{{ $k }}»",
        "probable",
        values="l: [x]\n",
    ),
    Case(
        "a range over a list of the template",
        'a:\n{{- range list "hard" "soft" }}\n- {{ . }}\n{{- end }}\n',
        ("a", 1),
        "soft",
        '{{- range list "hard" «"soft"» }}',
    ),
    Case(
        "a range over a default",
        'a:\n{{- range .Values.l | default (list "soft") }}\n- {{ . }}\n{{- end }}\n',
        ("a", 0),
        "soft",
        '{{- range .Values.l | default (list «"soft"») }}',
    ),
    Case(
        "a range over what is not known",
        'a:\n{{- range splitList "," "hard,soft" }}\n- {{ . }}\n{{- end }}\n',
        ("a", 1),
        "soft",
        "- «{{ . }}»",
        "probable",
    ),
    Case(
        "a range over a key of values",
        "a:\n{{- range $k, $v := .Values.m }}\n- {{ range $v }}{{ . }}{{ end }}\n{{- end }}\n",
        ("a", 0),
        "soft",
        "m: {x: [«soft»]}",
        values="m: {x: [soft]}\n",
    ),
    Case(
        "toYaml of a list",
        "a:\n{{ toYaml .Values.l | indent 2 }}\n",
        ("a", 1),
        "soft",
        "- «soft»",
        values="l:\n- hard\n- soft\n",
    ),
    Case(
        "toYaml behind a key",
        "a: {{- toYaml .Values.l | nindent 2 }}\n",
        ("a", 1),
        "soft",
        "l: [hard, «soft»]",
        values="l: [hard, soft]\n",
    ),
    Case(
        "toYaml of a mapping",
        "a:\n  {{- toYaml .Values.m | nindent 2 }}\n",
        ("a", "b", "c"),
        "soft",
        "m: {b: {c: «soft»}}",
        values="m: {b: {c: soft}}\n",
    ),
    Case(
        "toYaml beside keys",
        "a:\n  z: 1\n  {{- toYaml .Values.m | nindent 2 }}\n",
        ("a", "b"),
        "soft",
        "m: {b: «soft»}",
        values="m: {b: soft}\n",
    ),
    Case(
        "toYaml behind items",
        "a:\n  - first\n  {{- toYaml .Values.l | nindent 2 }}\n",
        ("a", 2),
        "soft",
        "l: [hard, «soft»]",
        values="l: [hard, soft]\n",
    ),
    Case(
        "toYaml at the indent of its key",
        "a:\n{{ toYaml .Values.l }}\n",
        ("a", 0),
        "soft",
        "l: [«soft»]",
        values="l: [soft]\n",
    ),
    Case("toJson", "a: {{ .Values.l | toJson }}\n", ("a", 0), "soft", "l: [«soft»]", values="l: [soft]\n"),
    Case(
        "toYaml of a dict",
        'a: {{ dict "b" .Values.o | toJson }}\n',
        ("a", "b"),
        "soft",
        "o: «soft»",
        values="o: soft\n",
    ),
    Case(
        "a list of the template",
        'a: {{ list "x" .Values.o | toJson }}\n',
        ("a", 1),
        "soft",
        "o: «soft»",
        values="o: soft\n",
    ),
    Case(
        "merge",
        'a: {{ merge .Values.m (dict "b" "hard") | toJson }}\n',
        ("a", "b"),
        "soft",
        "m: {b: «soft»}",
        values="m: {b: soft}\n",
    ),
    Case(
        "mergeOverwrite",
        'a: {{ mergeOverwrite (dict "b" "hard") .Values.m | toJson }}\n',
        ("a", "b"),
        "soft",
        "m: {b: «soft»}",
        values="m: {b: soft}\n",
    ),
    Case(
        "omit",
        'a: {{ omit .Values.m "z" | toJson }}\n',
        ("a", "b"),
        "soft",
        "m: {b: «soft», z: 1}",
        values="m: {b: soft, z: 1}\n",
    ),
    Case(
        "concat",
        "a: {{ concat .Values.l .Values.k | toJson }}\n",
        ("a", 0),
        "soft",
        "l: [«soft»]",
        values="l: [soft]\nk: [x]\n",
    ),
    Case("first of a list", "a: {{ first (list .Values.o 1) }}\n", ("a",), "soft", "o: «soft»", values="o: soft\n"),
    Case(
        "last of a list", "a: {{ last (append (list 1) .Values.o) }}\n", ("a",), "soft", "o: «soft»", values="o: soft\n"
    ),
    Case(
        "a helper",
        'a: {{ include "h" . }}\n',
        ("a",),
        "soft",
        "«soft»",
        helpers='{{- define "h" -}}\nsoft\n{{- end }}\n',
    ),
    Case(
        "a helper with a value",
        'a: {{ include "h" . }}\n',
        ("a",),
        "soft",
        "o: «soft»",
        values="o: soft\n",
        helpers='{{- define "h" -}}\n{{ .Values.o }}\n{{- end }}\n',
    ),
    Case(
        "a helper with parts",
        'a: {{ include "h" . | trim }}\n',
        ("a",),
        "p-q",
        "«{{ .Values.x }}-{{ .Values.w }}»",
        values="x: p\nw: q\n",
        helpers='{{- define "h" -}}\n{{- /* a comment */}}\n{{ .Values.x }}-{{ .Values.w }}\n{{- end }}\n',
    ),
    Case(
        "a helper with branches",
        'a: {{ include "h" . | trim }}\n',
        ("a",),
        "soft",
        "«soft»",
        helpers='{{- define "h" -}}\n{{- if .Values.f }}\nhard\n{{- else }}\nsoft\n{{- end }}\n{{- end }}\n',
    ),
    Case(
        "a helper with a dict",
        'a: {{ include "h" (dict "v" .Values.o "c" $) }}\n',
        ("a",),
        "soft",
        "o: «soft»",
        values="o: soft\n",
        helpers='{{- define "h" -}}\n{{ .v }}\n{{- end }}\n',
    ),
    Case(
        "a helper of lines",
        '{{ include "h" . }}\n',
        ("a", "b"),
        "soft",
        "  b: «soft»",
        helpers='{{- define "h" -}}\na:\n  b: soft\n{{- end }}\n',
    ),
    Case(
        "a helper by template",
        '{{ template "h" . }}\n',
        ("a",),
        "soft",
        "a: «soft»",
        helpers='{{- define "h" -}}\na: soft\n{{- end }}\n',
    ),
    Case(
        "a helper in raw quotes",
        "{{ include `h` . }}\n",
        ("a",),
        "soft",
        "a: «soft»",
        helpers="{{- define `h` -}}\na: soft\n{{- end }}\n",
    ),
    Case("a block action", '{{- block "h" . }}\na: soft\n{{- end }}\n', ("a",), "soft", "a: «soft»"),
    Case(
        "a helper that reads YAML",
        'a: {{ (include "h" . | fromYaml).b }}\n',
        ("a",),
        "soft",
        'a: «{{ (include "h" . | fromYaml).b }}»',
        "probable",
        helpers='{{- define "h" -}}\nb: soft\n{{- end }}\n',
    ),
    Case(
        "a helper with a name that is computed",
        '{{ include (printf "%s" "h") . }}\n',
        ("a",),
        "soft",
        '«{{ include (printf "%s" "h") . }}»',
        "file only",
        helpers='{{- define "h" -}}\na: soft\n{{- end }}\n',
        proven="exact",
    ),
    Case(
        "tpl of a value",
        "a: {{ tpl .Values.t . }}\n",
        ("a",),
        "soft",
        "o: «soft»",
        values='o: soft\nt: "{{ .Values.o }}"\n',
    ),
    Case("tpl of plain text", "a: {{ tpl .Values.t . }}\n", ("a",), "soft", "t: «soft»", values="t: soft\n"),
    Case("tpl of a block", "{{ tpl .Values.t . }}\n", ("a", 0), "soft", "  - «soft»", values="t: |\n  a:\n  - soft\n"),
    Case(
        "tpl of toYaml",
        "a:\n  {{- tpl (toYaml .Values.m) . | nindent 2 }}\n",
        ("a", "b"),
        "soft",
        "o: «soft»",
        values='m:\n  b: "{{ .Values.o }}"\no: soft\n',
    ),
    Case("a key with an action", "{{ .Values.k }}: soft\n", ("a",), "soft", "{{ .Values.k }}: «soft»", values="k: a\n"),
    Case("a comment of templates", "{{- /* a: hard\n*/}}\na: soft\n", ("a",), "soft", "a: «soft»"),
    Case("an action over lines", "a: {{ .Values.o\n  | quote }}\n", ("a",), "soft", "o: «soft»", values="o: soft\n"),
    Case("a character", "a: {{ 'x' }}\n", ("a",), "120", "a: «{{ 'x' }}»", "any"),
    Case(
        "a break",
        "a:\n{{- range .Values.l }}\n- {{ . }}\n{{- break }}\n{{- end }}\n",
        ("a", 0),
        "soft",
        "l: [«soft», x]",
        values="l: [soft, x]\n",
    ),
    Case("an anchor in values", "a: {{ .Values.w }}\n", ("a",), "soft", "w: «*x»", values="x: &x soft\nw: *x\n"),
    Case(
        "text and lookup",
        'a: {{ (lookup "v1" "Secret" "n" "x").o | default "soft" }}\n',
        ("a",),
        "soft",
        'a: {{ (lookup "v1" "Secret" "n" "x").o | default «"soft"» }}',
    ),
    Case(
        "files",
        'a: {{ .Files.Get "f" | default "soft" }}\n',
        ("a",),
        "soft",
        'a: {{ .Files.Get "f" | default «"soft"» }}',
    ),
    Case(
        "values of nothing", "a: {{ .Values.b.c }}x\n", ("a",), "x", "a: «{{ .Values.b.c }}x»", "any", values="b: {}\n"
    ),
    Case("an action below its key", "a:\n  {{ .Values.o }}\n", ("a",), "soft", "o: «soft»", values="o: soft\n"),
    Case("a quoted text over lines", 'a: "soft\n  er"\n', ("a",), "soft er", "", "any"),
    Case(
        "deep down",
        "a:\n b:\n  c:\n   d:\n    e:\n     f: soft\n",
        ("a", "b", "c", "d", "e", "f"),
        "soft",
        "     f: «soft»",
    ),
    Case(
        "items that differ",
        "a:\n- x: {{ .Values.o }}\n  z: 1\n- x: soft\n",
        ("a", 1, "x"),
        "soft",
        "- x: «soft»",
        values="o: soft\n",
    ),
    Case("items of two kinds", "a:\n- b: soft\n- soft\n", ("a", 1), "soft", "- «soft»"),
    Case("an anchor of the template", "a: &x\n  b: soft\n", ("a", "b"), "soft", "  b: «soft»"),
    Case(
        "a blank branch",
        "a: {{ if .Values.f }} {{ end }}soft\n",
        ("a",),
        "soft",
        "a: {{ if .Values.f }} {{ end }}«soft»",
    ),
    Case("a line in two branches", "a: so{{ if .Values.f }}ber{{ else }}ft{{ end }}\n", ("a",), "soft", "", "any"),
    Case(
        "another line of printf",
        '{{ printf "z: %d" 1 }}\n{{ printf "a: %s" .Values.o }}\n',
        ("a",),
        "soft",
        "o: «soft»",
        values="o: soft\n",
    ),
    Case("a line that is a literal", '{{ "a: soft" }}\n', ("a",), "soft", "", "any"),
    Case(
        "a helper that calls itself",
        '{{ include "h" . }}\n',
        ("a",),
        "soft",
        "a: «soft»",
        helpers='{{- define "h" -}}\n{{- if .n }}\n{{ include "h" (dict) }}\n{{ else }}\na: soft\n{{ end }}{{ end }}',
    ),
    Case(
        "a text that calls itself",
        'a: {{ include "h" . | trim }}\n',
        ("a",),
        "soft",
        "«soft»",
        helpers='{{- define "h" -}}\n{{- if .n }}\n{{ include "h" (dict) }}\n{{ else }}\nsoft\n{{ end }}{{ end }}',
    ),
    Case(
        "parts of parts",
        'a: {{ cat (default "x" .Values.o) "y" }}\n',
        ("a",),
        "soft y",
        "o: «soft»",
        "probable",
        values="o: soft\n",
    ),
    Case(
        "a range with a deep field",
        "a:\n{{- range .Values.l }}\n- m:\n    id: {{ .id }}\n  o: {{ .o }}\n{{- end }}\n",
        ("a", 1, "o"),
        "soft",
        "- {id: q, o: «soft»}",
        values="l:\n- {id: p, o: soft}\n- {id: q, o: soft}\n",
    ),
    Case("a key of printing", '{{ print "a:" }}\n  b: soft\n', ("a", "b"), "soft", "  b: «soft»", "probable"),
    Case("an item of printing", '{{ print "a:" }}\n- soft\n', ("a", 0), "soft", "- «soft»", "probable"),
    Case(
        "an index that is computed",
        "a: {{ index .Values.b .Values.k }}\n",
        ("a",),
        "soft",
        "a: «{{ index .Values.b .Values.k }}»",
        "probable",
        values="b: {c: soft}\nk: c\n",
    ),
    Case(
        "dig with a key that is computed",
        'a: {{ dig .Values.k "hard" .Values.b }}\n',
        ("a",),
        "soft",
        'a: «{{ dig .Values.k "hard" .Values.b }}»',
        "probable",
        values="b: {c: soft}\nk: c\n",
    ),
    Case(
        "last of values",
        "a: {{ last .Values.l }}\n",
        ("a",),
        "soft",
        "a: «{{ last .Values.l }}»",
        "probable",
        values="l: [x, soft]\n",
    ),
    Case(
        "append to values",
        "a: {{ append .Values.l 1 | toJson }}\n",
        ("a", 0),
        "soft",
        "l: [«soft»]",
        "any",
        values="l: [soft]\n",
    ),
    Case(
        "a value that must be so",
        'a: {{ .Values.o }}\n{{ if ne .Values.o "soft" }}{{ fail "no" }}{{ end }}\n',
        ("a",),
        "soft",
        "o: «soft»",
        values="o: soft\n",
    ),
    Case(
        "a helper without a dot",
        'a: {{ include "h" (list) }}\n',
        ("a",),
        "soft",
        "«soft»",
        helpers='{{- define "h" -}}\nsoft\n{{- end }}\n',
    ),
    Case(
        "a helper with a dot of nothing",
        'a: {{ include "h" .Release }}\n',
        ("a",),
        "soft",
        "«soft»",
        helpers='{{- define "h" -}}\nsoft\n{{- end }}\n',
    ),
    Case(
        "more of one text than are told apart",
        "a: {{ toJson .Values.l }}\n{{- range .Values.l }}\nb{{ . }}: 1\n{{- end }}\n",
        ("a", 0),
        "x0",
        "",
        "any",
        values="l: [" + ", ".join(f"x{i}" for i in range(40)) + "]\n",
    ),
    Case(
        "the same in a long list",
        "a:\n{{- range .Values.l }}\n- {{ . }}\n{{- end }}\n",
        ("a", 0),
        "soft",
        "",
        "any",
        values="l: [" + "soft, " * 40 + "]\n",
    ),
    Case(
        "the same value in two branches",
        "{{- if .Values.f }}\na: {{ .Values.o }}\n{{- else }}\na: {{ .Values.o }}\n{{- end }}\n",
        ("a",),
        "soft",
        "o: «soft»",
        values="o: soft\n",
    ),
    Case(
        "branches within quotes",
        'a: "{{ if .Values.f }}x{{ end }}soft"\n',
        ("a",),
        "soft",
        'a: "{{ if .Values.f }}x{{ end }}«soft»"',
    ),
    Case(
        "helpers without end",
        '{{- if .Values.f }}\n{{ include "h" . }}\n{{- end }}\na: soft\n',
        ("a",),
        "soft",
        "a: «soft»",
        "any",
        helpers='{{- define "h" }}\n{{ include "h" . }}\n{{ include "h" . }}\n{{ include "h" . }}\n{{- end }}',
    ),
    Case(
        "texts without end",
        'a: {{ if .Values.f }}{{ include "h" . }}{{ else }}soft{{ end }}\n',
        ("a",),
        "soft",
        "",
        "any",
        helpers='{{- define "h" }}\n{{ include "h" . }}\n{{ include "h" . }}\n{{- end }}',
    ),
]


def chart(root: Path, case: Case) -> str:
    return write(
        root,
        {
            "Chart.yaml": "apiVersion: v2\nname: c\nversion: 0.1.0\n",
            "values.yaml": case.values,
            "templates/_h.tpl": case.helpers,
            "templates/x.yaml": HEAD + case.template,
        },
    )


def target(source: Source, field: tuple[str | int, ...]) -> tuple[Resource, Target]:
    """Return the target at a field, or at a key where the field ends in ``"!"``."""
    (document,) = (each for each in read_documents(source, lambda _: True) if isinstance(each, Document))
    (resource,) = resources(document.root, 0)
    node = child(resource.node, *field)
    assert node is not None
    found = target_of(node.span, (resource,))
    assert found is not None
    return found


def marked(placed: Place) -> str:
    source, line = placed.span.source, placed.span.first.line
    start = source.line_starts[line - 1]
    text = source.line_text(line)
    first, last = placed.span.start - start, placed.span.end - start
    return f"{text[:first]}«{text[first:last]}»{text[last:]}"


@needs_engine
@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
@pytest.mark.parametrize("proving", [False, True], ids=["read", "proven"])
def test_what_the_engine_rendered(case: Case, proving: bool, tmp_path: Path) -> None:
    done = render_chart(chart(tmp_path, case), HelmOptions())
    assert done.problems == ()
    ((source, release),) = done.outputs
    found = target(source, case.field)[1]
    assert found.text == case.rendered
    if not proving:
        release.proof = None
    placed = place(release, "c/templates/x.yaml", found)
    assert isinstance(placed, Place)
    if case.sureness == "any":
        return
    sureness = case.sureness if not proving else case.proven
    if proving and case.sureness != "exact":
        assert placed.sureness in (sureness, "exact")
        return
    assert (marked(placed), str(placed.sureness)) == (case.found, sureness)


class Key(NamedTuple):
    """A template whose object has a key that is looked for."""

    name: str
    template: str
    field: tuple[str | int, ...]
    found: str
    values: str = ""
    helpers: str = ""
    sureness: str = "exact"


KEYS = [
    Key("a key of the template", "a:\n  b: {c: 1}\n", ("a", "b"), "  «b»: {c: 1}"),
    Key("a key of a flow mapping", "a: {b: {c: 1}}\n", ("a", "b", "c"), "a: {b: {«c»: 1}}"),
    Key(
        "a key of a helper", '{{ include "h" . }}\n', ("a",), "«a»: 1", helpers='{{- define "h" -}}\na: 1\n{{- end }}\n'
    ),
    Key("a key of values", "a: {{ toJson .Values.m }}\n", ("a", "b"), "m: {«b»: 1}", values="m: {b: 1}\n"),
    Key("a key that is a value", "{{ .Values.k }}: 1\n", ("b",), "{{ .Values.k }}: 1", "k: b\n", sureness="any"),
    Key(
        "a key of a list in values",
        "a: {{ toJson .Values.l }}\n",
        ("a", 0, "b"),
        "l: [{«b»: 1}]",
        values="l: [{b: 1}]\n",
    ),
    Key(
        "a key of a dict", 'a: {{ dict "b" 1 | toJson }}\n', ("a", "b"), 'a: {{ dict "b" 1 | toJson }}', sureness="any"
    ),
]


@needs_engine
@pytest.mark.parametrize("key", KEYS, ids=lambda key: key.name)
@pytest.mark.parametrize("proving", [False, True], ids=["read", "proven"])
def test_keys(key: Key, proving: bool, tmp_path: Path) -> None:
    case = Case(key.name, key.template, key.field, "", key.found, values=key.values, helpers=key.helpers)
    ((source, release),) = render_chart(chart(tmp_path, case), HelmOptions()).outputs
    (document,) = (each for each in read_documents(source, lambda _: True) if isinstance(each, Document))
    (resource,) = resources(document.root, 0)
    parent = child(resource.node, *key.field[:-1])
    assert isinstance(parent, Mapping)
    scalar = parent.key(str(key.field[-1]))
    assert scalar is not None
    found = target_of(scalar.span, (resource,))
    assert found is not None
    assert (found[1].on_key, found[1].path) == (True, key.field)
    if not proving:
        release.proof = None
    placed = place(release, "c/templates/x.yaml", found[1])
    assert isinstance(placed, Place)
    if key.sureness != "any":
        assert (marked(placed), str(placed.sureness)) == (key.found, key.sureness)


# Without an engine, from what was rendered elsewhere.


class Elsewhere(NamedTuple):
    """A template and what somebody rendered from it, perhaps long ago or with other values."""

    name: str
    template: str
    rendered: str
    field: tuple[str | int, ...]
    told: str  # the line, or the reason why there is none
    sureness: str = "file only"
    values: str = ""


ELSEWHERE = [
    Elsewhere(
        "another number", "a: {{ .Values.num }}\n", "a: 6\n", ("a",), "a: «{{ .Values.num }}»", values="num: 5\n"
    ),
    Elsewhere("no number", "a: {{ .Values.num }}\n", "a: x\n", ("a",), "a: «{{ .Values.num }}»", values="num: 5\n"),
    Elsewhere(
        "another default",
        'a: {{ .Values.o | default "x" }}\n',
        "a: soft\n",
        ("a",),
        'a: «{{ .Values.o | default "x" }}»',
    ),
    Elsewhere(
        "other items",
        "a: {{ toJson .Values.l }}\n",
        "a: [x, soft]\n",
        ("a", 1),
        "a: «{{ toJson .Values.l }}»",
        values="l: [x, y]\n",
    ),
    Elsewhere(
        "more items",
        "a: {{ toJson .Values.l }}\n",
        "a: [x, soft]\n",
        ("a", 1),
        "a: «{{ toJson .Values.l }}»",
        values="l: [x]\n",
    ),
    Elsewhere(
        "printf of another text",
        'a: {{ printf "t=%d" 5 }}\n',
        "a: x\n",
        ("a",),
        'a: «{{ printf "t=%d" 5 }}»',
        "probable",
    ),
    Elsewhere("a helper of a library", '{{ include "lib.x" . }}\n', "a: soft\n", ("a",), '«{{ include "lib.x" . }}»'),
    Elsewhere(
        "a text of a library",
        'a: {{ include "lib.x" . }}\n',
        "a: soft\n",
        ("a",),
        'a: «{{ include "lib.x" . }}»',
        "probable",
    ),
    Elsewhere(
        "fields of a text",
        'a: {{ ("x" | quote).foo }}\n',
        "a: soft\n",
        ("a",),
        'a: «{{ ("x" | quote).foo }}»',
        "probable",
    ),
    Elsewhere("no expression", "a: {{ ?? }}\n", "a: soft\n", ("a",), "a: «{{ ?? }}»", "probable"),
    Elsewhere("a pipe of nothing", "a: {{ | quote }}\n", "a: soft\n", ("a",), "a: «{{ | quote }}»", "probable"),
    Elsewhere("an open parenthesis", "a: {{ (quote 1 }}\n", "a: soft\n", ("a",), "a: «{{ (quote 1 }}»", "probable"),
    Elsewhere("a closed one", "a: {{ quote 1) }}\n", "a: soft\n", ("a",), "a: «{{ quote 1) }}»", "probable"),
    Elsewhere(
        "a define without a name", "{{ define x }}{{ end }}\na: soft\n", "a: soft\n", ("a",), "a: «soft»", "exact"
    ),
    Elsewhere("ends without beginnings", "{{ end }}{{ else }}\na: soft\n", "a: soft\n", ("a",), "a: «soft»", "exact"),
    Elsewhere("an include without a name", "{{ include }}\na: soft\n", "a: soft\n", ("a",), "a: «soft»", "exact"),
    Elsewhere("another field", "a: soft\nb: 1\n", "a: soft\nb: 2\n", ("a",), "makes no such object"),
    Elsewhere("a field that is gone", "b: 1\n", "a: soft\nb: 1\n", ("a",), ""),
    Elsewhere("a changed text", "a: hard\n", "a: soft\n", ("a",), "makes no such object"),
    Elsewhere(
        "a value with a layer above",
        "a: {{ .Values.o }}\n",
        "a: soft\n",
        ("a",),
        "a: «{{ .Values.o }}»",
        values="o: {p: 1}\n",
    ),
    Elsewhere(
        "a key above the values",
        "a: {{ toJson .Values.m }}\n",
        "a: {c: soft}\n",
        ("a", "c"),
        "a: «{{ toJson .Values.m }}»",
        values="m: {b: 1}\n",
    ),
    Elsewhere(
        "values that are no YAML", "a: {{ toJson .Values.m }}\n", "a: {c: soft}\n", ("a", "c"), "", values="m: [\n"
    ),
    Elsewhere("another flow", "a: {b: 1}\n", "a: {c: soft}\n", ("a", "c"), ""),
    Elsewhere("a mapping that was", "a:\n  b: 1\n", "a: soft\n", ("a",), ""),
    Elsewhere(
        "a table in values", "a: {{ toJson .Values.m }}\n", "a: {b: soft}\n", ("a", "b"), "", values="m: {b: {c: 1}}\n"
    ),
    Elsewhere(
        "a helper among oddities",
        '{{ define x }}{{ end }}\n{{ include "h" . }}\n',
        "a: soft\n",
        ("a",),
        '«{{ include "h" . }}»',
    ),
]


@pytest.mark.parametrize("case", ELSEWHERE, ids=lambda case: case.name)
def test_what_was_rendered_elsewhere(case: Elsewhere, tmp_path: Path) -> None:
    directory = chart(tmp_path, Case(case.name, case.template, case.field, "", "", values=case.values))
    found = target(Source("<stdin>", HEAD + case.rendered), case.field)[1]
    placed = place(Release(read_chart(directory)), "c/templates/x.yaml", found)
    if isinstance(placed, Place):
        assert (marked(placed) if placed.span.end else "", str(placed.sureness)) == (case.told, case.sureness)
    else:
        assert case.told
        assert case.told in placed.reason


def test_an_object_whose_kind_is_said_elsewhere(tmp_path: Path) -> None:
    """The items of a typed list need not say what they are."""
    directory = chart(tmp_path, Case("x", "a: 1\n", (), "", ""))
    found = target(Source("<stdin>", "kind: XList\napiVersion: v1\nitems: [{b: 2}]\n"), ("b",))[1]
    assert isinstance(place(Release(read_chart(directory)), "c/templates/x.yaml", found), NotMade)


@pytest.mark.parametrize(
    ("template", "told"),
    [("a: hard,soft\n", "a: hard,«soft»"), ("a: soft,hard,softer\n", "a: «soft,hard,softer»")],
)
def test_a_part_of_a_text_is_shown_if_it_is_clear_which(template: str, told: str, tmp_path: Path) -> None:
    directory = chart(tmp_path, Case("x", template, (), "", ""))
    source = Source("<stdin>", HEAD + template)
    resource, whole = target(source, ("a",))
    at = source.text.index("soft")
    found = target_of(Span(source, at, at + 4), (resource,))
    assert found is not None
    assert found[1].text == whole.text
    placed = place(Release(read_chart(directory)), "c/templates/x.yaml", found[1])
    assert isinstance(placed, Place)
    assert marked(placed) == told


def test_what_is_no_part_of_an_object() -> None:
    source = Source("x", f"{HEAD}a: [ b]\n# c\n")
    resource, _ = target(source, ("a", 0))
    for text in ("[", "# c"):
        at = source.text.index(text) + len(text) - 1
        if text == "[":
            at += 1
        assert target_of(Span(source, at, at + 1), (resource,)) is None
    assert target_of(Span(Source("y", source.text), 0, 1), (resource,)) is None


@needs_engine
def test_a_guess_among_what_was_set(tmp_path: Path) -> None:
    """No way to the value is found, and what was set cannot be changed in a file."""
    directory = chart(tmp_path, Case("x", "a: {{ .Values.o | trunc 4 }}\n", (), "", "", values="o: x\n"))
    ((source, release),) = render_chart(directory, HelmOptions(sets=("o=softer",))).outputs
    placed = place(release, "c/templates/x.yaml", target(source, ("a",))[1])
    assert isinstance(placed, Place)
    assert marked(placed) == "a: «{{ .Values.o | trunc 4 }}»"

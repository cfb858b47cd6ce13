"""Facts about the text of a file."""

from __future__ import annotations

from storage_support import chain, check_fact, told, volume

from efslint.kube.manifests import read_manifests
from efslint.storage.fact import Fact
from efslint.storage.file_facts import file_facts
from efslint.text.source import Source

PV = volume("pv", "{nfs: {server: a}}")


def found(text: str) -> list[Fact]:
    facts = list(file_facts(read_manifests(Source("a.yaml", text))))
    for fact in facts:
        check_fact(fact)
    return facts


def test_a_sound_text_has_none() -> None:
    assert found(PV) == []


def test_a_key_that_stands_twice() -> None:
    (fact,) = found(f"{PV}\n---\n{volume('pw', '{}')}\nspec: {{nfs: {{server: b}}}}")
    assert fact.value == {"problem": "duplicate-key", "detail": "key spec stands twice", "key": "spec"}
    assert (fact.object and fact.object.label, [each.name for each in fact.objects]) == ("PersistentVolume/pw", ["pw"])
    assert told(fact, "") == "spec"
    assert chain(fact) == ["key spec stands twice", "first written here"]
    assert fact.chain[0].span.start > fact.chain[1].span.start


def test_a_document_that_cannot_be_read_belongs_to_no_object() -> None:
    (fact,) = found(f"{PV}\n---\na: [\n")
    assert (fact.value["problem"], fact.object, fact.objects) == ("syntax", None, ())
    assert chain(fact) == [fact.value["detail"]]


def test_a_template_says_its_language() -> None:
    (fact,) = found(f"{PV}\n{{{{- if .Values.x }}}}\n")
    assert (fact.value["problem"], fact.value["language"]) == ("template", "helm")
    assert fact.object is None

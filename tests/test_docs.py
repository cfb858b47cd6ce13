"""The documentation: what it shows is what efslint does today, and what it links to is there."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from posixpath import normpath

import assemble
import pytest
import reference
import refresh
from commands import efslint

ROOT = Path(__file__).parents[1]
PAGES = ROOT / "docs" / "pages"
RULES = [path.stem.partition("-")[::2] for path in sorted((ROOT / "rules").glob("*.yaml"))]
HOW = "run: make refresh"

needs_bash = pytest.mark.skipif(shutil.which("bash") is None, reason="no bash")


@needs_bash
@pytest.mark.parametrize("name", refresh.pages())
def test_what_a_page_shows_is_what_the_commands_print(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert refresh.refreshed(text) == text, HOW


@needs_bash
def test_an_output_that_is_out_of_date_is_noticed_and_renewed() -> None:
    page = "<!-- output: efslint --version -->\n```console\n$ efslint --version\nefslint 0\n```\n<!-- /output -->\n"
    shown = efslint("--version").out
    assert refresh.refreshed(page) == page.replace("efslint 0\n", shown)


@needs_bash
def test_the_commands_of_a_page_share_a_folder_and_their_own_files() -> None:
    page = (
        "<!-- file: a/b.yaml -->\n```yaml\nkind: A\n```\n"
        "<!-- run: echo kind: B >> a/b.yaml -->\n"
        "<!-- output: cat a/b.yaml => kubectl get a -->\n<!-- /output -->\n"
    )
    assert "```console\n$ kubectl get a\nkind: A\nkind: B\n```\n<!-- /output -->" in refresh.refreshed(page)


@needs_bash
def test_an_output_that_needs_a_missing_module_is_left_alone() -> None:
    page = "<!-- output with no_such_module: efslint --version -->\nanything\n<!-- /output -->\n"
    assert refresh.refreshed(page) == page


@needs_bash
@pytest.mark.parametrize(
    ("page", "error"),
    [
        ("<!-- output: efslint --version -->\n", "no <!-- /output -->"),
        ("<!-- output: efslint --no-such-option -->\n<!-- /output -->\n", "exit 2"),
        ("<!-- failure: efslint --version -->\n<!-- /failure -->\n", "exit 0"),
        ("<!-- run: false -->\n", "exit 1"),
        ("<!-- file: a.yaml -->\n", "no fence"),
    ],
)
def test_a_marker_that_does_not_do_what_it_says_is_an_error(page: str, error: str) -> None:
    with pytest.raises(refresh.StaleError, match=error):
        refresh.refreshed(page)


def test_no_marker_is_misspelt() -> None:
    for name in refresh.pages():
        for line in (ROOT / name).read_text(encoding="utf-8").splitlines():
            if re.match(r"<!-- /?(output|failure|file|run|rules|bench)\b.*-->", line):
                assert refresh.MARKER.fullmatch(line) or line.startswith("<!-- /"), f"{name}: {line}"


def test_the_table_of_the_readme_lists_what_the_command_lists() -> None:
    listed = [line.split(maxsplit=3) for line in efslint("--list-rules", "--no-config").out.splitlines()]
    row = re.compile(r"^\| \[(\w+)\]\(rules/([\w-]+)\.yaml\) \| `([\w-]+)` \| (\w+) \| (.*) \|$", re.MULTILINE)
    rows = row.findall((ROOT / "README.md").read_text(encoding="utf-8"))
    assert [[rule, severity, name, summary] for rule, _, name, severity, summary in rows] == listed, HOW
    assert [file for _, file, *_ in rows] == [path.stem for path in sorted((ROOT / "rules").glob("*.yaml"))], HOW


def test_every_rule_has_a_page_that_says_what_explain_says() -> None:
    made = reference.generated()
    assert RULES
    for identity, name in RULES:
        page = made[f"rules/{identity}.md"]
        assert page.startswith(f"# {identity} {name}\n")
        explained = set(re.findall(r"\w+", efslint("--explain", identity).out))
        assert explained - set(re.findall(r"\w+", page)) == set()
        assert f"]({identity}.md) | `{name}`" in made["rules/index.md"]
        assert "# expect:" not in page


def test_the_configuration_reference_has_every_key() -> None:
    schema = json.loads((ROOT / "efslint" / "schemas" / "config.json").read_text(encoding="utf-8"))
    page = reference.generated()["reference/configuration.md"]
    assert re.findall(r"^## ([\w-]+) ", page, re.MULTILINE) == list(schema["properties"])
    entry = json.loads((ROOT / "efslint" / "schemas" / "engines.json").read_text(encoding="utf-8"))
    for key in entry["$defs"]["engine"]["properties"]:
        assert f"| `{key}` |" in page


def test_the_examples_of_the_configuration_reference_are_configurations(tmp_path: Path) -> None:
    page = reference.generated()["reference/configuration.md"]
    (tmp_path / "a.yaml").write_text("kind: A\n", encoding="utf-8")
    pack = tmp_path / "lint" / "rules"
    pack.mkdir(parents=True)
    rule = re.search(r"^```yaml\n(id: .*?)^```", (PAGES / "guides" / "rule-packs.md").read_text("utf-8"), re.M | re.S)
    assert rule is not None
    (pack / "ACME101-nconnect-set.yaml").write_text(rule[1], encoding="utf-8")
    (tmp_path / "cluster" / "storage-classes").mkdir(parents=True)
    (tmp_path / "efslint-baseline.json").write_text('{"version": 1, "findings": []}', encoding="utf-8")
    examples = re.findall(r"^```yaml\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert len(examples) > 5
    for example in examples:
        (tmp_path / ".efslint.yaml").write_text(example, encoding="utf-8")
        ran = efslint("--config", str(tmp_path / ".efslint.yaml"), "--show-config")
        assert (ran.status, ran.err) == (0, ""), example


def test_the_command_line_reference_has_every_option() -> None:
    page = reference.generated()["reference/command-line.md"]
    options = set(re.findall(r"^ +(?:-\w[^,]*, )?(--[\w-]+)", efslint("--help").out, re.MULTILINE))
    assert "--format" in options
    assert {option for option in options if f"`{option}" not in page} == set()


def test_the_list_of_engines_has_every_product_with_its_source() -> None:
    page = reference.generated()["reference/engines.md"]
    text = (ROOT / "efslint" / "knowledge" / "engines.yaml").read_text(encoding="utf-8")
    products = re.findall(r"^    product: (.*)$", text, re.MULTILINE)
    assert len(products) > 20
    assert [name for name in products if f"\n| {name} |" not in page] == []
    sources = re.findall(r"^    source: ([^*&\s]\S*)$", text, re.MULTILINE)
    assert len(sources) > 10
    assert [source for source in sources if source not in page] == []


@pytest.fixture(scope="module")
def assembled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("docs")
    assemble.assemble(folder)
    return folder


def test_links_within_the_documentation_lead_somewhere(assembled: Path) -> None:
    pages = {path.relative_to(assembled / "pages").as_posix(): path for path in (assembled / "pages").rglob("*.md")}
    checked = 0
    for name, path in pages.items():
        for link in links(path.read_text(encoding="utf-8")):
            target, _, anchor = link.partition("#")
            other = normpath(f"{Path(name).parent.as_posix()}/{target}") if target else name
            assert (assembled / "pages" / other).is_file(), f"{name}: {link}"
            if anchor:
                assert anchor in anchors(pages[other].read_text(encoding="utf-8")), f"{name}: {link}"
            checked += 1
    assert checked > 50


def test_the_schema_for_editors_is_part_of_the_site(assembled: Path) -> None:
    schema = json.loads((assembled / "pages" / "reference" / "config.json").read_text(encoding="utf-8"))
    assert schema["properties"].keys() >= {"select", "baseline"}
    assert schema["additionalProperties"] is False


def test_links_of_the_readme_lead_somewhere() -> None:
    for name in ("README.md", "CONTRIBUTING.md"):
        found = links((ROOT / name).read_text(encoding="utf-8"))
        assert [link for link in found if not (ROOT / link.partition("#")[0]).exists()] == []


def links(text: str) -> list[str]:
    """Return where links go that stay within the documentation."""
    prose = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
    return [link for link in re.findall(r"\]\(<?([^)>]+)>?\)", prose) if not re.match(r"\w+:", link)]


def anchors(text: str) -> set[str]:
    """Return the anchors of the headings of a page, as the site builder makes them."""
    found = set()
    for heading in re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.MULTILINE):
        given = re.search(r"\{ #([\w-]+) \}", heading)
        slug = re.sub(r"[^\w\s-]", "", heading).strip().lower()
        found.add(given[1] if given else re.sub(r"[-\s]+", "-", slug))
    return found


def test_every_page_is_in_the_navigation(assembled: Path) -> None:
    named = re.findall(r"(\S+\.md)$", (assembled / "mkdocs.yml").read_text(encoding="utf-8"), re.MULTILINE)
    pages = {path.relative_to(assembled / "pages").as_posix() for path in (assembled / "pages").rglob("*.md")}
    assert sorted(named) == sorted(pages)


def test_examples_are_shown_as_they_are(assembled: Path) -> None:
    page = (assembled / "pages" / "guides" / "pre-commit.md").read_text(encoding="utf-8")
    example = (ROOT / "docs" / "examples" / "pre-commit-config.yaml").read_text(encoding="utf-8")
    assert f"```yaml\n{example}```" in page


@pytest.mark.skipif(find_spec("mkdocs") is None or find_spec("material") is None, reason="mkdocs is not installed")
def test_the_site_builds_without_a_warning_and_fetches_nothing(assembled: Path) -> None:
    command = (sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", assembled / "mkdocs.yml")
    site = assembled / "site"
    answer = subprocess.run(
        (*command, "--site-dir", site),
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
    assert "WARNING" not in answer.stderr
    for identity, _ in RULES:
        assert (site / "rules" / f"{identity}.html").exists()
    for page in site.rglob("*.html"):
        fetched = re.findall(
            r"<(?:link|script|img|iframe)\b[^>]*(?:src|href)=\"?(?:https?:)?//[^>]*>", page.read_text()
        )
        assert fetched == [], page.name
    assert "fonts.g" not in (site / "index.html").read_text(encoding="utf-8")


@pytest.mark.skipif(shutil.which("kubectl") is None, reason="no kubectl")
def test_kustomize_builds_what_the_guide_shows(tmp_path: Path) -> None:
    page = (PAGES / "guides" / "gitops.md").read_text(encoding="utf-8")
    for name, text in re.findall(r"<!-- file: (\S+) -->\n```yaml\n(.*?)```", page, re.DOTALL):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    command = ("kubectl", "kustomize", "production")
    answer = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    if "error: unknown" in answer.stderr or "dispatcher" in answer.stderr:
        pytest.skip("this kubectl cannot build kustomizations")
    assert answer.stdout == (tmp_path / "built.yaml").read_text(encoding="utf-8"), answer.stderr

"""The rooms of the package: who may import whom, and what only one of them may do."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "efslint"
ROOMS = (
    *("text", "yaml", "kube", "knowledge", "storage", "rules"),
    *(
        "adoption",
        "report",
        "inputs",
        "helm",
        "config",
        "settings",
        "adopt",
        "compiled",
        "builtin",
        "workers",
        "pipeline",
        "plan",
        "terminal",
        "run",
        "cli",
    ),
)
MODULES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or not path.name.startswith("__"))

# What may be called while a module is imported: it makes values and does nothing else.
PURE_CALLS = {
    *("frozenset", "tuple", "dict", "set", "range", "sorted", "len", "zip", "enumerate", "str", "int"),
    *("re.compile", "field", "auto", "date"),
    *("itemgetter", "attrgetter", "methodcaller", "partial"),
}
PURE_METHODS = {
    *(
        "split",
        "splitlines",
        "partition",
        "rpartition",
        "join",
        "format",
        "lower",
        "upper",
        "removeprefix",
        "removesuffix",
    ),
    *("items", "keys", "values", "union", "fromkeys"),
}
PURE_DECORATORS = {
    *("dataclass", "property", "cached_property", "cache", "lru_cache", "staticmethod", "classmethod"),
    *("contextmanager", "overload", "final", "unique", "total_ordering", "override"),
}


def parts(path: Path) -> tuple[str, ...]:
    """Return the names that lead to a module: its room first. ``cli.py`` and ``cli_….py`` are one room."""
    first, *rest = path.relative_to(PACKAGE).with_suffix("").parts
    return ("cli" if first.startswith("cli_") else first, *rest)


def room(path: Path) -> str:
    return parts(path)[0]


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


def imports(node: ast.AST) -> Iterator[tuple[ast.stmt, str]]:
    """Yield every import below a node: the statement, and the full name of the module or of what is taken from it."""
    for child in ast.walk(node):
        if isinstance(child, ast.Import):
            yield from ((child, alias.name) for alias in child.names)
        elif isinstance(child, ast.ImportFrom):
            assert child.level == 0, f"relative import in line {child.lineno}"
            yield from ((child, f"{child.module}.{alias.name}") for alias in child.names)


def uses(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of everything that is looked up below a node, attributes as ``a.b``."""
    for child in ast.walk(node):
        if isinstance(child, ast.Name | ast.Attribute) and isinstance(child.ctx, ast.Load):
            yield child.lineno, ast.unparse(child)


def outside(*allowed: str) -> list[Path]:
    """Return the modules that are none of these: a room, or a file of a room."""
    names = [tuple(name.split("/")) for name in allowed]
    return [path for path in MODULES if not any(parts(path)[: len(name)] == name for name in names)]


def name_of(path: Path) -> str:
    return path.relative_to(PACKAGE).as_posix()


def test_there_is_a_module_in_every_room() -> None:
    assert {room(path) for path in MODULES} == set(ROOMS)


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_imports_go_one_way(path: Path) -> None:
    allowed = ("__version__", "_compiled", *ROOMS[: ROOMS.index(room(path)) + 1])
    ours = [(statement.lineno, name) for statement, name in imports(tree(path)) if name.split(".")[0] == "efslint"]
    assert [found for found in ours if re.sub("^cli_.*", "cli", found[1].split(".")[1]) not in allowed] == []


def test_modules_of_a_room_do_not_import_in_circles() -> None:
    names = {".".join(("efslint", *path.relative_to(PACKAGE).with_suffix("").parts)): path for path in MODULES}
    graph = {
        name: {used for _, full in imports(tree(path)) for used in (full, full.rpartition(".")[0]) if used in names}
        for name, path in names.items()
    }
    while graph:
        free = {name for name, used in graph.items() if not (used - {name}) & graph.keys()}
        assert free, f"circular imports among {sorted(graph)}"
        graph = {name: used for name, used in graph.items() if name not in free}


@pytest.mark.parametrize("path", outside("yaml/parser"), ids=name_of)
def test_only_the_parser_imports_ruamel(path: Path) -> None:
    assert [name for _, name in imports(tree(path)) if name.split(".")[0] in ("ruamel", "_ruamel_yaml")] == []


@pytest.mark.parametrize("path", outside("rules"), ids=name_of)
def test_only_rules_import_jsonschema(path: Path) -> None:
    assert [name for _, name in imports(tree(path)) if name.split(".")[0] in ("jsonschema", "referencing")] == []


@pytest.mark.parametrize("path", [path for path in MODULES if room(path) == "rules"], ids=name_of)
def test_rules_import_jsonschema_only_when_they_need_it(path: Path) -> None:
    module = tree(path)
    for node in ast.walk(module):
        if isinstance(node, ast.FunctionDef) or (isinstance(node, ast.If) and is_for_types(node)):
            node.body = []
    assert [name for _, name in imports(module) if name.split(".")[0] in ("jsonschema", "referencing")] == []


OPENING = re.compile(
    r"((io|os|codecs|gzip|tarfile|zipfile)\.)?open|.*(\)|path)\.open|.*\.(read|write)_(text|bytes)", re.DOTALL
)


@pytest.mark.parametrize("path", outside("inputs", "knowledge/data"), ids=name_of)
def test_only_inputs_open_files(path: Path) -> None:
    # The command line may open the null device, to put it in the place of a closed pipe.
    found = [use for use in uses(tree(path)) if OPENING.fullmatch(use[1])]
    assert [use for use in found if not (room(path) == "cli" and use[1] == "os.open")] == []


@pytest.mark.parametrize("path", outside("cli"), ids=name_of)
def test_only_the_command_line_prints_and_exits(path: Path) -> None:
    names = (
        "print",
        "exit",
        "quit",
        "input",
        "SystemExit",
        "sys.exit",
        "os._exit",
        "sys.stdout",
        "sys.stderr",
        "sys.argv",
    )
    found = list(uses(tree(path)))
    asked = {(line, "sys.stdout") for line, name in found if name == "sys.stdout.isatty"}  # looking is not printing
    assert [use for use in found if use[1] in names and use not in asked] == []


CLOCKS = ("datetime.now", "datetime.utcnow", "date.today", "time.time", "time.localtime", "time.gmtime")


@pytest.mark.parametrize("path", outside("cli"), ids=name_of)
def test_only_the_command_line_reads_the_clock(path: Path) -> None:
    assert [found for found in uses(tree(path)) if found[1].endswith(CLOCKS)] == []


@pytest.mark.parametrize("path", MODULES, ids=name_of)
def test_importing_a_module_only_defines_things(path: Path) -> None:
    assert list(effects(tree(path).body)) == []


@pytest.mark.parametrize(
    "text",
    [
        "print('hello')",
        "RULES = load()",
        "RULES = {name: read(name) for name in ('a', 'b')}",
        "@register\ndef rule(): ...",
        "@rules.register('x')\ndef rule(): ...",
        "class Rule:\n    all.append('x')",
        "for name in ('a', 'b'):\n    table[name] = 1",
        "if DEBUG:\n    x = 1",
        "TEXT = Path('x').read_text()",
    ],
)
def test_an_effect_is_noticed(text: str) -> None:
    assert len(list(effects(ast.parse(text).body))) == 1


def is_for_types(node: ast.If) -> bool:
    return ast.unparse(node.test) == "TYPE_CHECKING"


def effects(body: list[ast.stmt]) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of everything in a module's or a class' body that does more than define."""
    for node in body:
        match node:
            case ast.Import() | ast.ImportFrom() | ast.Pass() | ast.Expr(value=ast.Constant()):
                pass
            case ast.Assign(value=value) | ast.AnnAssign(value=value):
                if value is not None:
                    yield from impure(value)
            case ast.FunctionDef(decorator_list=decorators):
                yield from wrong_decorators(decorators)
            case ast.ClassDef(decorator_list=decorators, body=inner):
                yield from wrong_decorators(decorators)
                yield from effects(inner)
            case ast.If() if is_for_types(node):
                pass
            case ast.Try(body=inner, handlers=[ast.ExceptHandler(type=ast.Name(id="ImportError"), body=otherwise)]):
                yield from effects(inner + otherwise + node.orelse + node.finalbody)
            case _:
                yield node.lineno, ast.unparse(node)


def wrong_decorators(decorators: list[ast.expr]) -> Iterator[tuple[int, str]]:
    for node in decorators:
        name = ast.unparse(node.func if isinstance(node, ast.Call) else node)
        if name.split(".")[-1] not in PURE_DECORATORS:
            yield node.lineno, name


def impure(node: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the calls that run when an expression is read. Names in capitals are types: calling them makes a value."""
    if isinstance(node, ast.Lambda):
        return
    if isinstance(node, ast.Call):
        name = ast.unparse(node.func)
        last = name.split(".")[-1]
        method = isinstance(node.func, ast.Attribute) and last in PURE_METHODS
        if not (name in PURE_CALLS or last[:1].isupper() or method):
            yield node.lineno, name
    for child in ast.iter_child_nodes(node):
        yield from impure(child)

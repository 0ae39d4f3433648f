"""The house contract: imports point one way, and the front door stays light."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from importlib import metadata
from pathlib import Path

import pytest

PROJECT = Path(__file__).resolve().parent.parent
ROOMS = ("pipelines", "resources", "assets", "saero")
# Heavy libraries that must not be loaded by a --help, a search --help or by `dagster definitions validate`.
HEAVY = ("torch", "sentence_transformers", "lancedb", "great_expectations")


def modules(room: str) -> list[Path]:
    return sorted((PROJECT / room).rglob("*.py"))


def imported(path: Path, *, top_only: bool) -> set[str]:
    """Return the first names of everything a module imports; `top_only` leaves out imports inside functions."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    nodes = tree.body if top_only else list(ast.walk(tree))
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module.partition(".")[0])
    return found


@pytest.mark.parametrize("room", ROOMS)
def test_a_room_imports_only_rooms_below_it(room: str) -> None:
    above = set(ROOMS[ROOMS.index(room) + 1 :])
    for path in modules(room):
        assert not imported(path, top_only=False) & above, f"{path} imports a room above it"


def test_only_assets_imports_dagster_at_module_level() -> None:
    for room in ("pipelines", "resources", "saero"):
        for path in modules(room):
            assert "dagster" not in imported(path, top_only=True), path
    for path in modules("assets/stages"):
        assert "dagster" not in imported(path, top_only=False), path


def test_pipelines_hold_no_handles() -> None:
    handles = {
        "dagster",
        "duckdb",
        "lancedb",
        "lance",
        "pydantic",
        "pydantic_settings",
        "sentence_transformers",
        "smtplib",
    }
    for path in modules("pipelines"):
        assert not imported(path, top_only=False) & handles, path


def test_pyhwp_stands_behind_one_module() -> None:
    users = [path for room in ROOMS for path in modules(room) if "hwp5" in imported(path, top_only=False)]
    assert len(users) == 1, users


def test_the_distribution_owns_its_four_names() -> None:
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    named = {name.partition(".")[0] for name in settings["tool"]["setuptools"]["packages"]}
    assert named == set(ROOMS)
    owners = metadata.packages_distributions()
    for room in ROOMS:
        assert set(owners.get(room, ["saero"])) == {"saero"}, f"another package installs {room}"


def test_every_package_folder_is_listed() -> None:
    settings = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))
    listed = set(settings["tool"]["setuptools"]["packages"])
    found = {
        ".".join(path.parent.relative_to(PROJECT).parts)
        for room in ROOMS
        for path in modules(room)
        if path.name == "__init__.py"
    }
    assert listed == found


def test_tests_are_no_package() -> None:
    assert not list((PROJECT / "tests").rglob("__init__.py"))


def loaded_after(code: str) -> set[str]:
    """Run code in a fresh interpreter and return the first names of the modules it left loaded."""
    probe = f"{code}\nimport sys; print(' '.join(sorted({{name.partition('.')[0] for name in sys.modules}})))"
    result = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", probe], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    return set(result.stdout.splitlines()[-1].split())


def test_the_front_door_imports_only_click() -> None:
    loaded = loaded_after("import saero.cli")
    assert "click" in loaded
    assert not loaded & {*HEAVY, "dagster", "duckdb", "pydantic", "numpy", "pyarrow", "resources", "assets"}


def test_search_help_loads_no_dagster() -> None:
    code = "import saero.cli, contextlib\nwith contextlib.suppress(SystemExit): saero.cli.main(['search', '--help'])"
    assert not loaded_after(code) & {*HEAVY, "dagster"}


def test_loading_the_definitions_imports_nothing_heavy() -> None:
    loaded = loaded_after("import assets.definitions as d; d.dg.Definitions.validate_loadable(d.defs)")
    assert "dagster" in loaded
    assert not loaded & set(HEAVY)


def test_telemetry_is_off() -> None:
    text = (PROJECT / "dagster.yaml").read_text(encoding="utf-8")
    assert "telemetry:\n  enabled: false" in text


def test_no_path_of_a_machine_is_written_down() -> None:
    tracked = subprocess.run(
        ["git", "ls-files"], cwd=PROJECT, capture_output=True, text=True, check=True
    ).stdout.split()
    marks = ("/" + "work/", "/" + "root/", "site-" + "packages/", "python" + "hosted")
    for name in tracked:
        path = PROJECT / name
        if path.suffix in {".py", ".md", ".toml", ".yaml", ".sql", ".lock", ""} and path.is_file():
            text = path.read_text(encoding="utf-8", errors="replace")
            assert not [mark for mark in marks if mark in text], name

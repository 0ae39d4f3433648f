"""`saero forget` in processes of its own: beside searches, killed at any moment, and in Dagster's records."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from quick_corpus import COMMAND, refreshed_corpus, saero
from test_forget import traces

pytestmark = pytest.mark.dagster
PLACE, WORDS = "제안서/결제.md", "매달 5일에 정산합니다"
# Searches in one process after another is too slow to meet the switch: this one asks until it is told to stop.
_ASKING = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from quick_saero import QuickEncoder
from resources import encoder
encoder.Encoder = encoder.QueryEncoder = QuickEncoder
from click.testing import CliRunner
from saero.cli import saero
while not Path("stop").exists():
    done = CliRunner().invoke(saero, ["search", "정산", "휴가", "--all", "--json"])
    print(done.exit_code, "매달 5일에 정산합니다" in done.stdout, done.exception, flush=True)
"""


@pytest.fixture
def own(tmp_path_factory: pytest.TempPathFactory, tmp_path: Path) -> Path:
    return Path(shutil.copytree(refreshed_corpus(tmp_path_factory), tmp_path / "own"))


def left(folder: Path) -> list[str]:
    return traces(folder / ".saero", PLACE, WORDS)


def test_dagsters_records_name_it_no_more_and_a_refresh_brings_nothing_back(own: Path) -> None:
    assert any(place.startswith("dagster/") for place in left(own)), "the table of canaries names what answers"
    done = saero("forget", PLACE, "--yes", "--json", cwd=own)
    assert done.returncode == 0 and done.stderr == ""
    report = json.loads(done.stdout)
    looked = {one["where"]: one["removed"] for one in report["looked"]}
    assert looked["dagster"] > 0 and looked["ledger canaries"] == 1 and report["in_settings"]
    assert left(own) == []
    checks = {one["name"]: one["ok"] for one in json.loads(saero("doctor", "--json", cwd=own).stdout)["checks"]}
    assert checks["ledger"] and checks["index"] and checks["mirror"] and checks["last_run"]
    again = saero("refresh", "--json", cwd=own)
    assert again.returncode == 0, again.stderr
    assert json.loads(again.stdout)["embedded"] == 0 and json.loads(again.stdout)["documents"]["new"] == 0
    settings = own / "saero.toml"
    settings.write_text(settings.read_text(encoding="utf-8").replace(PLACE, ""), encoding="utf-8")
    assert saero("refresh", cwd=own).returncode == 0
    assert saero("forget", PLACE, "--yes", cwd=own).returncode == 0 and left(own) == []


def test_searches_meanwhile_never_break_and_never_show_it_afterwards(own: Path) -> None:
    command = [sys.executable, "-c", _ASKING, str(Path(__file__).parent)]
    asking = subprocess.Popen(command, cwd=own, stdout=subprocess.PIPE, text=True, encoding="utf-8")
    assert asking.stdout is not None
    try:
        before = [asking.stdout.readline() for _ in range(3)]
        assert before == ["0 True None\n"] * 3
        done = saero("forget", PLACE, "--yes", cwd=own)
        assert done.returncode == 0, done.stderr
        at = time.time()
        (own / "stop").write_text("", encoding="utf-8")
        rest = asking.communicate(timeout=120)[0].splitlines()
    finally:
        asking.kill()
    assert rest and {line.split()[0] for line in rest} == {"0"} and rest[-1] == "0 False None", (at, rest)
    assert "True" not in "".join(rest[rest.index("0 False None") :])


def test_killed_at_any_moment_it_is_ended_by_the_next_call(own: Path) -> None:
    command = [*COMMAND, "forget", PLACE, "--yes", "--json"]
    for tenths in range(2, 100, 4):
        one = subprocess.Popen(command, cwd=own, stdout=subprocess.PIPE, text=True, encoding="utf-8")
        try:
            one.communicate(timeout=tenths / 10)
        except subprocess.TimeoutExpired:
            one.kill()
            one.communicate()
            assert saero("search", "휴가", cwd=own).returncode == 0
            continue
        assert one.returncode == 0
        break
    assert left(own) == []
    assert not [path.name for path in (own / ".saero").iterdir() if "anew" in path.name]
    assert saero("refresh", "--json", cwd=own).returncode == 0
    assert os.path.lexists(own / PLACE) and WORDS not in saero("search", "정산", "--all", cwd=own).stdout

"""Pairs of known likeness, as real files through `saero duplicates`: benchmarks/dedup/oracles.py."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / "benchmarks" / "dedup")]

import oracles  # noqa: E402
from brute import truth  # noqa: E402
from oracles import BEHAVIOURS, PAIRS, Pair  # noqa: E402

from pipelines.records import Limits  # noqa: E402
from resources.folder import read_folder  # noqa: E402
from saero.cli import saero  # noqa: E402


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return oracles.write(tmp_path_factory.mktemp("oracles"))


@pytest.fixture(scope="module")
def found(root: Path) -> dict[str, Any]:
    said = CliRunner().invoke(saero, ["duplicates", str(root), "--json"])
    assert said.exit_code == 0, said.output
    report: dict[str, Any] = json.loads(said.stdout)
    return report


@pytest.fixture(scope="module")
def words(root: Path) -> dict[str, str]:
    readings, _ = read_folder(root, workers=2, limits=Limits())
    return {one.path: one.text for one in readings}


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_a_file_has_the_5_grams_that_its_oracle_counts(pair: Pair, words: dict[str, str]) -> None:
    matrix = truth([words[pair.a], words[pair.b]]).shared_matrix
    product = (matrix @ matrix.T).toarray()
    assert (product[0, 0], product[1, 1], product[0, 1]) == (pair.n_a, pair.n_b, pair.shared)


@pytest.mark.parametrize("pair", PAIRS, ids=lambda pair: pair.name)
def test_a_pair_is_what_its_numbers_say(pair: Pair, found: dict[str, Any]) -> None:
    assert oracles.as_defined(found, pair)


@pytest.mark.parametrize("name", BEHAVIOURS)
def test_behaviour(name: str, found: dict[str, Any]) -> None:
    assert BEHAVIOURS[name](found)

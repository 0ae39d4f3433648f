"""What benchmarks/retrieval measures with, and that its own data are well formed; search is judged there."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from pipelines.search import contains_exactly

RETRIEVAL = Path(__file__).resolve().parent.parent / "benchmarks" / "retrieval"


@pytest.fixture(autouse=True)
def beside(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the scripts import each other, as they do when one is started; other scripts have modules of their names."""
    before = {path.stem: sys.modules.pop(path.stem, None) for path in RETRIEVAL.glob("*.py")}
    monkeypatch.syspath_prepend(str(RETRIEVAL))
    yield
    for name, module in before.items():
        sys.modules.pop(name, None)
        if module is not None:
            sys.modules[name] = module


def test_each_identifier_stands_in_its_passage_and_in_no_other() -> None:
    import identifiers

    cases = identifiers.own()
    assert len({case.query for case in cases}) == len(cases) >= 18
    for case in cases:
        assert contains_exactly(case.query, case.passage), case.query
        assert len(case.near) >= 3 and case.query not in case.near


def test_shares_and_means_have_intervals_around_them() -> None:
    from measures import mean, share

    half = share([True, False] * 50)
    assert half.value == 0.5 and (half.low, half.high) == pytest.approx((0.404, 0.596), abs=1e-3)
    assert share([True] * 18).low > 0.8 and share([True] * 18).high <= 1
    assert mean([1.0, 0.0] * 50).low == pytest.approx(0.4015, abs=1e-3)


def test_area_and_calibration_error() -> None:
    from measures import auc, calibration_error

    assert auc(np.array([0.9, 0.8]), np.array([0.1, 0.8])) == 0.875
    said, true = np.array([0.75] * 4), np.array([True, True, True, False])
    assert calibration_error(said, true) == 0
    assert calibration_error(said, ~true) == 0.5


def test_fusion_prefers_what_both_lists_have() -> None:
    from rankings import fused

    a, b, c = ({"chunk_id": one} for one in "abc")
    assert [row["chunk_id"] for row in fused([a, b], [b, c])] == ["b", "a", "c"]


def test_copies_of_a_paragraph_hold_its_answers() -> None:
    from korquad import copies_of

    shared = " ".join(f"word{n}" for n in range(25))
    assert copies_of([shared, f"before {shared} after", "another text"]) == [{0, 1}, {0, 1}, {2}]

"""The hand-written pairs of benchmarks/dedup are well formed; what the rules make of them is judged there."""

from __future__ import annotations

import sys
import tomllib
from datetime import date
from pathlib import Path
from typing import Any

import pytest

DEDUP = Path(__file__).resolve().parent.parent / "benchmarks" / "dedup"
sys.path[:0] = [str(DEDUP)]

from pair_texts import CHANGES, both_texts  # noqa: E402

VERSION_FILES = sorted(DEDUP.glob("version_pairs*.toml"))
CONTRADICTION_FILES = sorted(DEDUP.glob("contradiction_pairs*.toml"))


def read(path: Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", VERSION_FILES, ids=lambda path: path.stem)
def test_every_pair_of_versions_is_two_file_names_with_a_change_a_label_and_a_reason(path: Path) -> None:
    for pair in read(path)["pair"]:
        assert set(pair) - {"older_at", "newer_at"} == {"older", "newer", "text", "change", "label", "why"}
        assert pair["label"] in ("auto", "review", "none") and pair["change"] in CHANGES
        assert pair["older"] != pair["newer"] and all("." in pair[side] for side in ("older", "newer"))
        assert pair["why"].strip()
        for clock in ("older_at", "newer_at"):
            date.fromisoformat(pair.get(clock, "2026-01-01"))


@pytest.mark.parametrize("path", VERSION_FILES, ids=lambda path: path.stem)
def test_every_pair_of_versions_has_its_texts(path: Path) -> None:
    content = read(path)
    for pair in content["pair"]:
        older, newer = both_texts(content["texts"], pair["text"], pair["change"], pair["older"])
        assert older.strip() and newer.strip()
        assert (older == newer) == (pair["change"] == "same")


@pytest.mark.parametrize("path", VERSION_FILES, ids=lambda path: path.stem)
def test_no_pair_of_versions_is_written_twice(path: Path) -> None:
    pairs = [
        tuple(pair.get(key) for key in ("older", "newer", "older_at", "newer_at", "change"))
        for pair in read(path)["pair"]
    ]
    assert len(set(pairs)) == len(pairs)


@pytest.mark.parametrize("path", CONTRADICTION_FILES, ids=lambda path: path.stem)
def test_every_pair_of_passages_has_a_label_and_a_reason(path: Path) -> None:
    pairs = read(path)["pair"]
    for pair in pairs:
        assert set(pair) == {"a", "b", "label", "why"}
        assert isinstance(pair["label"], bool)
        assert pair["a"].strip() and pair["b"].strip() and pair["a"] != pair["b"] and pair["why"].strip()
    assert len({(pair["a"], pair["b"]) for pair in pairs}) == len(pairs)


def test_an_edit_touches_one_word_in_twenty_and_a_cut_leaves_under_half() -> None:
    base = " ".join(f"낱말{number}" for number in range(200))
    texts = {"a": base, "a_more": "더", "a_rewrite": "다시", "b": "남", "b_more": "", "b_rewrite": ""}
    _, edited = both_texts(texts, "a", "edit", "seed")
    assert sum(old != new for old, new in zip(base.split(), edited.split(), strict=True)) == 10
    assert both_texts(texts, "a", "edit", "seed")[1] == edited != both_texts(texts, "a", "edit", "another")[1]
    assert len(both_texts(texts, "a", "cut", "")[1]) * 2 < len(base)
    assert both_texts(texts, "a", "grow", "")[1] == f"{base}\n\n더\n"
    assert both_texts(texts, "b", "other", "")[1] == base

"""The hand-written pairs of benchmarks/dedup are well formed; what the rules make of them is judged there."""

from __future__ import annotations

import sys
import tomllib
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest

DEDUP = Path(__file__).resolve().parent.parent / "benchmarks" / "dedup"
sys.path[:0] = [str(DEDUP)]

from pair_texts import CHANGES, both_texts  # noqa: E402
from version_chains import folders, label  # noqa: E402
from version_counts import Folders, upper_bound  # noqa: E402
from version_desk import Made  # noqa: E402
from versions import judge_folder  # noqa: E402

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


EARLY, LATE = datetime(2026, 1, 1, tzinfo=UTC), datetime(2026, 2, 1, tzinfo=UTC)


def state(order: int, text: str = "", lane: str = "v", standing: str = "", clock: datetime | None = None) -> Made:
    return Made(f"v{order}.md", text or f"text {order}", LATE, clock, "thread", order, lane, standing)


def test_the_truth_of_a_generated_pair_follows_from_how_it_was_made() -> None:
    assert label(state(1), state(2)) == "auto"
    assert label(state(2), state(1)) == label(state(1, "same"), state(2, "same")) == "none"
    assert label(state(1, standing="draft"), state(2, standing="approved")) == "auto"
    assert label(state(1, standing="approved"), state(2)) == "review"
    assert label(state(1), state(2, standing="draft")) == "review"
    assert label(state(1, lane=""), state(2, lane="")) == label(state(1), state(2, lane="rev")) == "review"
    assert label(state(1, "long text"), state(2, "text")) == "review"
    assert label(state(1, clock=LATE), state(2, clock=EARLY)) == "review"


def test_generated_folders_are_the_same_every_time_and_mostly_judged_right() -> None:
    (folder,) = folders(1)
    assert [folder] == list(folders(1))
    assert len({made.name for made in folder.documents}) == len(folder.documents) > 20
    seen = Folders()
    judge_folder(folder, seen)
    assert seen.all().documents == len(folder.documents)
    assert seen.all().automatic > seen.all().wrong


def test_the_bound_without_a_wrong_one_is_about_three_in_the_number_of_decisions() -> None:
    assert upper_bound(0, 600) == pytest.approx(3 / 600, rel=0.01)
    assert upper_bound(5, 600) > upper_bound(0, 600) > upper_bound(0, 6000)

"""What `saero search` and `saero status` print for a person."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from quick_corpus import refreshed_corpus
from quick_saero import QuickEncoder

from saero.cli import main

Say = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return refreshed_corpus(tmp_path_factory)


@pytest.fixture
def say(corpus: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Say:
    """Call a command; returns its exit code and what it printed."""
    monkeypatch.setattr("resources.encoder.QueryEncoder", QuickEncoder)

    def call(*args: str, at: Path = corpus) -> tuple[int, str, str]:
        code = 0
        try:
            main(["--config", str(at / "saero.toml"), *args])
        except SystemExit as ended:
            code = int(ended.code or 0)
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return call


def test_doubt_stands_above_the_passages(say: Say) -> None:
    _, shown, _ = say("search", "휴가 며칠 전", "--mode", "text")
    assert shown.startswith("확실한 답은 없습니다. 아래는 참고입니다.\n1. 규정/휴가.md  참고")
    assert say("search", "결제 API의 읽기 타임아웃은 30초입니다", "--mode", "text")[1].startswith(
        "1. 제안서/결제.md  확실"
    )


def test_a_past_version_is_found_by_its_name(say: Say) -> None:
    assert "기획서_v1.md" not in say("search", "기획서 v1")[1]
    _, shown, _ = say("search", "기획서 v1", "--include", "superseded", "--mode", "text")
    assert shown.startswith("내용에는 답이 없습니다. 아래는 이름이 맞는 문서입니다.\n1. 제안서/기획서_v1.md")


def test_one_line_is_cited_as_one(say: Say) -> None:
    _, shown, _ = say("search", "결제 API의 읽기 타임아웃은 30초입니다")
    assert "  5줄\n" in shown


def test_an_option_behind_two_dashes_is_named(say: Say) -> None:
    code, _, error = say("search", "--", "휴가", "--top-k", "3")
    assert code == 2 and "options go before it" in error
    code, _, error = say("search", "휴가", "--topk", "3")
    assert code == 2 and "Did you mean '--top-k'?" in error


def test_a_question_that_is_cut_says_so(say: Say) -> None:
    assert "2,000자만" in say("search", "휴가 규정 " * 400)[2]
    assert "2,000자만" not in say("search", "휴가 규정")[2]


def test_status_tells_of_the_sources_beside_a_damaged_index(say: Say, corpus: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(corpus, home)
    (home / ".saero/index/published.json").write_text("{", encoding="utf-8")
    code, shown, error = say("status", at=home)
    assert code == 1 and "제안서" in shown and "saero refresh" in error
    assert say("search", "휴가", at=home)[0] == 1

"""saero report: one page for people, from what the last run left."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from quick_corpus import quick_corpus, refreshed_corpus

from pipelines.report import Section, markdown, page
from saero.cli import main

Say = Callable[..., tuple[int, str, str]]
SHAPE = {
    "at", "days", "stale_reasons", "index", "sources", "canaries", "findings", "review", "replaced", "runs",
}  # fmt: skip


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return refreshed_corpus(tmp_path_factory)


@pytest.fixture
def say(corpus: Path, capsys: pytest.CaptureFixture[str]) -> Say:
    """Call the command; returns its exit code and what it printed."""

    def call(*args: str, at: Path = corpus) -> tuple[int, str, str]:
        code = 0
        try:
            main(["--config", str(at / "saero.toml"), "report", *args])
        except SystemExit as ended:
            code = int(ended.code or 0)
        shown = capsys.readouterr()
        return code, shown.out, shown.err

    return call


def told(say: Say, *args: str, **where: Any) -> dict[str, Any]:
    code, shown, error = say(*args, "--json", **where)
    assert code == 0, error
    report: dict[str, Any] = json.loads(shown)
    assert set(report) == SHAPE
    return report


def test_everything_of_the_corpus_stands_on_one_page(say: Say) -> None:
    code, shown, _ = say()
    assert code == 0 and shown.startswith("# 문서 최신 상태 보고 (")
    for part in ("## 한눈에", "## 문서폴더", "## 점검 질문", "## 확인할 것", "## 새 버전으로 대체됨", "## 갱신"):
        assert f"\n{part}" in shown
    assert "| 제안서/기획서\\_v1.md | 제안서/기획서\\_v2.md |" in shown
    assert "| 검색에서 빠진 파일 | 규정/깨진.docx |" in shown
    assert "    saero alerts\n" in shown


def test_json_tells_the_same(say: Say) -> None:
    report = told(say)
    assert {row["name"]: row["documents"].get("live") for row in report["sources"]} == {"제안서": 2, "규정": 2}
    assert sum(report["canaries"]["states"].values()) == 2 and report["canaries"]["answered"] == 2
    assert {(row["kind"], row["path"]) for row in report["findings"]} >= {("unsearched", "깨진.docx")}
    (run,) = report["runs"]
    assert run["outcome"] == "success" and run["published"] and run["documents"]["new"] == 8
    assert (run["asked"], run["answered"]) == (2, 2)
    assert [row["older_path"] for row in report["replaced"]] == ["기획서_v1.md"]


def test_an_owner_hears_of_their_own(say: Say) -> None:
    report = told(say, "--owner", "PM@example.com")
    assert [row["name"] for row in report["sources"]] == ["제안서"] and report["review"] is None
    assert all(row["source"] == "제안서" for row in report["findings"])
    assert sum(report["canaries"]["states"].values()) == 1
    assert [row["name"] for row in told(say, "--source", "규정")["sources"]] == ["규정"]


def test_who_and_what_is_unknown_is_refused(say: Say) -> None:
    code, _, error = say("--owner", "nobody@example.com")
    assert code == 2 and "the owners are: pm@example.com" in error
    code, _, error = say("--source", "없는폴더")
    assert code == 2 and "the sources are: " in error
    assert say("--days", "0")[0] == say("--html", "a.html", "--json")[0] == 2


def test_a_page_loads_nothing_from_elsewhere(say: Say, tmp_path: Path) -> None:
    file = tmp_path / "보고.html"
    code, shown, _ = say("--html", str(file))
    text = file.read_text(encoding="utf-8")
    assert code == 0 and str(file) in shown
    assert text.startswith("<!DOCTYPE html>") and 'lang="ko"' in text and "<td>제안서/기획서_v1.md</td>" in text
    assert not any(mark in text for mark in ("<script", "src=", "href=", "url(", "@import"))


def test_before_the_first_refresh(say: Say, tmp_path: Path) -> None:
    home = quick_corpus(tmp_path / "new")
    code, shown, _ = say(at=home)
    assert code == 0 and "아직 반영된 색인이 없습니다." in shown and "갱신한 적이 없습니다." in shown
    report = told(say, at=home)
    assert report["runs"] == report["findings"] == [] and report["canaries"]["answered"] == 0


def test_a_damaged_index_is_told(say: Say, corpus: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    shutil.copytree(corpus, home)
    (home / ".saero/index/published.json").write_text("{", encoding="utf-8")
    settings = (home / "saero.toml").read_text(encoding="utf-8")
    (home / "saero.toml").write_text(f'language = "en"\n{settings}', encoding="utf-8")
    code, shown, _ = say(at=home)
    assert code == 0 and "The index is damaged: " in shown and "## Sources" in shown and "한눈에" not in shown


HOSTILE = "a|b`c*[d](javascript:e)<img src=x onerror=f>\x1b[31m\u202e\n# g.md"


def test_names_show_as_they_are_in_markdown() -> None:
    text = markdown("보고", [Section("확인", head=("문서",), rows=((HOSTILE,),))])
    row = text.splitlines()[-1]
    assert row.startswith("| a\\|b\\`c\\*\\[d\\](javascript:e)\\<img src=x onerror=f\\>") and row.endswith(" |")
    assert len(text.splitlines()) == 7 and "\x1b" not in text and "\u202e" not in text


def test_names_show_as_they_are_on_a_page() -> None:
    class Tags(HTMLParser):
        def __init__(self) -> None:
            super().__init__()
            self.seen: list[str] = []
            self.words: list[str] = []

        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            self.seen.append(tag)

        def handle_data(self, data: str) -> None:
            self.words.append(data)

    read = Tags()
    read.feed(page("보고", [Section(HOSTILE, (HOSTILE,), ("문서",), ((HOSTILE,),), (HOSTILE,))], "ko"))
    assert "img" not in read.seen and "script" not in read.seen
    assert len([word for word in read.words if "<img src=x onerror=f>" in word]) == 4

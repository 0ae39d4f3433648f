"""saero compare and fingerprint: two files, or one, on disk, without settings."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from fakes import InlinePool
from office_makers import make_docx, make_pdf, make_scan_pdf
from plain_grams import jaccard, shingles5
from team import markdown, prose
from test_cli_shapes import MAYBE_TEXT, NUMBER, Counts, Maybe, OneOf, misfits
from test_duplicates import example

from pipelines.errors import SkipDocument
from pipelines.records import Block
from saero.cli import saero

CLOCK = {"modified_at": MAYBE_TEXT, "clock": MAYBE_TEXT}
COMPARE = {
    "exact_equal": bool,
    "near_score": NUMBER,
    "jaccard": NUMBER,
    "containment_a_in_b": NUMBER,
    "containment_b_in_a": NUMBER,
    "verdict": OneOf("exact", "near", "contains", "different"),
    "container": Maybe(OneOf("a", "b")),
    "clocks": {"a": CLOCK, "b": CLOCK},
    "extras": {"a": Counts(), "b": Counts()},
    "changes": [{"a": str, "b": str}],
}
FINGERPRINT = {
    "path": str,
    "format": MAYBE_TEXT,
    "chars": int,
    "body_hash": str,
    "modified": str,
    "clock": str,
    "sketch_version": str,
}
PLAN = prose("plan", 6)
WHEN = datetime(2026, 5, 1, tzinfo=UTC)


@pytest.fixture
def read_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Read in this process, where what is tested is what the figures say; the other tests start processes."""
    monkeypatch.setattr("resources.folder.WorkerPool", lambda _, limits: InlinePool(limits))


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def call(*args: object) -> Result:
    return CliRunner().invoke(saero, [str(arg) for arg in args])


def said(*args: object, shape: Any = COMPARE) -> dict[str, Any]:
    result = call(*args, "--json")
    assert result.exit_code == 0, result.output
    report: dict[str, Any] = json.loads(result.stdout)
    assert misfits(report, shape) == []
    return report


def write(name: str, content: str | bytes) -> Path:
    path = Path(name)
    path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
    return path


def test_a_changed_word_is_near_and_every_figure_exact() -> None:
    old, new = " ".join(PLAN), " ".join(PLAN).replace("3", "4", 1)
    a = write("a.txt", old)
    b = write("b.txt", new)
    report = said("compare", a, b)
    first, second = shingles5(old), shingles5(new)
    assert report["verdict"] == "near" and report["container"] is None
    assert report["jaccard"] == pytest.approx(jaccard(first, second), abs=1e-12)
    assert report["containment_a_in_b"] == pytest.approx(len(first & second) / len(first), abs=1e-12)
    assert report["containment_b_in_a"] == pytest.approx(len(first & second) / len(second), abs=1e-12)
    assert abs(report["near_score"] - report["jaccard"]) < 0.1


@pytest.mark.usefixtures("read_here")
def test_an_extract_is_contained_and_the_container_named_either_way_round() -> None:
    part, whole = write("part.md", markdown(PLAN[:4])), write("whole.md", markdown(PLAN))
    assert {key: said("compare", part, whole)[key] for key in ("verdict", "container")} == {
        "verdict": "contains",
        "container": "b",
    }
    assert said("compare", whole, part)["container"] == "a"


def test_the_same_text_in_another_format_is_exact_and_what_one_lacks_is_named() -> None:
    blocks = [Block("paragraph", text) for text in PLAN]
    a = write("a.docx", make_docx(blocks, modified=WHEN))
    b = write("b.md", "<!-- 확인 -->\n\n" + markdown(PLAN))
    report = said("compare", a, b)
    assert report["exact_equal"] and report["verdict"] == "exact" and report["jaccard"] == 1.0
    assert report["clocks"]["a"] == {"modified_at": "2026-05-01T00:00:00+00:00", "clock": "ooxml:modified"}
    assert report["clocks"]["b"]["clock"] == "mtime"
    assert report["extras"] == {"a": {}, "b": {"comment": 1}}
    shown = call("compare", a, b).stdout
    assert "본문 동일" in shown and "본문만 같음" in shown and "메모: B 1; 없음: A" in shown


@pytest.mark.usefixtures("read_here")
def test_changed_words_are_shown_and_texts_below_the_bar_are_said_to_be_alike() -> None:
    a = write("a.md", markdown([*PLAN, "한도는 3천만원 이다."]))
    b = write("b.md", markdown([*PLAN, "한도는 5천만원 이다."]))
    assert said("compare", a, b)["changes"] == [{"a": "3천만원", "b": "5천만원"}]
    assert "3천만원 → 5천만원" in call("compare", a, b).stdout
    c = write("c.md", markdown([*PLAN[:3], *prose("other", 2)]))
    shown = call("compare", a, c).stdout
    assert "비슷하지만 기준 미만 (기준 0.90)" in shown and said("compare", a, c)["verdict"] == "different"


@pytest.mark.parametrize("command", ["compare", "fingerprint"])
def test_a_device_is_not_a_regular_file(command: str) -> None:
    result = call(command, *["/dev/null"] * (2 if command == "compare" else 1))
    assert "not a regular file" in str(result.exception) and "any more" not in str(result.exception)


def test_texts_that_have_nothing_in_common_are_different() -> None:
    report = said("compare", write("a.txt", "결제 승인 기준"), write("b.txt", "quarterly sales report"))
    assert (report["verdict"], report["jaccard"], report["container"]) == ("different", 0.0, None)


def test_scans_are_compared_by_their_bytes() -> None:
    one, two, three = (write(f"{n}.pdf", make_scan_pdf(pages)) for n, pages in enumerate((1, 1, 2)))
    assert said("compare", one, two)["verdict"] == "exact"
    report = said("compare", one, three)
    assert (report["verdict"], report["jaccard"], report["near_score"]) == ("different", 0.0, 0.0)
    assert "needs_ocr" in call("compare", one, three).stdout


@pytest.mark.usefixtures("read_here")
def test_a_file_with_itself_and_through_a_link() -> None:
    a = write("a.txt", "결제 승인 기준")
    Path("link.txt").symlink_to(a.resolve())
    assert said("compare", a, a)["verdict"] == "exact"
    assert "파일 전체가 같습니다" in call("compare", a, "link.txt").stdout


def test_a_file_that_cannot_be_read_ends_with_one_and_says_why() -> None:
    broken = write("깨진.docx", b"PK\x03\x04 no document")
    for args in (("compare", write("a.txt", "글"), broken), ("fingerprint", broken)):
        result = call(*args)
        assert result.exit_code == 1 and isinstance(result.exception, SkipDocument)
        assert "깨진.docx: damaged" in str(result.exception)


def test_a_file_that_is_not_there_is_a_wrong_call() -> None:
    assert call("compare", write("a.txt", "글"), "none.txt").exit_code == 2
    assert call("fingerprint", ".").exit_code == 2


def test_equal_texts_have_equal_fingerprints_whatever_the_format() -> None:
    blocks = [Block("paragraph", text) for text in PLAN]
    files = [write("a.docx", make_docx(blocks, modified=WHEN)), write("b.pdf", make_pdf(blocks, modified=WHEN))]
    found = [said("fingerprint", file, shape=FINGERPRINT) for file in files]
    assert [one["format"] for one in found] == ["docx", "pdf"] and found[0]["clock"] == "ooxml:modified"
    assert len({(one["body_hash"], one["chars"], one["modified"]) for one in found}) == 1
    assert found[0]["chars"] == len("".join(PLAN).replace(" ", ""))
    shown = call("fingerprint", files[0]).stdout
    assert found[0]["body_hash"] in shown and "(문서 안 시각 ooxml:modified)" in shown
    assert "(파일 시각)" in call("fingerprint", write("c.txt", "글")).stdout


def test_the_documented_examples_have_the_shapes_of_the_commands() -> None:
    assert misfits(example("compare"), COMPARE) == [] and misfits(example("fingerprint"), FINGERPRINT) == []


@pytest.mark.usefixtures("read_here")
def test_a_name_that_would_act_on_a_terminal_is_shown_harmless() -> None:
    odd = write("a\x1b[2J.txt", "글")
    for args in (("fingerprint", odd), ("compare", odd, odd)):
        assert "\x1b" not in call(*args).stdout
    refused = call("fingerprint", write("b\x1b[2J.docx", b"PK\x03\x04 no document"))
    assert "b?[2J.docx: damaged" in str(refused.exception)

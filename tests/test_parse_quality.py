"""The parts of benchmarks/parse_quality.py that need no case files: how text is compared and how rows are judged."""

from __future__ import annotations

import random
import sys
import zipfile
from pathlib import Path

import pdfplumber
import pytest

sys.path[:0] = [str(Path(__file__).resolve().parent.parent / "benchmarks")]

from parse_child import answer  # noqa: E402
from parse_cost import seconds_per_mb, times, write_pages  # noqa: E402
from parse_encodings import ENCODINGS, prose  # noqa: E402
from parse_readers import OURS, PEER_READERS, NotStarted, Reader, Reading, install, read_files  # noqa: E402
from parse_table import Row, Score, count_score, mean_row, table, verdict  # noqa: E402
from parse_truth import (  # noqa: E402
    all_words,
    case_files,
    hangul_words,
    pairs,
    preview_share,
    preview_tokens,
    source_text,
    squeezed_text,
)

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
MC = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'


def zipped(path: Path, **parts: str) -> Path:
    with zipfile.ZipFile(path, "w") as package:
        for name, text in parts.items():
            package.writestr(name, text)
    return path


def row(ours: float, peer: float, **facts: object) -> Row:
    scores = {"ours": Score(ours, str(ours)), "kreuzberg": Score(peer, str(peer))}
    return Row("a row", scores, **facts)  # type: ignore[arg-type]


def test_marks_of_markdown_and_html_dont_count_as_text() -> None:
    assert squeezed_text("| **총\\*칙**<br>제<sup>1</sup>조 | A&amp;B |") == "총칙제1조A&B"
    assert squeezed_text("<표 1> 예산") == squeezed_text("표 1 예산")


def test_a_reference_that_was_left_undecoded_is_no_text() -> None:
    assert squeezed_text("&#44428;한") != "권한"
    assert "권" not in squeezed_text("&amp;#44428;한")


def test_old_hangul_counts_in_either_spelling() -> None:
    assert squeezed_text("\uf53a글") == squeezed_text("ᄒᆞᆫ글")


def test_words_in_two_cells_stay_apart_and_an_emphasised_syllable_doesnt() -> None:
    assert all_words("<td>계약</td><td>금액</td> **부**가세") == {"계약", "금액", "부가세"}
    assert hangul_words("계약금액 100원 3층 <b>부</b>가세") == {"계약금액", "부가세"}


def test_the_preview_is_read_without_its_cell_marks(tmp_path: Path) -> None:
    path = zipped(tmp_path / "가.hwpx", **{"Preview/PrvText.txt": "총칙\r\n<이름><담당 부서>"})
    assert preview_tokens(path) == ["총칙", "이름", "담당", "부서"]
    assert preview_share(preview_tokens(path), "# 총칙\n\n| 이름 | 담당부서 |") == 1.0
    assert preview_share(preview_tokens(path), "# 총칙\n\n| 이름 |") == 0.5


def test_a_document_with_a_password_is_not_asked_for_its_preview(tmp_path: Path) -> None:
    parts = {"Preview/PrvText.txt": "총칙", "META-INF/manifest.xml": "<odf:encryption-data/>"}
    assert preview_tokens(zipped(tmp_path / "가.hwpx", **parts)) == []


def test_text_that_no_reader_sees_is_no_source_text(tmp_path: Path) -> None:
    seen = "<w:r><w:t>마감일은 </w:t></w:r><w:ins><w:r><w:t>3월</w:t></w:r></w:ins>"
    deleted = "<w:del><w:r><w:delText>2월</w:delText></w:r></w:del><w:moveFrom><w:r><w:t>간 글</w:t></w:r></w:moveFrom>"
    hidden = "<w:r><w:rPr><w:vanish/></w:rPr><w:t>숨은 글</w:t></w:r>"
    shown = '<w:r><w:rPr><w:vanish w:val="0"/></w:rPr><w:t>이다.</w:t></w:r>'
    box = "<w:txbxContent><w:p><w:r><w:t>상자</w:t></w:r></w:p></w:txbxContent>"
    twice = f"<mc:Choice>{box}</mc:Choice><mc:Fallback>{box}</mc:Fallback>"
    drawn = f"<w:r><mc:AlternateContent>{twice}</mc:AlternateContent></w:r>"
    body = f"<w:p>{seen}{deleted}{hidden}{shown}{drawn}</w:p>"
    path = zipped(tmp_path / "가.docx", **{"word/document.xml": f"<w:document {W} {MC}>{body}</w:document>"})
    assert source_text(path).splitlines() == ["마감일은 3월이다.", "상자"]


def test_hostile_files_and_sidecars_are_no_case_files(tmp_path: Path) -> None:
    for name in ("formats/txt/가.txt", "formats/bugs/나.expected.txt", "formats/bad/다.txt", "hwp/라.hwp"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(b"")
    assert [path.name for path in case_files(tmp_path, "txt")] == ["가.txt"]
    assert [path.name for path in case_files(tmp_path, "hwp")] == ["라.hwp"]


def test_only_files_of_one_stem_and_both_suffixes_are_a_pair() -> None:
    files = [Path("a/가.hwpx"), Path("a/가.hwp"), Path("a/나.hwp"), Path("a/다.1.hwp"), Path("a/다.2.hwpx")]
    assert pairs(files, (".hwp", ".hwpx")) == [(Path("a/가.hwp"), Path("a/가.hwpx"))]


def test_a_sample_is_as_long_as_asked_and_fits_every_encoding_but_not_ks_x_1001() -> None:
    for n_chars in (20, 200, 2000):
        text = prose(random.Random("가"), n_chars)
        assert (len(text), text) == (n_chars, prose(random.Random("가"), n_chars))
        assert all(text.encode(encoding).decode(encoding) == text for encoding in ENCODINGS)
        # Python's euc-kr spells such a syllable out in four pieces of two bytes.
        assert any(len(letter.encode("euc-kr")) == 8 for letter in text)


def test_the_row_names_the_bar_that_is_missed_and_the_peer_that_is_better() -> None:
    assert verdict(row(0.98, 0.985, bar=0.99)) == "MISSED; better: kreuzberg"
    assert verdict(row(0.995, 0.985, bar=0.99)) == "ok"
    assert verdict(row(0.2, 0.1, bar=0.25, lower_is_better=True)) == "ok; better: kreuzberg"
    assert verdict(row(1.0, 1.0)) == ""


def test_a_share_just_below_its_bar_isnt_shown_as_reaching_it() -> None:
    assert mean_row("a row", {"ours": [0.9899]}).scores["ours"].shown == "0.989"


def test_the_table_marks_the_best_and_leaves_out_who_doesnt_read_the_format() -> None:
    rows = [Row("pairs", {"ours": count_score(9, 9), "kreuzberg": count_score(7, 9)}, 1.0, "all")]
    drawn = table(rows, (OURS, *PEER_READERS[:2])).splitlines()[-1]
    assert drawn.split() == ["pairs", "9/9*", "7/9", "-", "all", "ok"]


def test_a_long_cell_takes_the_blanks_of_its_row_and_the_others_stay_in_their_columns() -> None:
    rows = [
        Row("found", {"ours": Score(1.0, "27/27 (3 of them apart)"), "kreuzberg": Score(0.9, "23/27")}),
        Row("a row with a name that is long", {"ours": count_score(9, 9), "kreuzberg": count_score(7, 9)}),
    ]
    first, second = table(rows, (OURS, PEER_READERS[0])).splitlines()[-2:]
    assert " 27/27 (3 of them apart)* " in first
    assert first.index("*") == second.index("*")


def test_words_apart_from_the_body_count_by_what_they_say(tmp_path: Path) -> None:
    header = "".join(f"<w:p><w:r><w:t>{word}</w:t></w:r></w:p>" for word in ("대외비", "운영과"))
    types = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    space = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"'
    main = f'<Relationship Id="a" Type="{types}/officeDocument" Target="word/document.xml"/>'
    beside = f'<Relationship Id="b" Type="{types}/header" Target="header1.xml"/>'
    path = zipped(
        tmp_path / "가.docx",
        **{
            "_rels/.rels": f"<Relationships {space}>{main}</Relationships>",
            "word/_rels/document.xml.rels": f"<Relationships {space}>{beside}</Relationships>",
            "word/document.xml": f"<w:document {W}><w:body><w:p><w:r><w:t>본문</w:t></w:r></w:p></w:body></w:document>",
            "word/header1.xml": f"<w:hdr {W}>{header}</w:hdr>",
        },
    )
    (reading,) = read_files(Path(sys.executable), OURS, "docx", [path]).readings.values()
    assert (reading.text, reading.apart) == ("본문\n", "대외비\n운영과")


def test_what_was_refused_or_came_out_empty_isnt_cheap(tmp_path: Path) -> None:
    paths = [tmp_path / name for name in ("가.hwp", "나.hwp", "다.hwp")]
    for path in paths:
        path.write_bytes(bytes(1 << 20))
    readings = [Reading("글", 0.5), Reading("", 0.0), Reading("", 0.0, "Corrupt")]
    ours = dict(zip(paths, readings, strict=True))
    assert seconds_per_mb(ours) == 0.5
    assert times(ours, {path: Reading("글", 0.25) for path in paths}) == 2.0


def test_the_made_pdf_is_the_same_every_time(tmp_path: Path) -> None:
    one, other = (write_pages(tmp_path / name, 4).read_bytes() for name in ("가.pdf", "나.pdf"))
    assert one == other
    with pdfplumber.open(tmp_path / "가.pdf") as pdf:
        assert [len(page.find_tables()) for page in pdf.pages] == [1, 0, 0, 1]


def test_every_peer_is_pinned() -> None:
    assert all(reader.version for reader in PEER_READERS)


def test_what_a_tool_raises_is_its_answer(tmp_path: Path) -> None:
    def read(path: str) -> dict[str, object]:
        raise ValueError("not a document")

    assert answer(read, "가.hwp")["error"] == "ValueError: not a document"


def test_our_parsers_answer_from_a_process_of_their_own(tmp_path: Path) -> None:
    (tmp_path / "가.txt").write_text("제안요청서 마감일은 3월 31일이다.", encoding="utf-8")
    (tmp_path / "나.txt").write_bytes(b"")
    done = read_files(Path(sys.executable), OURS, "txt", [tmp_path / "가.txt", tmp_path / "나.txt"])
    good, bad = done.readings.values()
    assert (good.text, good.error) == ("제안요청서 마감일은 3월 31일이다.\n", "")
    assert bad.error.startswith("Empty: ")
    assert done.peak_mb >= done.idle_mb > 0


def test_a_tool_that_isnt_there_says_why() -> None:
    with pytest.raises(NotStarted, match="syhwp doesn't start for hwp: ModuleNotFoundError"):
        read_files(Path(sys.executable), Reader("syhwp", frozenset({"hwp"})), "hwp", [Path("가.hwp")])


def test_an_environment_that_stands_isnt_made_again(tmp_path: Path) -> None:
    peer = PEER_READERS[0]
    (tmp_path / peer.name).mkdir()
    (tmp_path / peer.name / "installed.txt").write_text(peer.requirements.read_text("utf-8"), encoding="utf-8")
    assert install(peer, tmp_path) == ""
    assert [path.name for path in (tmp_path / peer.name).iterdir()] == ["installed.txt"]

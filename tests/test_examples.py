"""The example corpus is what its generator writes, in every format, and small."""

from __future__ import annotations

import io
import itertools
import sys
import tomllib
import unicodedata
from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from plain_grams import containment, jaccard, shingles5

from pipelines.body import squeezed
from pipelines.body import words as words_of
from pipelines.errors import SkipDocument
from pipelines.parsers import FORMATS, detect, parse
from pipelines.records import Limits

PROJECT = Path(__file__).resolve().parent.parent
CORPUS = PROJECT / "examples" / "corpus"
MAX_BYTES = 5 * 1024 * 1024
sys.path[:0] = [str(PROJECT / "examples"), str(PROJECT / "benchmarks")]

import example_queries  # noqa: E402
import make_corpus  # noqa: E402

# What each of these is there for: the reader must say so, and nothing else may be refused.
REFUSED = {
    "공유자료/Supply_Agreement_scan.pdf": "needs_ocr",
    "공유자료/연봉조정안.hwp": "encrypted",
    "공유자료/분기보고_손상.docx": "damaged",
}
SAME_TEXT = (
    ("제안서/새벽상회_도입제안서.docx", "제안서/새벽상회_도입제안서.pdf"),
    ("정책/휴가규정.hwpx", "공유자료/휴가규정.pdf"),
    ("정책/정보보호정책.hwp", "공유자료/정보보호정책 - 사본.hwp"),
)
VALUES = {
    "제안서/기획서_v3.hwp": "2억 3,500만 원",
    "제안서/새벽상회_도입제안서.pdf": "386만 원",
    "제안서/서비스소개_2026.pptx": "312억 원",
    "제안서/가격표_2026.xlsx": "TM-350",
    "제안서/지역별_가맹점_2025.xls": "제주",
    "회의록/주간/주간회의_2026-10-26.hwpx": "21분",
    "회의록/주간/주간회의_2026-10-19.md": "432곳",
    "정책/계정관리_지침.txt": "90일 동안 로그인하지 않은 계정",
    "정책/구내식당_이용수칙.hml": "5,500원",
    "정책/재택근무_운영안내.html": "2만 5천 원",
    "개발/서버목록.csv": "cs-voice-01",
    "개발/오류코드.csv": "ERR-5007",
    "메일/2026-10-21_정산금액_문의.eml": "48,300원",
    "메일/2026-11-12_Terminal_Newsletter.eml": "KRW 60,000",
    "개발/위키_알림등급.mhtml": "20분",
    "회의록/월마감_점검회의.ics": "7층 회의실 은하",
}


def files() -> dict[str, Path]:
    """Return NFC name below the corpus -> path on disk."""
    found = sorted(path for path in CORPUS.rglob("*") if path.is_file())
    return {unicodedata.normalize("NFC", path.relative_to(CORPUS).as_posix()): path for path in found}


def words(blocks: object) -> str:
    """Return every string in the blocks, joined."""
    return repr(blocks)


def test_corpus_holds_at_least_forty_files_in_four_folders_and_stays_small() -> None:
    found = files()
    assert len(found) >= 40
    assert len({name.partition("/")[0] for name in found}) >= 4
    assert sum(path.stat().st_size for path in found.values()) < MAX_BYTES


def test_corpus_holds_every_format_by_its_bytes() -> None:
    formats: Counter[str] = Counter()
    for path in files().values():
        with path.open("rb") as file:
            try:
                formats[detect(file, path.name)] += 1
            except SkipDocument:
                formats["refused"] += 1
    assert set(FORMATS) <= set(formats)


def test_corpus_on_disk_is_what_the_generator_lists() -> None:
    assert set(files()) == {document.path for document in make_corpus.DOCUMENTS}


def test_names_from_a_mac_are_decomposed_on_disk() -> None:
    marked = {document.path for document in make_corpus.DOCUMENTS if document.variant == "nfd"}
    decomposed = {name for name, path in files().items() if not unicodedata.is_normalized("NFC", path.name)}
    assert marked
    assert decomposed == marked


def test_generator_makes_the_same_bytes_twice_in_every_format() -> None:
    one_each = {(document.suffix, document.variant): document for document in make_corpus.DOCUMENTS}
    for document in one_each.values():
        assert make_corpus.make(document) == make_corpus.make(document), document.path


@pytest.mark.parametrize("document", make_corpus.DOCUMENTS, ids=lambda document: document.path)
def test_generator_reproduces_the_text_of_the_file(document: make_corpus.Document) -> None:
    committed, made = files()[document.path].read_bytes(), make_corpus.make(document)
    name = document.path.rpartition("/")[2]
    if document.path in REFUSED:
        for data in (committed, made):
            with pytest.raises(SkipDocument) as refusal:
                parse(io.BytesIO(data), name, Limits())
            assert refusal.value.category == REFUSED[document.path]
        return
    old, new = (parse(io.BytesIO(data), name, Limits()) for data in (committed, made))
    assert old.blocks == new.blocks
    assert old.modified_at == new.modified_at
    assert VALUES.get(document.path, "") in words(old.blocks)


@pytest.mark.parametrize(("first", "second"), SAME_TEXT)
def test_one_text_in_two_formats_is_one_body(first: str, second: str) -> None:
    texts = []
    for name in (first, second):
        with files()[name].open("rb") as file:
            texts.append(squeezed(parse(file, name.rpartition("/")[2], Limits()).blocks))
    assert texts[0] == texts[1] != ""


def test_every_expected_document_of_canaries_and_questions_exists() -> None:
    settings = tomllib.loads((PROJECT / "saero.toml").read_text(encoding="utf-8"))
    named = {canary["expect_path"] for canary in settings["canaries"] if "expect_path" in canary}
    named |= {path for question in example_queries.read_questions() for path in question.expected}
    assert {path.partition("!/")[0] for path in named} <= set(files())


def test_every_expected_value_of_a_canary_stands_in_its_document() -> None:
    settings = tomllib.loads((PROJECT / "saero.toml").read_text(encoding="utf-8"))
    pinned = [canary for canary in settings["canaries"] if "expect_text" in canary]
    assert len(settings["canaries"]) >= 12
    for canary in pinned:
        name = canary["expect_path"]
        with files()[name].open("rb") as file:
            parsed = parse(file, name.rpartition("/")[2], Limits())
        assert canary["expect_text"] in words(parsed.blocks), canary["query"]


def test_questions_cover_every_kind_and_some_have_no_answer() -> None:
    questions = example_queries.read_questions()
    kinds = Counter(question.kind for question in questions)
    wanted = {"paraphrase", "identifier", "table", "english_to_korean", "mail", "sheet", "attachment", "version"}
    assert wanted <= set(kinds)
    assert sum(bool(question.expected) for question in questions) >= 25
    assert sum(not question.expected for question in questions) >= 3
    assert len({question.query for question in questions}) == len(questions)


def test_a_copy_named_beside_the_hit_counts_as_the_expected_document() -> None:
    question = example_queries.Question("연차", "paraphrase", ("공유자료/휴가규정.pdf",))
    other = {"source": "개발", "path": "WBS.xlsx", "score": 0.9, "also_in": []}
    hit = {
        "source": "정책",
        "path": "휴가규정.hwpx",
        "score": 0.8,
        "also_in": [{"source": "공유자료", "path": "휴가규정.pdf"}],
    }
    answer = example_queries.judge(question, {"answerable": True, "results": [other, hit]})
    assert (answer.rank, answer.right, answer.top) == (2, False, "개발/WBS.xlsx")


def test_bars_fall_when_one_unanswerable_question_is_answered() -> None:
    known = example_queries.Answer(example_queries.Question("q", "table", ("a/b",)), True, 1, 0.9, "a/b")
    refused = example_queries.Answer(example_queries.Question("r", "unanswerable", ()), False, None, 0.0, "")
    answered = example_queries.Answer(example_queries.Question("s", "unanswerable", ()), True, None, 0.8, "a/b")
    assert example_queries.passed(example_queries.figures([known, refused]))
    assert not example_queries.passed(example_queries.figures([known, refused, answered]))


def test_only_the_documents_that_are_meant_to_look_alike() -> None:
    bodies = {name: shingles5(text) for name, text in texts().items()}
    alike = {
        frozenset(pair)
        for pair in itertools.combinations(bodies, 2)
        if jaccard(bodies[pair[0]], bodies[pair[1]]) > 0.15 or containment_of_smaller(bodies, *pair) > 0.3
    }
    plans = [f"제안서/기획서_v{number}.hwp" for number in (1, 2, 3)]
    meant = [*itertools.combinations(plans, 2), ("제안서/제안서_초안.docx", "제안서/제안서_최종.docx"), *SAME_TEXT]
    assert alike == {frozenset(pair) for pair in meant}


def test_draft_is_contained_in_its_extension_and_old_plans_are_close_to_new_ones() -> None:
    bodies = {name: shingles5(text) for name, text in texts().items()}
    assert containment_of_smaller(bodies, "제안서/제안서_초안.docx", "제안서/제안서_최종.docx") >= 0.96
    for older, newer in (
        ("제안서/기획서_v1.hwp", "제안서/기획서_v2.hwp"),
        ("제안서/기획서_v2.hwp", "제안서/기획서_v3.hwp"),
    ):
        assert 0.6 <= jaccard(bodies[older], bodies[newer]) < 0.9


@cache
def texts() -> dict[str, str]:
    """Return the body text of every document that can be read."""
    found = {}
    for name, path in files().items():
        if name not in REFUSED:
            with path.open("rb") as file:
                blocks = parse(file, name.rpartition("/")[2], Limits()).blocks
            found[name] = " ".join(words_of(block) for block in blocks if block.in_body)
    return found


def containment_of_smaller(bodies: dict[str, frozenset[str]], first: str, second: str) -> float:
    """Return the part of the smaller body that is in the larger."""
    small, large = sorted((bodies[first], bodies[second]), key=len)
    return containment(small, large)

"""Tokens of the full-text column and of queries."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from pipelines.tokens import TOKENS_VERSION, learn, query_codes, query_terms, tokens, tokens_version


def test_particles_and_endings_are_left_out() -> None:
    assert tokens("결제 대기 시간은 설정되어 있다") == "결제 대기 시간 설정"


@pytest.mark.parametrize(
    ("text", "identifier"),
    [
        ("API_v3 호출은 토큰을 담는다", "=api_v3"),
        ("접수번호 BR-2024-0137은 반려하였다.", "=br-2024-0137"),
        ("사업비는 총 1,234,567원으로 확정되었다.", "=1,234,567"),
        ("파일 권한은 0o444로 둔다", "=0o444"),
        ("위치는 /etc/dagster/dagster.yaml 이다", "=/etc/dagster/dagster.yaml"),
        ("문의는 (hong.gildong@example.go.kr)로", "=hong.gildong@example.go.kr"),
        ("도로점용은 제12조제3항을 따른다", "=제12조제3항을"),
        ("ＡＰＩ＿ｖ３ 안내", "=api_v3"),
    ],
)
def test_an_identifier_is_one_token(text: str, identifier: str) -> None:
    assert identifier in tokens(text).split(" ")


def test_a_query_finds_the_identifier_with_or_without_its_particle() -> None:
    assert "=0o444" in dict(query_terms("0o444")) and "=0o444" in dict(query_terms("0o444로"))


def test_decomposed_hangul_gives_the_same_tokens() -> None:
    text = "분기별 매출 보고서 v2"
    assert tokens(unicodedata.normalize("NFD", text)) == tokens(text)


def test_question_words_weigh_less_than_names() -> None:
    weights = dict(query_terms("결제 API 이름은 무엇인가"))
    assert weights["api"] == weights["=api"] == 1.0
    assert weights["무엇"] == weights["이름"] == 0.15
    assert weights["결제"] == 0.7


def test_a_code_weighs_as_a_whole() -> None:
    weights = dict(query_terms("PM-32은 담당자가 누구"))
    assert weights["=pm-32"] == 2.0
    assert weights["pm"] == weights["32"] == weights["=pm-32은"] == 0.15
    assert dict(query_terms("PM-32와 PM"))["pm"] == 1.0


@pytest.mark.parametrize(
    ("query", "codes"),
    [
        ("BR-2024-0137 건의 결과", {"br-2024-0137"}),
        ("API_v3과 dispute.opened", {"api_v3", "dispute.opened"}),
        ("hong.gildong@example.go.kr로", {"hong.gildong@example.go.kr"}),
        ("010-1234-5678, 123-45-67890, 10.20.30.40", {"010-1234-5678", "123-45-67890", "10.20.30.40"}),
        ("ＰＭ－３２", {"pm-32"}),
        ("사업비 1,234,567원, 3.5%, 21km, 2.43m", set()),
        ("2026-12-31, 2026.12.31, 2026년 2분기 제12조", set()),
        ("갤럭시 S8과 P2P", set()),
        ("trade-in and e.g. on-call, U.S.A", set()),
    ],
)
def test_a_code_names_one_thing_in_one_way(query: str, codes: set[str]) -> None:
    assert query_codes(query) == codes


def test_english_function_words_are_generic() -> None:
    weights = dict(query_terms("How many days of leave are paid?"))
    assert weights["of"] == weights["=how"] == 0.15
    assert weights["days"] == weights["=leave"] == 1.0
    assert dict(query_terms("IT team and WHO"))["it"] == dict(query_terms("IT team and WHO"))["=who"] == 1.0


def test_every_term_of_a_query_is_one_word_without_spaces() -> None:
    terms = [term for term, _ in query_terms("2026년 상반기 보고서, 보고서  v1.2.3 https://example.com/a?b=c 😀")]
    assert len(terms) == len(set(terms))
    assert all(term and not any(map(str.isspace, term)) for term in terms)


def test_text_without_words_has_no_tokens() -> None:
    assert tokens("") == "" and tokens(" …… — ") == "" and query_terms("?!") == []


def test_threads_share_one_analyser() -> None:
    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(tokens, ["보존 기한은 2026.12.31 까지"] * 16))) == 1


@pytest.fixture
def learned() -> Iterator[None]:
    learn(["새벽페이", " 두레온 "])
    yield
    learn(())


def test_learned_words_stay_whole_in_passage_and_query(learned: None) -> None:
    assert "새벽페이" in tokens("새벽페이의 수수료는 두레온보다 낮다").split()
    assert ("새벽페이", 1.0) in query_terms("새벽페이 수수료")


def test_learned_words_are_part_of_the_version(learned: None) -> None:
    with_words = tokens_version()
    assert with_words.startswith(TOKENS_VERSION) and with_words != TOKENS_VERSION
    learn(["두레온", "새벽페이"])
    assert tokens_version() == with_words
    learn(["두레온"])
    assert tokens_version() != with_words
    learn(())
    assert tokens_version() == TOKENS_VERSION

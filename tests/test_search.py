"""Ranking of candidates."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
import pytest

from pipelines.matching import Asked
from pipelines.score import E5_SMALL, TEXT
from pipelines.search import (
    SUPERSEDED_BY,
    Query,
    Ranking,
    Wanted,
    condition,
    contains_exactly,
    match_row,
    merge_pool,
    rank,
    score_pair,
)
from pipelines.tokens import query_terms, tokens, with_names

NOW = datetime(2026, 11, 30, tzinfo=UTC)
TERMS = [("결제", 0.7), ("대기", 0.7), ("=api_v3", 1.0)]


def row(
    name: str, cosine: float | None = 0.8, bm25: float | None = None, tokens: str = "", **other: Any
) -> dict[str, Any]:
    read = " ".join(token for token in reversed(tokens.split()) if token[0] != "=")  # never the question as written
    made: dict[str, Any] = {
        "chunk_id": name,
        "chunk_hash": f"hash of {name}",
        "body_hash": f"body of {name}",
        "text": f"본문 {name} {read}",
        "title": "",
        "heading": [],
        "tokens": tokens,
        "vector": None,
        "source": "개발",
        "path": f"{name}.md",
        "also_in": "[]",
        "flags": "[]",
        "expires_at": None,
        "cosine": cosine,
        "bm25": bm25,
    }
    return made | other


def ranked(rows: list[dict[str, Any]], text: str = "결제 대기", **wanted: Any) -> Ranking:
    return rank([(Query(text, TERMS), rows)], E5_SMALL, 100, NOW, Wanted(**wanted))


def names(ranking: Ranking) -> list[str]:
    return [result.row["chunk_id"] for result in ranking.results]


def good(name: str, cosine: float = 0.9, bm25: float = 10.0, **other: Any) -> dict[str, Any]:
    return row(name, cosine, bm25, "결제 대기 =api_v3", **other)


def test_cosine_and_words_are_both_weighed() -> None:
    rows = [row("near", 0.88, None), row("words", 0.80, 9.0, "결제 대기"), row("both", 0.88, 10.0, "결제 대기 =api_v3")]
    assert names(ranked(rows, weak_too=True)) == ["both", "words", "near"]


def test_the_exact_string_comes_first() -> None:
    rows = [good("better"), row("exact", 0.7, 1.0, text="호출은 API_v3을 쓴다")]
    first = ranked(rows, text="API_v3").results[0]
    assert first.row["chunk_id"] == "exact" and first.exact and first.score == 0.97


@pytest.mark.parametrize(
    ("query", "passage", "found"),
    [
        ("API_v3", "api_v31 은 시험용이다", False),
        ("API_v3", "(API_v3)는", True),
        ("0o444", "0o4440 과 0o44", False),
        ("1,234", "총 1,234,567원", False),
        ("1,234,567원", "총 1,234,567원으로", True),
        ("v2.5", "v2.5.2 에서", False),
        ("v2.5.2", "지금은 v2.5.2.", True),
        ("응답 대기  시간", "응답\n대기 시간은", True),
        ("ＡＰＩ", "api를", True),
        ("가", "가", False),
        ("  ", "가 나", False),
    ],
)
def test_exact_means_at_its_boundaries(query: str, passage: str, found: bool) -> None:
    assert contains_exactly(query, passage) is found


def test_the_top_three_begin_the_top_five() -> None:
    rows = [good(f"{n:02}", 0.85 + n / 1000, 5 + n % 7) for n in range(40)]
    assert names(ranked(rows, top_k=3)) == names(ranked(rows, top_k=5))[:3]


def test_equals_are_ordered_by_id() -> None:
    rows = [good("b"), good("a"), good("c")]
    assert names(ranked(rows)) == names(ranked(rows[::-1])) == ["a", "b", "c"]


def test_the_same_passage_shows_once_and_names_its_other_places() -> None:
    elsewhere = json.dumps([{"source": "공유", "path": "사본.md"}, {"source": "개발", "path": "a.md"}])
    (result,) = ranked([good("a", chunk_hash="h"), good("b", 0.89, chunk_hash="h", also_in=elsewhere)]).results
    assert result.row["chunk_id"] == "a"
    assert [place["path"] for place in result.also_in] == ["b.md", "사본.md"]


def test_expired_passages_are_left_out_at_query_time() -> None:
    rows = [good("old", expires_at=NOW), good("new", expires_at=NOW + timedelta(seconds=1))]
    assert names(ranked(rows)) == ["new"]
    assert names(ranked(rows, expired_too=True)) == ["new", "old"]


def test_conditional_passages_show_only_when_none_is_trusted() -> None:
    conditional = row("maybe", 0.86, 5.0, "대기 =api_v3")
    assert 0.3 <= score_pair(Query("결제 대기", TERMS), conditional, E5_SMALL) < 0.6
    assert names(ranked([good("sure"), conditional])) == ["sure"]
    alone = ranked([conditional])
    assert names(alone) == ["maybe"] and alone.only_conditional


def test_nothing_relevant_is_an_answer() -> None:
    weak = ranked([row("weak", 0.77, 1.0, "대기")])
    assert weak.results == () and not weak.answerable and 0 < weak.top_score < 0.3
    assert names(ranked([row("weak", 0.77, 1.0, "대기")], weak_too=True)) == ["weak"]
    assert ranked([]).answerable_probability == 0


def test_min_score_is_kept_and_nothing_shown_answers_nothing() -> None:
    assert ranked([good("a")]).answerable
    strict = ranked([good("a")], min_score=0.999)
    assert strict.results == () and not strict.answerable


def test_an_exact_string_answers_whatever_scores_above_it() -> None:
    others = [good(f"near{n}", 0.93, 12.0) for n in range(3)]
    crowd = [(Query("결제 대기", TERMS), others)]
    assert not rank(crowd, E5_SMALL, 10**11, NOW, Wanted()).answerable
    crowd[0][1].append(row("exact", 0.8, 12.0, "결제 대기", text="결제 대기"))
    both = rank(crowd, E5_SMALL, 10**11, NOW, Wanted())
    assert both.results[0].exact and both.results[0].score < both.top_score and both.answerable


def test_the_pair_score_does_not_depend_on_the_other_candidates() -> None:
    alone = ranked([good("a")]).results[0].score
    crowd = ranked([good("a"), *(good(f"x{n}", 0.91, 20) for n in range(30))], top_k=50)
    assert next(one.score for one in crowd.results if one.row["chunk_id"] == "a") == alone
    assert score_pair(Query("결제 대기", TERMS), good("a"), E5_SMALL) == alone


def test_text_mode_says_no_cosine_and_names_its_calibration() -> None:
    ranking = ranked([good("a")], mode="text")
    assert ranking.calibration == TEXT.id and ranking.results[0].cosine is None
    assert ranked([good("a")]).calibration == E5_SMALL.id


ENGLISH = "How many days of sick leave are paid?"
ENGLISH_TERMS = [("days", 1.0), ("sick", 1.0), ("leave", 1.0), ("paid", 1.0)]


def asked_in_english(rows: list[dict[str, Any]], **wanted: Any) -> Ranking:
    return rank([(Query(ENGLISH, ENGLISH_TERMS), rows)], E5_SMALL, 100, NOW, Wanted(**wanted))


def test_an_english_question_finds_a_korean_passage_without_a_common_word() -> None:
    korean = row("병가", 0.83, None, "병가 유급 일", text="병가는 한 해에 10일까지 유급으로 쓴다.")
    english = row("notice", 0.81, 9.0, "days leave notice", text="Either side may leave with ninety days of notice.")
    ranking = asked_in_english([english, korean])
    assert names(ranking) == ["병가"] and ranking.answerable
    alone = score_pair(
        Query(ENGLISH, ENGLISH_TERMS, np.array([1, 0], np.float32)),
        korean | {"cosine": None, "vector": np.array([0.83, 0.56], np.float32)},
        E5_SMALL,
    )
    assert ranking.results[0].score == pytest.approx(alone) == pytest.approx(E5_SMALL.pair_score(0.83, 0, foreign=True))


def test_an_english_passage_with_the_words_stays_before_a_korean_one() -> None:
    korean = row("병가", 0.83, None, "병가 유급 일", text="병가는 한 해에 10일까지 유급으로 쓴다.")
    english = row("sick", 0.90, 20.0, "ten days sick leave paid", text="Ten days of sick leave are paid.")
    assert names(asked_in_english([korean, english])) == ["sick", "병가"]


def test_an_unrelated_korean_passage_stays_hidden_from_an_english_question() -> None:
    assert asked_in_english([row("무관", 0.74, None, "주차", text="주차장은 지하 2층에 있다.")]).results == ()


def test_letters_hit_at_random_find_nothing_in_another_script() -> None:
    korean = row("병가", 0.83, None, "병가 유급 일", text="병가는 한 해에 10일까지 유급으로 쓴다.")
    mashed = Query("asdkjh qwpoeiu zxmnb", query_terms("asdkjh qwpoeiu zxmnb"), legible=False)
    ranking = rank([(mashed, [korean])], E5_SMALL, 100, NOW, Wanted())
    assert ranking.results == () and not ranking.answerable
    assert rank([(replace(mashed, legible=True), [korean])], E5_SMALL, 100, NOW, Wanted()).results


def test_amounts_and_days_are_found_in_another_notation() -> None:
    limits = row("한도", 0.85, 6.0, tokens("제주 숙박비 130,000원"), text="제주 숙박비는 130,000원이다.")
    plain = Query("제주 숙박비 13만원", query_terms("제주 숙박비 13만원"))
    query = Query.of("제주 숙박비 13만원")
    assert "=130,000원" in query.words.split() and "=13만원" in query.words.split()
    assert score_pair(query, limits, TEXT) > score_pair(plain, limits, TEXT)
    written = score_pair(Query.of("제주 숙박비 130,000원"), limits, TEXT)
    assert score_pair(query, limits, TEXT) == pytest.approx(min(written, score_pair(query, limits, TEXT)))


def test_a_question_without_other_notations_is_matched_once() -> None:
    assert Query.of("결제 대기 3일").others == ()


def test_a_document_is_found_by_its_name_when_no_text_answers() -> None:
    text = "카드 재발급이 잦다."
    plan = row("plan", 0.79, 3.0, with_names(tokens(text), tokens("제안서 기획서 v1")), text=text)
    more = row("more", 0.78, 2.0, with_names(tokens("요금"), tokens("제안서 기획서 v1")), text="요금", path="plan.md")
    other = row("other", 0.80, None, with_names(tokens("주차장"), tokens("제안서 기획서 v2")), text="주차장")
    for asked in ("기획서 v1", "기획서_v1.hwp"):
        ranking = rank([(Query.of(asked), [plan, more, other])], E5_SMALL, 100, NOW, Wanted())
        assert ranking.only_named and not ranking.answerable and names(ranking) == ["plan"]
    assert rank([(Query.of("기획서 v3"), [plan, other])], E5_SMALL, 100, NOW, Wanted()).results == ()
    assert rank([(Query.of("기획서 v1"), [plan])], E5_SMALL, 100, NOW, Wanted(min_score=0.5)).results == ()


def test_a_code_inside_a_question_lets_the_words_speak() -> None:
    text = "PM-32 담당자"
    table = row("actions", 0.787, 13.0, "pm 31 32 33 =pm-31 =pm-32 =pm-33", text="| PM-32 | Monitor | Dohyun Bae |")
    near = [
        row("longer", 0.84, 9.0, "pm 320 담당자 =pm-320", text="PM-320 담당자"),
        row("other", 0.84, 9.0, "pm 31 담당자 32 =pm-31 =32", text="PM-31 담당자는 32명"),
        row("apart", 0.84, 9.0, "pm 32 담당자 =pm =32", text="PM 회의의 담당자 32명"),
    ]
    ranking = rank([(Query(text, query_terms(text)), [*near, table])], E5_SMALL, 100, NOW, Wanted())
    assert names(ranking) == ["actions"] and ranking.results[0].tier == "trusted"
    assert rank([(Query(text, query_terms(text)), near)], E5_SMALL, 100, NOW, Wanted()).results == ()


def test_a_document_named_after_its_code_has_it() -> None:
    text = "PM-32 담당자"
    named = row("named", 0.88, 9.0, with_names("담당자 배도현", "pm 32 =pm-32"), text="담당자는 배도현이다.")
    query = Query(text, query_terms(text))
    covered = match_row(Asked(text, query.terms), named).coverage
    assert rank([(query, [named])], E5_SMALL, 100, NOW, Wanted(weak_too=True)).results[0].score == pytest.approx(
        E5_SMALL.pair_score(0.88, covered, codes=1.0)
    )
    assert covered == match_row(Asked(text, query.terms), named | {"tokens": "담당자 배도현"}).coverage


def test_words_of_a_name_order_but_do_not_score() -> None:
    rows = [row("a", 0.85, 9.0, "대기"), row("named", 0.85, 9.0, with_names("대기", "결제"), text="본문 a 대기")]
    first, second = ranked(rows, weak_too=True).results
    assert first.row["chunk_id"] == "named" and first.score == second.score


def test_passages_with_more_of_the_codes_come_first() -> None:
    text = "PM-31과 PM-32의 차이"
    rows = [
        row("one", 0.9, 20.0, "차이 =pm-31"),
        row("both", 0.84, 10.0, "차이 =pm-31 =pm-32"),
        row("none", 0.9, 9.0, "차이"),
    ]
    ranking = rank([(Query(text, query_terms(text)), rows)], E5_SMALL, 100, NOW, Wanted(weak_too=True))
    assert names(ranking) == ["both", "one", "none"]


def test_vector_mode_ignores_the_words() -> None:
    rows = [row("near", 0.88, None), row("words", 0.80, 9.0, "결제 대기 =api_v3")]
    assert names(ranked(rows, mode="vector", weak_too=True)) == ["near", "words"]


def test_a_passage_without_a_vector_can_be_found() -> None:
    assert names(ranked([good("a", cosine=None)])) == ["a"]  # type: ignore[arg-type]


def test_a_replaced_version_that_is_listed_ranks_behind_its_successor() -> None:
    flags = json.dumps([f"{SUPERSEDED_BY}개발/v2.md"])
    rows = [good("v1", 0.93, 12.0, flags=flags), good("v2"), good("z", 0.87, 8.0)]
    assert names(ranked(rows)) == ["v2", "v1", "z"]
    assert names(ranked([rows[0], rows[2]])) == ["v1", "z"]


def test_a_chain_of_replaced_versions_is_listed_from_the_newest() -> None:
    first = good("v1", 0.93, 12.0, flags=json.dumps([f"{SUPERSEDED_BY}개발/v2.md"]))
    second = good("v2", 0.92, 11.0, flags=json.dumps([f"{SUPERSEDED_BY}개발/v3.md"]))
    assert names(ranked([first, second, good("v3"), good("z", 0.87, 8.0)])) == ["v3", "v2", "v1", "z"]


def test_several_queries_are_fused_by_the_best_fit() -> None:
    one = (Query("결제", TERMS), [good("a"), row("c", 0.8, 1.0, "결제", text="무관")])
    two = (Query("환불", [("환불", 0.7)]), [row("b", 0.92, 5.0, "환불"), row("a", 0.78, 1.0)])
    ranking = rank([one, two], E5_SMALL, 100, NOW, Wanted())
    assert names(ranking) == ["b", "a"]
    assert ranking.results[1].score == ranked([good("a")]).results[0].score


def test_the_pool_unites_both_sides_with_the_missing_cosine() -> None:
    query = Query("결제", TERMS, np.array([0.6, 0.8], np.float32))
    vector = np.array([1, 0], np.float32)
    pool = merge_pool(
        query,
        [{"chunk_id": "a", "cosine": 0.9}],
        [{"chunk_id": "a", "bm25": 3.0}, {"chunk_id": "b", "bm25": 2.0, "vector": vector}],
    )
    assert pool[0] == {"chunk_id": "a", "cosine": 0.9, "bm25": 3.0}
    assert pool[1]["cosine"] == pytest.approx(0.6) and pool[1]["bm25"] == 2.0


def test_the_condition_quotes_names_and_says_utc() -> None:
    seoul = NOW.astimezone(datetime.strptime("+0900", "%z").tzinfo)
    assert condition(seoul, ["팀's"]) == (
        "(expires_at is null or expires_at > timestamp '2026-11-30 00:00:00.000000') and source in ('팀''s')"
    )
    assert condition(NOW, expired_too=True) == "true"

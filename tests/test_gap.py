"""Canaries: a lost answer is told by facts, a worse one against a baseline that stays."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from pipelines.gap import (
    Canary,
    CanaryState,
    Hit,
    Pin,
    Standing,
    Verdict,
    accepted,
    answer,
    baseline_after,
    converged,
    gate,
    holds,
    judge,
)
from pipelines.score import TEXT

PIN = Pin("개발", "결제_API_v3.md", "body", "chunk")
CANARY = Canary("c1", "결제 API 타임아웃 설정값", pin=PIN, baseline=0.9, calibration="cal-1", state="ok")
STANDING = Standing(places=(("개발", "결제_API_v3.md"),), score=0.9, text="타임아웃은 30초", unchanged=True)


def hit(chunk: str = "chunk", *, score: float = 0.9, path: str = "결제_API_v3.md", text: str = "") -> Hit:
    return Hit("개발", path, "body", chunk, score, text)


def others(count: int) -> list[Hit]:
    return [hit(f"other{n}", path=f"other{n}.md") for n in range(count)]


def state(canary: Canary = CANARY, standing: Standing = STANDING, hits: list[Hit] | None = None) -> CanaryState:
    return judge(canary, standing, [hit()] if hits is None else hits, calibration="cal-1").state


def test_a_newer_version_of_what_never_scored_well_is_no_loss() -> None:
    replaced = Standing(fate="replaced", successors=(("개발", "v4.md"),))
    heir = [hit("new", path="v4.md", score=0.05, text="타임아웃은 30초")]
    low = replace(CANARY, baseline=None, state="gap")
    accepted_low = replace(CANARY, baseline=0.06)
    assert state(low, replaced, heir) == state(accepted_low, replaced, heir) == "moved"
    assert state(replace(CANARY, baseline=0.5), replaced, heir) == "lost"
    assert state(low, replaced, [*others(5), *heir]) == state(low, Standing(fate="deleted"), heir) == "lost"
    expecting = replace(accepted_low, expect_text="30초")
    assert state(expecting, replaced, heir) == "moved"
    assert state(replace(low, expect_text="30초"), replaced, heir) == "gap"


def test_a_rename_accepts_nothing() -> None:
    low = replace(CANARY, baseline=None, calibration="", state="gap")
    moved = judge(low, replace(STANDING, places=(("정책", "다른 이름.md"),), score=0.05), [hit()], calibration="cal-1")
    assert (moved.state, baseline_after(moved)) == ("moved", None)


def test_an_answer_that_stands_is_ok() -> None:
    verdict = judge(CANARY, STANDING, [*others(2), hit()], calibration="cal-1")
    assert (verdict.state, verdict.rank, verdict.score) == ("ok", 3, 0.9)
    assert verdict.top == others(1)[0]


@pytest.mark.parametrize("fate", ["deleted", "expired", "replaced", "changed", "rejected"])
def test_a_passage_that_is_not_live_is_lost_whatever_else_scores(fate: str) -> None:
    gone = Standing(fate=fate)  # type: ignore[arg-type]
    verdict = judge(CANARY, gone, [hit("other", score=0.99, path="b.md")], calibration="cal-1")
    assert (verdict.state, verdict.cause) == ("lost", fate)


def test_a_successor_that_answers_is_a_move_and_one_that_does_not_is_a_loss() -> None:
    replaced = Standing(fate="replaced", successors=(("개발", "v4.md"),))
    assert state(standing=replaced, hits=[hit("new", path="v4.md", score=0.8)]) == "moved"
    assert state(standing=replaced, hits=[hit("new", path="v4.md", score=0.5)]) == "lost"
    assert state(standing=replaced, hits=[*others(5), hit("new", path="v4.md", score=0.8)]) == "lost"


def test_an_expected_value_is_looked_for_in_what_took_its_place() -> None:
    canary = replace(CANARY, expect_text="타임아웃은 30초")
    changed = Standing(fate="changed", successors=(("개발", "결제_API_v3.md"),))
    assert state(canary, changed, [hit("new", text="타임\n아웃은  30초 입니다")]) == "moved"
    assert state(canary, changed, [hit("new", text="타임아웃은 60초")]) == "value_changed"
    assert state(canary, Standing(fate="deleted"), [hit("new", text="타임아웃은 30초")]) == "lost"


def test_what_took_its_place_may_hold_the_value_and_answer_worse() -> None:
    canary = replace(CANARY, expect_text="30초")
    changed = Standing(fate="changed", successors=(("개발", "결제_API_v3.md"),))
    for score, expected in ((0.85, "moved"), (0.77, "moved"), (0.76, "drop"), (0.4, "drop")):
        assert state(canary, changed, [hit("new", score=score, text="30초")]) == expected
    assert state(canary, changed, [*others(5), hit("new", text="30초")]) == "displaced"
    unlike = replace(canary, calibration="cal-2")
    assert state(unlike, changed, [hit("new", score=0.76, text="30초")]) == "moved"
    assert state(unlike, changed, [hit("new", score=0.7, text="30초")]) == "gap"


def test_an_answer_that_erodes_in_small_steps_is_told_once_it_fell_by_a_logit() -> None:
    canary = replace(CANARY, expect_text="30초", baseline=0.95)
    changed = Standing(fate="changed", successors=(("개발", "결제_API_v3.md"),))
    said = []
    for score in (0.95, 0.90, 0.85, 0.80):
        verdict = judge(canary, changed, [hit("new", score=score, text="30초")], calibration="cal-1")
        said.append(verdict.state)
        canary = replace(canary, state=verdict.state, baseline=baseline_after(verdict))
    assert said == ["moved", "moved", "drop", "drop"]


def test_a_passage_without_the_expected_value_is_told() -> None:
    assert state(replace(CANARY, expect_text="60초")) == "value_changed"


def test_the_same_body_at_another_path_is_a_move() -> None:
    moved = replace(STANDING, places=(("보관", "결제.md"),))
    verdict = judge(CANARY, moved, [hit(path="결제.md")], calibration="cal-1")
    assert (verdict.state, verdict.cause) == ("moved", "now at 보관/결제.md")


def test_beyond_the_first_five_is_displaced() -> None:
    assert state(hits=[*others(4), hit()]) == "ok"
    assert state(hits=[*others(5), hit()]) == "displaced"
    assert state(hits=others(9)) == "displaced"


@pytest.mark.parametrize(("score", "expected"), [(0.77, "ok"), (0.76, "drop"), (0.2, "drop")])
def test_one_logit_below_the_baseline_is_a_drop(score: float, expected: str) -> None:
    assert state(standing=replace(STANDING, score=score)) == expected


def test_scores_of_another_calibration_are_not_compared() -> None:
    verdict = judge(CANARY, replace(STANDING, score=0.76), [hit()], calibration="cal-2")
    assert verdict.state == "ok"
    assert baseline_after(verdict) == 0.76


def test_a_score_by_words_alone_is_not_compared_with_one_of_a_vector() -> None:
    fresh = replace(CANARY, pin=None, baseline=None, calibration="", state="new")
    first = judge(fresh, Standing(), [replace(hit(score=0.99), by_words=True)], calibration="cal-1")
    assert (first.calibration, baseline_after(first)) == (TEXT.id, 0.99)
    pinned = replace(CANARY, baseline=0.99, calibration=first.calibration)
    verdict = judge(pinned, replace(STANDING, score=0.8), [hit()], calibration="cal-1")
    assert (verdict.state, verdict.calibration, baseline_after(verdict)) == ("ok", "cal-1", 0.8)
    without = judge(CANARY, replace(STANDING, score=0.8, by_words=True), [hit()], calibration="cal-1")
    assert (without.state, without.calibration) == ("ok", TEXT.id)


def test_a_question_that_never_had_an_answer_is_a_gap() -> None:
    fresh = replace(CANARY, pin=None, baseline=None, state="new")
    assert state(fresh, Standing(), []) == "gap"
    assert state(fresh, Standing(), [hit(score=0.74)]) == "gap"
    assert state(replace(fresh, expect_path="개발/없음.md"), Standing(), [hit()]) == "gap"


def test_a_pinned_passage_that_was_never_good_enough_is_a_gap() -> None:
    assert state(replace(CANARY, baseline=None), replace(STANDING, score=0.6)) == "gap"


def test_an_answer_that_a_person_accepted_is_no_gap_though_less_than_what_is_asked() -> None:
    assert state(replace(CANARY, baseline=0.6), replace(STANDING, score=0.6)) == "ok"
    assert state(replace(CANARY, baseline=0.6), replace(STANDING, score=0.2)) == "drop"


def test_the_first_good_answer_is_pinned() -> None:
    fresh = replace(CANARY, pin=None, baseline=None, state="new")
    verdict = judge(fresh, Standing(), [hit(score=0.8), *others(2)], calibration="cal-1")
    assert (verdict.state, verdict.pin) == ("new", PIN)
    assert baseline_after(verdict) == 0.8


def test_the_expected_document_is_pinned_though_another_comes_first() -> None:
    fresh = replace(CANARY, pin=None, baseline=None, expect_path="개발/결제_API_v3.md")
    verdict = judge(fresh, Standing(), [*others(2), hit(score=0.8)], calibration="cal-1")
    assert (verdict.state, verdict.pin, verdict.rank) == ("new", PIN, 3)


def test_a_question_that_must_not_be_answered() -> None:
    canary = replace(CANARY, must_fail=True, pin=None)
    assert state(canary, Standing(), [hit(score=0.4)]) == "ok"
    assert state(canary, Standing(), []) == "ok"
    assert state(canary, Standing(), [hit(score=0.9)]) == "gap"


def test_a_baseline_does_not_follow_a_loss_however_long_it_lasts() -> None:
    canary = CANARY
    for _ in range(30):
        verdict = judge(canary, replace(STANDING, score=0.6), [hit()], calibration="cal-1")
        assert verdict.state == "drop"
        canary = replace(canary, baseline=baseline_after(verdict), state=verdict.state)
    assert canary.baseline == 0.9


def test_small_losses_do_not_add_up_unseen() -> None:
    canary, score = CANARY, 0.9
    while score > 0.5:
        verdict = judge(canary, replace(STANDING, score=score), [hit()], calibration="cal-1")
        if verdict.state == "drop":
            return
        canary = replace(canary, baseline=baseline_after(verdict), state=verdict.state)
        score -= 0.02
    raise AssertionError


def test_a_recovery_may_raise_the_baseline_and_never_lowers_it() -> None:
    for score, expected in ((0.95, 0.95), (0.85, 0.9)):
        verdict = judge(replace(CANARY, state="drop"), replace(STANDING, score=score), [hit()], calibration="cal-1")
        assert baseline_after(verdict) == expected


def test_a_person_can_accept_another_answer() -> None:
    canary = accepted(CANARY, hit("new", score=0.8, path="v4.md"), calibration="cal-1")
    assert (canary.pin, canary.baseline, canary.state) == (Pin("개발", "v4.md", "body", "new"), 0.8, "ok")


def lost(name: str, *, critical: bool = False, unchanged: bool = True, state: CanaryState = "displaced") -> Verdict:
    return Verdict(Canary(name, name, critical=critical), state, "", unchanged=unchanged)


def test_the_gate_holds_for_two_unexplained_losses_or_a_critical_one() -> None:
    assert not gate([lost("a")]).hold
    assert gate([lost("a"), lost("b")]).hold
    assert gate([lost("a", critical=True)]).hold


def test_the_gate_does_not_weigh_what_is_explained() -> None:
    explained = [lost("a"), lost("b"), lost("c", unchanged=False), lost("d", state="drop"), lost("e", state="lost")]
    verdict = gate(explained, {"a"})
    assert [loss.canary.canary_id for loss in verdict.losses] == ["b"]
    assert not verdict.hold


def test_a_passage_that_the_new_index_forgot_is_an_unexplained_loss() -> None:
    verdict = judge(CANARY, Standing(unchanged=True), others(3), calibration="cal-1")
    assert verdict.state == "lost"
    assert gate([verdict]).losses == (verdict,)


def test_convergence_takes_three_good_runs() -> None:
    good: dict[str, CanaryState] = {"a": "ok", "b": "moved"}
    assert converged([good] * 3)
    assert not converged([good] * 2)
    assert not converged([good, good, {**good, "b": "drop"}])
    assert not converged([{}, {}, {}])


def test_an_acknowledged_gap_does_not_hinder_convergence_unless_it_is_new() -> None:
    gap: dict[str, CanaryState] = {"a": "ok", "b": "gap"}
    assert converged([gap] * 4, {"b"})
    assert not converged([gap, gap, {"a": "ok"}, {"a": "ok"}], {"b"})


def test_expected_text_is_found_however_it_is_wrapped() -> None:
    assert holds("결제 API의\n타임아웃", "api의 타임 아웃")
    assert not holds("결제", "  ")


def test_history_keeps_what_was_asked_of_what() -> None:
    at = datetime(2026, 11, 30, tzinfo=UTC)
    verdict = judge(CANARY, STANDING, [hit()], calibration="cal-1")
    line = answer(verdict, run_id="r", asked_at=at, index_version=7, encoder="e")
    assert (line.canary_id, line.state, line.score, line.top_path, line.index_version) == (
        "c1",
        "ok",
        0.9,
        "결제_API_v3.md",
        7,
    )

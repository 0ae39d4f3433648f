"""Fitting a calibration: its law, its id, what it refuses, and that search and canaries use it."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pytest
from fakes import ledger_left_open
from team import Team, markdown, prose

from pipelines.calibrate import Candidate, Posed, fit, held_out, logistic, named, question_of, words_of
from pipelines.errors import Refused
from pipelines.score import E5_SMALL, TEXT
from resources.calibrating import calibrate, keep
from resources.calibrations import calibration_of, constants_of
from resources.published import read_published
from resources.searcher import Searcher


def posed(seed: int = 1, questions: int = 80) -> list[Posed]:
    """Questions whose right passages are nearer and share more words, in corpora of two sizes."""
    dice = random.Random(seed)
    found = []
    for number in range(questions):
        right = Candidate("right", dice.gauss(0.6, 0.1), min(1.0, max(0.0, dice.gauss(0.6, 0.2))))
        for chunks in (100, 400):
            others = tuple(Candidate(f"b{n}", dice.gauss(0.25, 0.1), dice.uniform(0, 0.4)) for n in range(chunks // 10))
            found += [Posed(number, (right, *others), chunks, True), Posed(number, others, chunks, False)]
    return found


FAR, NEAR = [0.05, 0.1, 0.15], [0.55, 0.6, 0.65]


def test_logistic_regression_finds_the_weights_that_made_the_data() -> None:
    dice = np.random.default_rng(7)
    rows = np.column_stack([np.ones(20_000), dice.normal(size=(20_000, 2))])
    true = dice.random(20_000) < 1 / (1 + np.exp(-(rows @ np.array([-0.5, 2.0, 1.0]))))
    assert logistic(rows, true) == pytest.approx([-0.5, 2.0, 1.0], abs=0.1)


def test_a_fitted_calibration_tells_answered_questions_from_others() -> None:
    held = held_out("m@1", posed(), FAR, NEAR)
    assert held.questions == 80 and held.auc > 0.95 and held.ece < 0.15
    fitted = fit("m@1", posed(), FAR, NEAR)
    assert fitted.z_slope > 0 and fitted.coverage_slope > 0 and fitted.sizes == (100, 400)
    assert fitted.pair_score(0.6, 0.7) > 0.75 > 0.3 > fitted.pair_score(0.1, 0.1)


def test_the_id_is_made_of_encoder_and_constants() -> None:
    fitted = fit("m@1", posed(), FAR, NEAR)
    assert fitted == fit("m@1", posed(), FAR, NEAR) and fitted.id.startswith("m-")
    ids = {fitted.id, fit("m@2", posed(), FAR, NEAR).id, fit("m@1", posed(2), FAR, NEAR).id, E5_SMALL.id, TEXT.id}
    assert len(ids) == 5
    assert named(replace(fitted, id="other"), "m@1").id == fitted.id


def test_an_encoder_that_knows_nothing_is_refused() -> None:
    with pytest.raises(ValueError, match="no nearer"):
        fit("m@1", posed(), NEAR, FAR)


def test_stored_constants_come_back_as_they_were() -> None:
    fitted = fit("m@1", posed(), FAR, NEAR)
    assert calibration_of("m@1", json.loads(json.dumps(constants_of(fitted)))) == fitted
    assert calibration_of("multilingual-e5-small@1", None) is E5_SMALL and calibration_of("m@1", None) is TEXT


def test_a_question_is_most_of_a_sentence_some_of_it_said_otherwise() -> None:
    passage = "짧은 글.\n" + " ".join(f"낱말{n}" for n in range(10)) + "."
    made = question_of(passage, words_of(["다른 말"]), random.Random(1))
    assert made is not None
    meant, said = made.meant.split(), made.said.split()
    assert len(meant) == len(said) == 7 and meant == sorted(meant)
    assert sum(one != other for one, other in zip(meant, said, strict=True)) >= 0.3 * 7 - 1
    assert set(said) <= set(meant) | {"다른", "말"}
    assert question_of("짧은 글. 더 짧은 글.", ["말"], random.Random(1)) is None


@pytest.fixture
def team(tmp_path: Path) -> Iterator[Team]:
    with ledger_left_open():
        team = Team(tmp_path, {"개발": ""})
        for n in range(40):
            team.write(f"개발/문서{n:02d}.md", markdown(prose(f"문서 {n}", 3), f"제목 {n}"))
        yield team


def test_search_and_canaries_score_by_the_fitted_calibration_until_another_night(team: Team) -> None:
    team.night()
    saero = team.saero()
    fitted = calibrate(saero)
    assert fitted.origin == "passages" and fitted.held.questions >= 40
    assert Searcher(saero.reader(), saero.query_encoder).calibration is TEXT
    keep(saero, fitted, datetime.now(UTC))
    assert Searcher(saero.reader(), saero.query_encoder).calibration == fitted.calibration
    team.write("개발/새글.md", markdown(prose("새 글", 3), "새 제목"))
    team.night()
    record = read_published(saero.index_dir)
    assert record is not None and record.calibration == fitted.calibration.id
    assert calibrate(team.saero()).calibration.id != fitted.calibration.id


def test_too_small_a_corpus_is_refused_with_what_to_do(tmp_path: Path) -> None:
    team = Team(tmp_path, {"개발": ""})
    team.write("개발/하나.md", markdown(prose("하나", 2)))
    team.night()
    with pytest.raises(Refused, match="add documents, run `saero refresh`"):
        calibrate(team.saero())


def test_labelled_canaries_are_asked_when_there_are_enough(team: Team) -> None:
    asked = [f'[[canaries]]\nquery = "{" ".join(prose(f"문서 {n}", 3)[0].split()[:6])}"\n' for n in range(25)]
    team.settings({"개발": ""}, "\n".join(asked))
    team.night()
    fitted = calibrate(team.saero())
    assert fitted.origin == "canaries" and fitted.held.questions >= 20

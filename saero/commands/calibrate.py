"""saero calibrate: what a score means with an encoder of your own."""

from __future__ import annotations

import sys
from dataclasses import asdict
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from saero.output import json_option, print_json
from saero.words import either

if TYPE_CHECKING:
    from resources.calibrating import Fitted


@click.command("calibrate", short_help="Fit scores to an encoder of your own.")
@json_option
@click.pass_obj
def command(config: str | None, as_json: bool) -> None:
    """Fit the score of an encoder other than the bundled one to the published index, and score by it from now on.

    Questions are made of the corpus itself; 20 canaries with a pinned answer are better and are taken instead.
    """
    from resources.build import AT_WORK, WAIT_CLI, build
    from resources.calibrating import calibrate, keep
    from resources.calibrations import constants_of
    from resources.locks import hold

    saero = build(config)
    saero.make_state()
    lock = saero.state_dir / "refresh.lock"
    with hold(lock, wait_seconds=WAIT_CLI.total_seconds(), what=AT_WORK, stage="calibrate"):
        fitted = calibrate(saero, None if as_json or not sys.stderr.isatty() else _tell)
        keep(saero, fitted, datetime.now(UTC))
    if as_json:
        print_json(
            {
                "calibration": fitted.calibration.id,
                "encoder": fitted.encoder,
                "origin": fitted.origin,
                "chunks": fitted.chunks,
                "held_out": asdict(fitted.held),
                "constants": constants_of(fitted.calibration),
            }
        )
        return
    _print(fitted, saero.settings.language)


def _tell(done: int, total: int) -> None:
    click.echo(f"\r{done}/{total}", nl=done == total, err=True)


def _print(fitted: Fitted, language: str) -> None:
    held, name = fitted.held, fitted.calibration.id
    korean = f"점수 보정 {name}: 문단 {fitted.chunks}개"
    click.echo(either(language, korean, f"calibration {name}, fitted to {fitted.chunks} passages"))
    made = either(language, "문서에서 만든 질문", "questions made of the documents")
    origin = either(language, "점검 질문", "canaries") if fitted.origin == "canaries" else made
    korean = f"맞출 때 쓰지 않은 질문으로 잰 값({origin} {held.questions}개): AUC {held.auc:.3f}, ECE {held.ece:.3f}"
    english = f"on questions held out ({held.questions} {origin}): AUC {held.auc:.3f}, ECE {held.ece:.3f}"
    click.echo(either(language, korean, english))
    korean = "이전 보정의 점수와는 비교하지 않습니다: 점검 질문의 기준값은 다음 갱신에서 새로 잡습니다."
    english = (
        "scores of other calibrations are not compared with these: the next refresh takes new baselines of canaries"
    )
    click.echo(either(language, korean, english))

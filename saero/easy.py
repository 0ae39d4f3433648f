"""Call out a set of canaries that notices nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from saero.words import either

if TYPE_CHECKING:
    from resources.build import Saero

_WORDS = (
    "모든 점검 질문이 만점입니다. 문서의 글귀를 그대로 묻는 질문은 아무 변화도 알리지 못합니다: saero canaries suggest",
    "Every canary scores 1: questions copied from the documents notice nothing. See saero canaries suggest",
)


def call_out(saero: Saero) -> None:
    """Say so when every canary scored 1 in the last run."""
    from pipelines.easy import too_easy
    from resources.ledger import canaries as store

    if not saero.ledger.exists:
        return
    with saero.ledger.transaction("canaries") as con:
        easy = too_easy(store.active(con), store.last_answers(con, 1))
    if easy:
        click.echo(either(saero.settings.language, *_WORDS))

"""saero feedback: what a person says of a passage."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from pipelines.errors import Refused
from saero.arguments import TEXT
from saero.output import json_option, print_json
from saero.words import either

if TYPE_CHECKING:
    from resources.build import Saero

_VOTES = {"+1": 1, "1": 1, "-1": -1}


# "-1" is no option: what isn't known as one stays an argument.
@click.command(
    "feedback",
    short_help="Say that a passage was right or wrong.",
    context_settings={"ignore_unknown_options": True},
)
@click.argument("chunk_id", type=TEXT)
@click.argument("vote", type=click.Choice(list(_VOTES)), metavar="+1|-1")
@click.option("--query", type=TEXT, default="", help="The question it was an answer to.")
@json_option
@click.pass_obj
def command(config: str | None, chunk_id: str, vote: str, query: str, as_json: bool) -> None:
    """Say that the passage CHUNK_ID (as `search --json` names it) answered well, +1, or is wrong, -1."""
    from pipelines.grammar import read
    from pipelines.inbox import feedback_line
    from resources.build import build
    from resources.files import refused

    saero = build(config)
    question = " ".join(query.split())
    if question:
        read(question)
    row = _passage(saero, chunk_id)
    line = feedback_line(row, _VOTES[vote], question or None, datetime.now(UTC))
    try:
        saero.inbox.append(line)
    except OSError as error:
        raise refused(error, saero.inbox.path) from error
    if as_json:
        print_json({name: line[name] for name in ("chunk_id", "source", "path", "vote", "question")})
        return
    place = f"{row['source']}/{row['path']}"
    korean = f"{place}: 의견을 적었습니다. 다음 갱신(saero refresh)에서 반영됩니다."
    click.echo(either(saero.settings.language, korean, f"{place}: noted; the next refresh takes it in."))


def _passage(saero: Saero, chunk_id: str) -> dict[str, Any]:
    reader = saero.reader()
    for part in ("live", "retired"):
        if rows := reader.rows([chunk_id], part):
            return rows[0]
    raise Refused(f"{chunk_id}: no passage of the published index; `saero search --json` names chunk_id")

"""saero rollback: the version before."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import click

from saero.output import json_option, local, print_json
from saero.words import either

_ROLLED_BACK = "rolled back"


@click.command("rollback", short_help="Serve the version that was published before.")
@json_option
@click.pass_obj
def command(config: str | None, as_json: bool) -> None:
    """Go back to the version that was published before the present one; a second call comes back."""
    from resources.build import build
    from resources.ledger import runs
    from resources.locks import hold
    from resources.status import read_status, write_status

    saero = build(config)
    saero.make_state()
    lock = saero.state_dir / "refresh.lock"
    with hold(lock, wait_seconds=timedelta(0).total_seconds(), what="a refresh is at work", stage="rollback"):
        record = saero.index.rollback()
        status = read_status(saero.status_path)
        held = _held(status.held, record, local(record.published_at, saero.settings.zone))
        write_status(saero.status_path, replace(status, held=held, encoder=record.encoder))
        with saero.ledger.transaction("rollback") as con:
            runs.add_publication(
                con,
                {
                    "version": record.version,
                    "table_name": record.table,
                    "run_id": record.run_id,
                    "published_at": datetime.now(UTC),
                    "encoder": record.encoder,
                    "calibration": record.calibration,
                    "chunker": record.chunker,
                    "rows": None,
                    "reason": "rollback",
                },
            )
    if as_json:
        print_json({"version": record.version, "published_at": record.published_at, "run_id": record.run_id})
        return
    when = local(record.published_at, saero.settings.zone)
    korean = f"판 {record.version}({when})으로 되돌렸습니다. 다음 갱신이 다시 새 판을 반영합니다."
    english = f"version {record.version} ({when}) is served again; the next refresh publishes anew"
    click.echo(either(saero.settings.language, korean, english))


def _held(held: str | None, record: Any, when: str) -> str | None:
    """Return why the newest version isn't served, for status.json; a second call takes back what the first one said."""
    if record.before.published_at < record.published_at:
        return held.partition("; ")[2] or None if held and held.startswith(_ROLLED_BACK) else held
    return f"{_ROLLED_BACK} to version {record.version} of {when}" + (f"; {held}" if held else "")

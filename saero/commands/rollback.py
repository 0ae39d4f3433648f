"""saero rollback: the version before."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import click

from saero.output import json_option, local, print_json
from saero.words import either


@click.command("rollback", short_help="Serve the version that was published before.")
@json_option
@click.pass_obj
def command(config: str | None, as_json: bool) -> None:
    """Go back to the version that was published before the present one; a second call comes back."""
    from resources.build import build
    from resources.ledger import runs
    from resources.locks import hold

    saero = build(config)
    saero.make_state()
    lock = saero.state_dir / "refresh.lock"
    with hold(lock, wait_seconds=timedelta(0).total_seconds(), what="a refresh is at work", stage="rollback"):
        record = saero.index.rollback()
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

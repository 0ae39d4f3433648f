"""saero status: sources, index, and the run in progress."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from saero.output import json_option, local, print_json, print_table
from saero.words import counted, either, said, word


@click.command("status", short_help="Show sources, index and the run in progress.")
@json_option
@click.pass_obj
def command(config: str | None, as_json: bool) -> None:
    """Show what each source holds, whether the index agrees with the ledger, and what a run is doing now."""
    from pipelines.errors import Broken
    from resources.build import build

    saero = build(config)
    report = collect(saero, datetime.now(UTC))
    if as_json:
        print_json(report)
    else:
        _print(report, saero)
    if report["index"] is not None and report["index"]["damaged"]:
        raise Broken(report["index"]["damaged"])


def collect(saero: Any, now: datetime) -> dict[str, Any]:
    """Return the shape of `status --json` (DESIGN section 8)."""
    from dataclasses import asdict

    from pipelines.errors import Busy
    from resources.progress import read_step

    step = read_step(saero.run_path)
    running = None
    if step is not None:
        shown = asdict(step)
        running = {key: shown[key] for key in ("stage", "done", "total", "since")}
    try:
        ledger = _ledger(saero, now)
    except Busy:
        if step is None:
            raise
        ledger = {
            "sources": [],
            "index": None,
            "findings": {},
            "review": None,
        }  # a long transaction of that run; status must not wait
    return {**ledger, "run": running}


def _ledger(saero: Any, now: datetime) -> dict[str, Any]:
    from resources.ledger import findings, passages, reviews, runs
    from resources.ledger import served as served_store
    from resources.model import encoder_identity
    from resources.status import read_status

    status = read_status(saero.status_path)
    index, ids = _index(saero)
    if not saero.ledger.exists:
        known: dict[str, Any] = {}
        counts: dict[str, dict[str, int]] = {}
        chunks: dict[str, int] = {}
        share = 1.0
        kinds: dict[str, int] = {}
        review = 0
    else:
        with saero.ledger.transaction("status") as con:
            known = runs.sources(con)
            counts = passages.states(con)
            chunks = passages.chunk_counts(con)
            if ids is not None:
                index["missing"], index["extra"] = passages.compare_ids(con, ids)
            share = passages.vector_share(con, encoder_identity(saero.settings.encoder.model, saero.models_dir))
            kinds = findings.counts(con)
            review = len(reviews.waiting(con, reviews.lapsed(con, served_store.bodies(con))))
    reasons = saero.stale_reasons(status, now)
    shown = [_source(source.name, str(source.path), known, counts, chunks, reasons) for source in saero.sources]
    configured = {source.name for source in saero.sources}
    shown += [_source(name, "", known, counts, chunks, reasons) for name in known if name not in configured]
    return {"sources": shown, "index": {**index, "with_vectors": share}, "findings": kinds, "review": review}


def _source(
    name: str,
    path: str,
    known: dict[str, Any],
    counts: dict[str, dict[str, int]],
    chunks: dict[str, int],
    reasons: list[str],
) -> dict[str, Any]:
    row = known.get(name, {})
    own = [reason for reason in reasons if reason != "source_unreachable"]
    if row and not row["reachable"]:
        own.append("source_unreachable")
    return {
        "name": name,
        "path": path,
        "reachable": bool(row["reachable"]) if row else bool(path) and Path(path).is_dir(),
        "documents": counts.get(name, {}),
        "chunks": chunks.get(name, 0),
        "refreshed_at": row.get("refreshed_at"),
        "stale": bool(own),
        "stale_reasons": own,
    }


def _index(saero: Any) -> tuple[dict[str, Any], Any]:
    """Return what the index says of itself, and its chunk ids; None for a damaged one, which stops no status."""
    from pipelines.errors import Broken
    from resources.published import read_published

    index: dict[str, Any] = {"chunks": 0, "missing": 0, "extra": 0, "version": None, "damaged": ""}
    try:
        record = read_published(saero.index_dir)
        ids = saero.published_ids()
        chunks = saero.reader().count() if record else 0
    except Broken as error:
        return {**index, "chunks": None, "missing": None, "extra": None, "damaged": str(error)}, None
    return {**index, "chunks": chunks, "version": record.version if record else None}, ids


def _print(report: dict[str, Any], saero: Any) -> None:
    language, zone = saero.settings.language, saero.settings.zone
    run = report["run"]
    if run:
        name = word(run["stage"], language)
        share = f" {run['done']}/{run['total']}" if run["total"] else ""
        since = local(run["since"], zone)
        click.echo(
            either(language, f"갱신 중: {name}{share} ({since}부터)", f"refreshing: {name}{share} (since {since})")
        )
    head = either(language, "문서폴더 상태 문서 조각 갱신 비고", "source state documents chunks refreshed note").split(
        " "
    )
    rows = []
    for source in report["sources"]:
        states = ", ".join(f"{word(state, language)} {count}" for state, count in source["documents"].items())
        reachable = (
            either(language, "정상", "ok") if source["reachable"] else either(language, "닿지 않음", "out of reach")
        )
        note = said(source["stale_reasons"], language)
        rows.append(
            (source["name"], reachable, states, str(source["chunks"]), local(source["refreshed_at"], zone), note)
        )
    print_table(rows, head)
    index = report["index"]
    if index is not None and not index["damaged"]:
        counts = (index["chunks"], index["missing"], index["extra"], index["version"])
        korean = "검색 색인: 조각 {}, 빠진 것 {}, 남는 것 {}, 판 {}"
        click.echo(either(language, korean, "index: {} chunks, {} missing, {} extra, version {}").format(*counts))
        if index["with_vectors"] < 1:
            part = f"{index['with_vectors']:.1%}"
            click.echo(
                either(
                    language, f"벡터가 있는 조각: {part} (나머지는 단어로만)", f"with vectors: {part} (others: words)"
                )
            )
    if report["findings"]:
        found = counted(report["findings"], language)
        click.echo(either(language, f"확인할 것: {found}", f"findings: {found}"))
    if report["review"]:
        waits = f"{report['review']} (saero review)"
        click.echo(either(language, f"검토할 것: {waits}", f"to review: {waits}"))

"""Canaries in the ledger: those of saero.toml, and what a run made of their answers."""

from __future__ import annotations

import unicodedata
from dataclasses import asdict
from typing import Any

from pipelines.gap import Verdict, answer, baseline_after
from resources.asking import Answers, pin_columns
from resources.build import Run
from resources.ledger import canaries as store
from resources.ledger.noteworthy import around

Row = dict[str, Any]
FROM_SETTINGS = ("min_score", "expect_path", "expect_text", "owner", "critical", "must_fail")


def sync_canaries(run: Run) -> None:
    """Make the canaries with origin "settings" equal to those of saero.toml; their pins and baselines stay."""
    wanted: dict[str, Row] = {}
    for said in run.saero.settings.canaries:
        query = " ".join(unicodedata.normalize("NFC", said.query).split())
        fields = {name: getattr(said, name) for name in FROM_SETTINGS}
        fields["expect_path"] = unicodedata.normalize("NFC", said.expect_path)
        wanted[store.canary_id(query)] = {"query": query, **fields}
    with run.saero.ledger.transaction("canaries") as con:
        present = {row["canary_id"]: row for row in store.active(con)}
        fresh = [key for key in wanted if key not in present]
        store.add(con, [{"canary_id": key, "origin": "settings", "since": run.now, **wanted[key]} for key in fresh])
        store.change(
            con,
            [
                {"canary_id": key, **row, "baseline": store.baseline_under(present[key], row["min_score"])}
                for key, row in wanted.items()
                if key in present and any(present[key][name] != row[name] for name in FROM_SETTINGS)
            ],
        )
        dropped = [key for key, row in present.items() if row["origin"] == "settings" and key not in wanted]
        store.change(con, [{"canary_id": key, "removed_at": run.now} for key in dropped])


def record_answers(run: Run, answers: Answers) -> None:
    """Write the night's answers into the history and bring states, pins and baselines up to date."""
    history = [
        asdict(
            answer(
                verdict,
                run_id=run.id,
                asked_at=run.now,
                index_version=answers.version,
                encoder=answers.encoder,
            )
        )
        for verdict in answers.verdicts
    ]
    with run.saero.ledger.transaction("canaries") as con:
        pins = [verdict.pin for verdict in answers.verdicts if verdict.pin is not None]
        documents = around(con, [(pin.source, pin.path) for pin in pins], ())
        before = {row["canary_id"]: row for row in store.active(con)}
        store.add_history(con, history)
        rows = [
            _after(verdict, before[verdict.canary.canary_id], documents, run)
            for verdict in answers.verdicts
            if verdict.canary.canary_id in before
        ]
        store.change(con, rows)


def _after(verdict: Verdict, before: Row, documents: dict[tuple[str, str], Row], run: Run) -> Row:
    """Return the canary's new columns; `since` is when its state began."""
    fresh_pin = verdict.canary.pin is None and verdict.pin is not None
    pin = pin_columns(verdict.pin, documents) if fresh_pin else {}
    if verdict.pin is not None and verdict.pin.chunk_hash == before["pinned_chunk"]:
        # The verdict's pin followed its content to another place.
        pin = {"pinned_source": verdict.pin.source, "pinned_path": verdict.pin.path}
    kept = ("pinned_source", "pinned_path", "pinned_body", "pinned_chunk", "pinned_content")
    baseline = baseline_after(verdict)
    measured = baseline is not None and (baseline != before["baseline"] or before["calibration"] is None)
    settled = verdict.state in ("ok", "moved", "new")
    return {
        "canary_id": verdict.canary.canary_id,
        **{name: pin.get(name, before[name]) for name in kept},
        "baseline": baseline,
        "calibration": verdict.calibration if measured or settled else before["calibration"],
        "state": verdict.state,
        "cause": verdict.cause,
        "since": before["since"] if before["state"] == verdict.state else run.now,
    }

"""saero gaps: which questions the corpus can't answer now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import click

from saero.easy import call_out
from saero.output import json_option, print_json, print_table
from saero.words import cause_words, either, word

if TYPE_CHECKING:
    from pipelines.gap import Verdict
    from resources.build import Saero

GOOD = ("ok", "moved", "new")


@click.command("gaps", short_help="Show which questions the corpus can't answer now.")
@click.option("--all", "every", is_flag=True, help="Show the answered ones too.")
@json_option
@click.pass_obj
def command(config: str | None, every: bool, as_json: bool) -> None:
    """Show the canaries as the last run left them, and whether the corpus has converged."""
    from resources.build import build

    saero = build(config)
    report = collect(saero)
    if as_json:
        print_json(report)
        return
    language = saero.settings.language
    rows = [row for row in report["canaries"] if every or row["state"] not in GOOD]
    if rows:
        korean = ["번호", "상태", "질문", "점수", "까닭", "가장 가까운 문서"]
        head = korean if language == "ko" else ["id", "state", "question", "score", "cause", "nearest"]
        print_table([(row["canary_id"], *_line(row, language)) for row in rows], head)
        if any(row["state"] == "gap" and row["top"] for row in rows):
            click.echo(
                either(
                    language,
                    "가장 가까운 문서가 맞는 답이면: saero canaries accept 번호",
                    "Where the nearest document is the right answer: saero canaries accept ID",
                )
            )
    else:
        click.echo(either(language, "답이 없는 질문이 없습니다.", "Every question is answered."))
    click.echo(
        either(
            language,
            f"점검 질문 {len(report['canaries'])}건, " + ("안정됨" if report["converged"] else "아직 안정되지 않음"),
            f"{len(report['canaries'])} canaries, " + ("converged" if report["converged"] else "not converged yet"),
        )
    )
    call_out(saero)


def collect(saero: Saero) -> dict[str, Any]:
    """Return the shape of `gaps --json` (DESIGN section 8)."""
    from pipelines.gap import converged
    from resources.ledger import canaries as store

    if not saero.ledger.exists:
        return {"converged": False, "canaries": []}
    with saero.ledger.transaction("gaps") as con:
        rows = store.active(con)
        answers = store.last_answers(con, 4)
    runs: dict[str, dict[str, Any]] = {}
    newest: dict[str, list[dict[str, Any]]] = {}
    for item in answers:
        runs.setdefault(item["run_id"], {})[item["canary_id"]] = item["state"]
        newest.setdefault(item["canary_id"], []).append(item)
    shown = [_shown(row, newest.get(row["canary_id"], [])) for row in rows]
    return {"converged": converged(list(runs.values())), "canaries": shown}


def _shown(row: dict[str, Any], answers: Sequence[dict[str, Any]]) -> dict[str, Any]:
    last = answers[0] if answers else {}
    top = None
    if last.get("top_path"):
        top = {"source": last["top_source"], "path": last["top_path"], "score": last["top_score"]}
    pinned = {"source": row["pinned_source"], "path": row["pinned_path"]} if row["pinned_path"] else None
    return {
        "canary_id": row["canary_id"],
        "query": row["query"],
        "score": last.get("score"),
        "min_score": row["min_score"],
        "baseline": row["baseline"],
        "previous": answers[1]["score"] if len(answers) > 1 else None,
        "state": row["state"],
        "cause": row["cause"],
        "pinned": pinned,
        "top": top,
        "owner": row["owner"] or "",
    }


def verdict_json(verdict: Verdict, previous: float | None) -> dict[str, Any]:
    """Return one verdict in the shape of `gaps --json`."""
    pin, top = verdict.pin, verdict.top
    return {
        "canary_id": verdict.canary.canary_id,
        "query": verdict.canary.query,
        "score": verdict.score,
        "min_score": verdict.canary.min_score,
        "baseline": verdict.canary.baseline,
        "previous": previous,
        "state": verdict.state,
        "cause": verdict.cause,
        "pinned": {"source": pin.source, "path": pin.path} if pin else None,
        "top": {"source": top.source, "path": top.path, "score": top.score} if top else None,
        "owner": verdict.canary.owner,
    }


def print_verdicts(verdicts: Sequence[Verdict], saero: Saero) -> None:
    """Print verdicts as a table."""
    language = saero.settings.language
    korean = ["상태", "질문", "점수", "까닭", "가장 가까운 문서"]
    head = korean if language == "ko" else ["state", "question", "score", "cause", "nearest"]
    print_table([_line(verdict_json(verdict, None), language) for verdict in verdicts], head)


def _line(row: dict[str, Any], language: str) -> tuple[str, ...]:
    top = row["top"]
    return (
        word(row["state"], language),
        row["query"],
        "" if row["score"] is None else f"{row['score']:.2f}",
        cause_words(row["cause"], language),
        f"{top['source']}/{top['path']} ({top['score']:.2f})" if top else "",
    )

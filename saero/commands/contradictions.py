"""saero contradictions: which documents state different values of one thing."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from resources.progress import Step
from saero.arguments import TEXT
from saero.bar import Bar
from saero.output import csv_option, json_option, print_csv, print_json, print_table
from saero.words import either

if TYPE_CHECKING:
    from pipelines.conflicts import Conflict, Side
    from resources.build import Saero

COLUMNS = (
    "attribute", "kind", "a_source", "a_path", "a_lines", "a_value", "a_clause", "b_source", "b_path", "b_lines",
    "b_value", "b_clause", "cosine", "review", "answer",
)  # fmt: skip


@click.command("contradictions", short_help="Show where documents state different values of one thing.")
@click.option("--source", type=TEXT, help="Show only what concerns documents of this source.")
@click.option("--all", "every", is_flag=True, help="Show those too that were dismissed.")
@json_option
@csv_option
@click.pass_obj
def command(config: str | None, source: str | None, every: bool, as_json: bool, as_csv: bool) -> None:
    """Compare what similar passages of different documents state, and put what differs up for review.

    Money, dates, durations, counts, versions and states are compared however they are written. Nothing is changed.
    """
    from pipelines.errors import Refused
    from resources.build import build

    saero = build(config)
    if source is not None and saero.source(source) is None:
        raise Refused(f"--source {source}: the sources are: {', '.join(s.name for s in saero.sources)}")
    bar = Bar(saero.settings.language, quiet=as_json or as_csv)

    def on_step(step: str, done: int, total: int) -> None:
        bar(Step("", os.getpid(), step, done, total, "", ""))

    report = collect(saero, source, every=every, on_step=on_step)
    bar.close()
    if as_json:
        print_json(report)
    elif as_csv:
        print_csv([_flat(row) for row in report["contradictions"]], COLUMNS)
    else:
        _print(report, saero.settings.language)


def collect(
    saero: Saero,
    source: str | None = None,
    *,
    every: bool = False,
    on_step: Callable[[str, int, int], None] | None = None,
) -> dict[str, Any]:
    """Return the shape of `contradictions --json`; writes the review queue."""
    if not saero.ledger.exists:
        method = {"by": "words", "cosine": None}
        return {"method": method, "passages": 0, "stating": 0, "left_out": 0, "dismissed": 0, "contradictions": []}
    from resources.contradictions import ask
    from resources.ledger import served as store

    asked = ask(saero, datetime.now(UTC), on_step=on_step)
    found = [one for one in asked.found if source is None or source in (one.a.source, one.b.source)]
    shown = [one for one in found if every or one.answer != "reject"]
    with saero.ledger.transaction("contradictions") as con:
        places = store.locators(con, [side.chunk_id for one in shown for side in (one.a, one.b)])
    return {
        "method": {"by": asked.method, "cosine": asked.bar},
        "passages": asked.passages,
        "stating": asked.stating,
        "left_out": asked.left_out,
        "dismissed": sum(one.answer == "reject" for one in found),
        "contradictions": [_shown(one, places) for one in shown],
    }


def _shown(one: Conflict, places: dict[str, Any]) -> dict[str, Any]:
    return {
        "attribute": " ".join(one.attribute),
        "kind": one.kind,
        "a": _side(one.a, places),
        "b": _side(one.b, places),
        "cosine": None if one.cosine is None else round(one.cosine, 4),
        "review": one.review,
        "answer": one.answer or None,
    }


def _side(side: Side, places: dict[str, Any]) -> dict[str, Any]:
    locator = places.get(side.chunk_id, {})
    return {
        "source": side.source,
        "path": side.path,
        "lines": locator.get("lines"),
        "heading": locator.get("heading"),
        "value": side.value.written,
        "clause": side.value.clause,
    }


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    names = ("source", "path", "lines", "value", "clause")
    sides = {f"{side}_{name}": row[side][name] for side in ("a", "b") for name in names}
    return {**row, **sides}


def _print(report: dict[str, Any], language: str) -> None:
    rows = report["contradictions"]
    if rows:
        korean = ["항목", "한쪽", "다른 쪽", "유사도", "검토"]
        english = ["attribute", "one says", "the other says", "cosine", "review"]
        print_table([_line(row, language) for row in rows], korean if language == "ko" else english)
        if any(row["answer"] is None for row in rows):
            ko = "saero review accept 번호: 서로 다름을 확인함, reject 번호: 값이 바뀔 때까지 다시 묻지 않음."
            en = "saero review accept ID: they do differ; reject ID: not asked again until a value changes."
            click.echo(either(language, ko, en))
    else:
        click.echo(either(language, "서로 다른 값을 말하는 문서가 없습니다.", "No documents state different values."))
    for line in _how(report, language):
        click.echo(line)


def _line(row: dict[str, Any], language: str) -> tuple[str, ...]:
    said = [f"{row[side]['source']}/{row[side]['path']}: {row[side]['clause']}" for side in ("a", "b")]
    cosine = "-" if row["cosine"] is None else f"{row['cosine']:.2f}"
    return (row["attribute"], *said, cosine, _review(row, language))


def _review(row: dict[str, Any], language: str) -> str:
    if row["answer"] == "accept":
        return either(language, "확인함", "confirmed")
    if row["answer"] == "reject":
        return either(language, "거절함", "rejected")
    return str(row["review"])


def _how(report: dict[str, Any], language: str) -> list[str]:
    """Say what was compared, and what isn't shown."""
    if not report["passages"]:
        ko, en = "검색할 글이 아직 없습니다: saero refresh", "Nothing can be searched yet: saero refresh"
        return [either(language, ko, en)]
    ko = f"조각 {report['passages']}개 가운데 값이 있는 {report['stating']}개를 견줌: "
    en = f"{report['stating']} of {report['passages']} passages state values; compared "
    if report["method"]["by"] == "cosine":
        ko += f"유사도 {report['method']['cosine']} 이상인 것끼리."
        en += f"from cosine {report['method']['cosine']} on."
    else:
        ko += "벡터가 없어 드문 낱말을 함께 가진 것끼리."
        en += "where they share a rare word, as there are no vectors."
    lines = [either(language, ko, en)]
    if left_out := report["left_out"]:
        ko = f"덜 비슷한 {left_out}쌍은 견주지 않음: 더 비슷한 조각이 많습니다."
        en = f"{left_out} pairs weren't compared: there are many that are more alike."
        lines.append(either(language, ko, en))
    if dismissed := report["dismissed"]:
        ko, en = f"거절한 {dismissed}건은 --all로 볼 수 있습니다.", f"{dismissed} dismissed: shown with --all."
        lines.append(either(language, ko, en))
    return lines

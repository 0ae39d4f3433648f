"""saero redundancy: which documents add nothing of their own."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, date, datetime, time
from typing import TYPE_CHECKING, Any

import click

from pipelines.review import item_id
from resources.progress import Step
from saero.arguments import DAY, TEXT
from saero.bar import Bar
from saero.output import csv_option, json_option, print_csv, print_json, print_table
from saero.words import either

if TYPE_CHECKING:
    from pipelines.redundancy import Judged, Pair
    from resources.build import Saero
    from resources.redundancy import Redundancy

COLUMNS = (
    "source", "path", "verdict", "share", "covered", "passages", "by", "containment", "cosine", "own_numbers",
    "review", "unasked", "answer",
)  # fmt: skip
# The least alike pairs of a document: where they hold, the others do.
EXAMPLES = 3
_NAMED = 2
_LOSES = ("묻지 않음: 승인하면 여기만 있는 내용이 빠짐", "not asked: accepting would drop what only it says")
_UNASKED = {
    "own_passages": _LOSES,
    "own_numbers": _LOSES,
    "version": ("묻지 않음: 버전으로 다룸(saero versions)", "not asked: a matter of versions (saero versions)"),
}


@click.command("redundancy", short_help="Show documents whose passages stand in other documents.")
@click.option("--source", type=TEXT, help="Ask only about documents of this source.")
@click.option(
    "--since", type=DAY, metavar="YYYY-MM-DD", help="Ask only about documents first seen on this day or later."
)
@json_option
@csv_option
@click.pass_obj
def command(config: str | None, source: str | None, since: date | None, as_json: bool, as_csv: bool) -> None:
    """Compare every passage that a search can find with all others, and put documents that add nothing up for review.

    Nothing leaves the index by itself.
    """
    from pipelines.errors import Refused
    from resources.build import build

    saero = build(config)
    if source is not None and saero.source(source) is None:
        raise Refused(f"--source {source}: the sources are: {', '.join(s.name for s in saero.sources)}")
    bar = Bar(saero.settings.language, quiet=as_json or as_csv)

    def on_rows(done: int, total: int) -> None:
        bar(Step("", os.getpid(), "redundancy", done, total, "", ""))

    report = collect(saero, source, since, on_rows)
    bar.close()
    if as_json:
        print_json(report)
    elif as_csv:
        print_csv([_flat(row) for row in report["documents"]], COLUMNS)
    else:
        _print(report, saero.settings.language)


def collect(
    saero: Saero,
    source: str | None = None,
    since: date | None = None,
    on_rows: Callable[[int, int], None] | None = None,
) -> dict[str, Any]:
    """Return the shape of `redundancy --json`; writes the review queue."""
    from pipelines.covers import CONTAINED_BY_WORDS

    if not saero.ledger.exists:
        method = {"by": "words", "cosine": None, "containment": CONTAINED_BY_WORDS, "encoder": "", "calibration": ""}
        return {"method": method, "passages": 0, "without_vector": 0, "asked": 0, "documents": []}
    from resources.redundancy import ask

    begin = datetime.combine(since, time(), saero.settings.zone) if since else None

    def wanted(row: dict[str, Any]) -> bool:
        return (source is None or row["source"] == source) and (begin is None or row["first_seen"] >= begin)

    found = ask(saero, datetime.now(UTC), wanted, on_rows)
    shown = [judged for judged in found.judged if judged.verdict != "new"]
    shown = [judged for judged in shown if judged.verdict == "duplicate" or judged.body in found.asked]
    places = _locators(saero, found, shown)
    rows = [_document(found, judged, places) for judged in shown]
    rows.sort(key=lambda row: (row["verdict"], -row["share"], row["source"], row["path"]))
    return {
        "method": {
            "by": found.method,
            "cosine": found.calibration.cosine_duplicate if found.method == "cosine" else None,
            "containment": found.contained,
            "encoder": found.encoder,
            "calibration": found.calibration.id,
        },
        "passages": len(found.served.chunk_ids),
        "without_vector": int((~found.served.embedded[found.served.hash_of]).sum()),
        "asked": len(found.asked),
        "documents": rows,
    }


def _locators(saero: Saero, found: Redundancy, shown: list[Judged]) -> dict[str, Any]:
    from resources.ledger import served as store

    pairs = [pair for judged in shown for pair in judged.pairs[:EXAMPLES]]
    wanted = [found.served.chunk_ids[n] for pair in pairs for n in (pair.passage, pair.by)]
    with saero.ledger.transaction("redundancy") as con:
        return store.locators(con, wanted)


def _document(found: Redundancy, judged: Judged, places: dict[str, Any]) -> dict[str, Any]:
    unasked = found.unasked(judged)
    return {
        **_place(found, judged.body),
        "verdict": judged.verdict,
        "share": round(judged.share, 4),
        "covered": len(judged.pairs),
        "passages": judged.passages,
        "by": [{**_place(found, body), "passages": count} for body, count in judged.by],
        "examples": [_example(found, pair, places) for pair in judged.pairs[:EXAMPLES]],
        "own_numbers": list(found.own.get(judged.body, ())),
        "review": None if unasked else item_id("redundancy", judged.body),
        "unasked": unasked,
        "answer": None if unasked else found.answers.get(judged.body),
    }


def _example(found: Redundancy, pair: Pair, places: dict[str, Any]) -> dict[str, Any]:
    served = found.served

    def where(passage: int) -> dict[str, Any]:
        locator = places.get(served.chunk_ids[passage], {})
        place = _place(found, served.bodies[served.body_of[passage]])
        return {**place, "lines": locator.get("lines"), "heading": locator.get("heading")}

    return {
        "passage": where(pair.passage),
        "by": where(pair.by),
        "cosine": None if pair.cosine is None else round(pair.cosine, 4),
        "containment": round(pair.containment, 4),
    }


def _place(found: Redundancy, body: str) -> dict[str, str]:
    row = found.documents[body]
    return {"source": row["source"], "path": row["path"]}


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    least = row["examples"][0]
    by = "; ".join(f"{one['source']}/{one['path']}" for one in row["by"])
    return {**row, "by": by, "containment": least["containment"], "cosine": least["cosine"]}


def _print(report: dict[str, Any], language: str) -> None:
    rows = report["documents"]
    if rows:
        korean = ["판정", "문서", "겹치는 조각", "어디에", "가장 낮은 포함/유사도", "여기만 있는 수", "검토"]
        english = ["verdict", "document", "covered", "by", "least contained/cosine", "numbers only here", "review"]
        print_table([_line(row, language) for row in rows], korean if language == "ko" else english)
        if any(row["review"] and not row["answer"] for row in rows):
            korean_how = "saero review accept 번호: 다음 갱신에서 검색 제외, reject 번호: 다시 묻지 않음."
            english_how = (
                "saero review accept ID: leaves the index with the next refresh; reject ID: never asked again."
            )
            click.echo(either(language, korean_how, english_how))
    else:
        click.echo(either(language, "다른 문서와 겹치는 문서가 없습니다.", "No document repeats others."))
    for line in _how(report, language):
        click.echo(line)


def _line(row: dict[str, Any], language: str) -> tuple[str, ...]:
    by = [f"{one['source']}/{one['path']}" for one in row["by"]]
    least = row["examples"][0]
    cosine = "-" if least["cosine"] is None else f"{least['cosine']:.2f}"
    return (
        _verdict(row["verdict"], language),
        f"{row['source']}/{row['path']}",
        f"{row['covered']}/{row['passages']}",
        _some(by),
        f"{least['containment']:.2f}/{cosine}",
        _some(row["own_numbers"]),
        _review(row, language),
    )


def _some(names: list[str]) -> str:
    return ", ".join(names[:_NAMED]) + (f" +{len(names) - _NAMED}" if len(names) > _NAMED else "")


def _verdict(verdict: str, language: str) -> str:
    if verdict == "duplicate":
        return either(language, "다 겹침", "duplicate")
    return either(language, "일부 겹침", "partial")


def _review(row: dict[str, Any], language: str) -> str:
    if row["answer"] == "accept":
        return either(language, "승인함: 다음 갱신에서 검색 제외", "accepted: leaves with the next refresh")
    if row["answer"] == "reject":
        return either(language, "거절함", "rejected")
    return row["review"] or either(language, *_UNASKED[row["unasked"]])


def _how(report: dict[str, Any], language: str) -> list[str]:
    """Say how passages were compared, and what that leaves out."""
    from pipelines.covers import CONTAINED_BY_WORDS

    method = report["method"]
    if not report["passages"]:
        return [
            either(language, "검색할 글이 아직 없습니다: saero refresh", "Nothing can be searched yet: saero refresh")
        ]
    share = f"{method['containment']:.0%}"
    if method["by"] == "cosine":
        korean = f"유사도 {method['cosine']} 이상이고 글(5글자씩)의 {share} 이상이 다른 문서에 있으면 겹침"
        english = f"covered = cosine {method['cosine']} or more, and {share} of the 5-grams stand there"
    else:
        korean = f"글(5글자씩)의 {share} 이상이 다른 문서에 있으면 겹침"
        english = f"covered = {share} of the 5-grams stand there"
    lines = [
        either(language, f"문서 {report['asked']}건을 견줌: {korean}.", f"{report['asked']} documents; {english}.")
    ]
    if method["by"] == "rank":
        korean = "이 임베딩 모델은 유사도 기준을 잰 적이 없어, 가까운 조각을 찾는 데만 쓰고 글로만 판정했습니다."
        english = "No cosine bar is known for this encoder: it only proposed passages, their words decided."
        lines.append(either(language, korean, english))
    if missing := report["without_vector"]:
        korean = f"벡터가 아직 없는 조각 {missing}개는 글로만 견주었습니다(기준 {CONTAINED_BY_WORDS:.0%})."
        english = f"{missing} passages have no vector yet and were compared by words alone ({CONTAINED_BY_WORDS:.0%})."
        lines.append(either(language, korean, english))
    return lines

"""saero report: how fresh the corpus is, what happened, and what is left to do, on one page for people."""

from __future__ import annotations

import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from saero.arguments import TEXT
from saero.output import json_option, local, print_json
from saero.words import cause_words, either, said, word

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pipelines.report import Section
    from resources.build import Saero

Row = dict[str, Any]
# Of each list; the commands below it show all.
_MOST = 20
# The worst first.
_STATES = ("lost", "value_changed", "displaced", "drop", "gap", "new", "moved", "ok")


@click.command("report", short_help="Show how fresh the corpus is and what is left to do, on one page.")
@click.option("--days", type=click.IntRange(1, 3660), default=30, show_default=True, help="How far it looks back.")
@click.option("--source", multiple=True, type=TEXT, help="Only this source (repeatable).")
@click.option("--owner", type=TEXT, default="", help="Only the sources and canaries of this address.")
@click.option(
    "--html", "page", type=click.Path(dir_okay=False, path_type=Path), help="Write it as a page into this file."
)
@json_option
@click.pass_obj
def command(
    config: str | None, days: int, source: tuple[str, ...], owner: str, page: Path | None, as_json: bool
) -> None:
    """Print the state of the corpus as Markdown: sources, questions without an answer, findings, replacements, runs.

    It asks nothing anew and writes nothing but the file of --html: it tells what the last run left.
    """
    from pipelines.errors import Refused
    from pipelines.report import markdown
    from pipelines.report import page as html_page
    from resources.build import build
    from resources.files import write_whole

    if page is not None and as_json:
        raise click.UsageError("--html and --json are two shapes: give one")
    saero = build(config)
    for name in source:
        if saero.source(name) is None:
            raise Refused(f"--source {name}: the sources are: {', '.join(s.name for s in saero.sources)}")
    if owner and not _owned(saero, owner):
        known = sorted({one.owner for one in saero.sources if one.owner})
        raise Refused(f"--owner {owner}: the owners are: {', '.join(known) or 'none, saero.toml names none'}")
    now = datetime.now(UTC)
    report = collect(saero, now, days=days, sources=source, owner=owner)
    if as_json:
        print_json(report)
        return
    language = saero.settings.language
    day = local(now, saero.settings.zone)
    title = either(language, f"문서 최신 상태 보고 ({day})", f"How fresh the documents are ({day})")
    sections = _sections(report, saero)
    if page is None:
        click.echo(markdown(title, sections), nl=False)
    else:
        write_whole(page, html_page(title, sections, language).encode("utf-8", "replace"))
        click.echo(either(language, f"{page}에 썼습니다.", f"Written to {page}."))


def collect(saero: Saero, now: datetime, *, days: int, sources: Sequence[str] = (), owner: str = "") -> dict[str, Any]:
    """Return the shape of `report --json` (docs/cli.md)."""
    from resources.ledger import findings, reviews
    from resources.ledger import report as past
    from resources.ledger import served as served_store
    from resources.status import read_status
    from saero.commands import gaps, status

    shown = status.collect(saero, now)
    canaries = gaps.collect(saero)
    nights: list[Row] = []
    opened: list[Row] = []
    replaced: list[Row] = []
    newest: dict[str, datetime] = {}
    waiting = 0
    if saero.ledger.exists:
        with saero.ledger.transaction("report") as con:
            nights = past.nights(con, now - timedelta(days=days))
            opened = findings.opened(con)
            replaced = past.replaced(con, now - timedelta(days=days))
            newest = past.newest(con)
            waiting = len(reviews.waiting(con, reviews.lapsed(con, served_store.bodies(con))))
    owners = {one.name: one.owner for one in saero.sources}
    names = {row["name"] for row in shown["sources"]}
    names &= set(sources) or names
    names &= _owned(saero, owner) if owner else names
    whole = not sources and not owner
    asked = [row for row in canaries["canaries"] if whole or _concerns(row, names, owner)]
    return {
        "at": now,
        "days": days,
        "stale_reasons": saero.stale_reasons(read_status(saero.status_path), now),
        "index": shown["index"],
        "sources": [
            {
                **{key: row[key] for key in ("name", "reachable", "documents", "chunks", "refreshed_at")},
                "owner": owners.get(row["name"], ""),
                "newest_at": newest.get(row["name"]),
                "stale_reasons": row["stale_reasons"],
            }
            for row in shown["sources"]
            if row["name"] in names
        ],
        "canaries": {
            "converged": canaries["converged"],
            "states": dict(sorted(Counter(row["state"] for row in asked).items())),
            "answered": sum(map(_answered, asked)),
            "open": sorted(
                (row for row in asked if row["state"] not in ("ok", "moved")),
                key=lambda row: (_STATES.index(row["state"]), row["query"]),
            ),
        },
        "findings": [
            {
                **{key: row[key] for key in ("kind", "source", "path")},
                "since": row["opened_at"],
                "detail": json.loads(row["detail"] or "{}"),
            }
            for row in opened
            if row["source"] in names or (whole and row["source"] not in owners)
        ],
        "review": waiting if whole else None,
        "replaced": [row for row in replaced if row["newer_source"] in names or row["older_source"] in names],
        "runs": [_run(row) for row in nights],
    }


def _owned(saero: Saero, owner: str) -> set[str]:
    return {one.name for one in saero.sources if owner.lower() in one.owner.lower().replace(",", " ").split()}


def _concerns(row: Row, names: set[str], owner: str) -> bool:
    """Tell whether a canary is of these sources: by its own owner where one is asked for, else by where it answers."""
    if owner and row["owner"]:
        return owner.lower() in str(row["owner"]).lower().replace(",", " ").split()
    return (row["pinned"] or row["top"] or {}).get("source") in names


def _answered(row: Row) -> bool:
    """Tell whether a question has its answer, confirmed by a person or not yet."""
    return row["state"] in ("ok", "moved") or (row["state"] == "new" and row["pinned"] is not None)


def _run(row: Row) -> Row:
    counted = json.loads(row["counts"] or "{}")
    documents = counted.get("documents", {})
    return {
        **{key: row[key] for key in ("run_id", "job", "started_at", "ended_at", "outcome")},
        "published": bool(row["published"]),
        "held": row["held"],
        "documents": {key: documents[key] for key in ("new", "changed", "gone", "superseded") if key in documents},
        "embedded": counted.get("embedded"),
        "asked": row["asked"],
        "answered": row["answered"],
    }


def _sections(report: dict[str, Any], saero: Saero) -> list[Section]:
    parts = (_summary, _sources, _questions, _findings, _replaced, _runs)
    return [section for part in parts for section in part(report, saero)]


def _summary(report: dict[str, Any], saero: Saero) -> list[Section]:
    from pipelines.report import Section

    language, index = saero.settings.language, report["index"]
    lines = []
    if report["stale_reasons"]:
        why = said(report["stale_reasons"], language)
        lines.append(either(language, f"검색 결과가 오래되었을 수 있음: {why}", f"Search may be stale: {why}"))
    if index is None:
        lines.append(either(language, "갱신 중이라 색인 상태를 볼 수 없습니다.", "A refresh is running."))
    elif index["damaged"]:
        lines.append(either(language, f"색인 손상: {index['damaged']}", f"The index is damaged: {index['damaged']}"))
    elif index["version"] is None:
        lines.append(either(language, "아직 반영된 색인이 없습니다.", "Nothing is published yet."))
    else:
        live = sum(source["documents"].get("live", 0) for source in report["sources"])
        korean = f"현행 문서 {live:,}개. 색인 전체 조각 {index['chunks']:,}개, 판 {index['version']}."
        english = (
            f"{live:,} current documents. The whole index: {index['chunks']:,} chunks, version {index['version']}."
        )
        lines.append(either(language, korean, english))
    asked = sum(report["canaries"]["states"].values())
    good, converged = report["canaries"]["answered"], report["canaries"]["converged"]
    lines.append(
        either(
            language,
            f"점검 질문 {asked}건 가운데 {good}건에 답함, {'안정됨' if converged else '아직 안정되지 않음'}.",
            f"{good} of {asked} canaries answered, {'converged' if converged else 'not converged yet'}.",
        )
    )
    commands: tuple[str, ...] = ()
    if report["review"]:
        lines.append(either(language, f"사람이 정할 것 {report['review']}건.", f"{report['review']} to decide."))
        commands = ("saero review",)
    return [Section(either(language, "한눈에", "At a glance"), tuple(lines), commands=commands)]


def _sources(report: dict[str, Any], saero: Saero) -> list[Section]:
    from pipelines.report import Section

    language, zone = saero.settings.language, saero.settings.zone
    head = either(
        language,
        "문서폴더|담당|문서|가장 새 문서|갱신|비고",
        "source|owner|documents|newest document|refreshed|note",
    ).split("|")
    rows = []
    for one in report["sources"]:
        states = ", ".join(f"{word(state, language)} {count:,}" for state, count in one["documents"].items())
        note = said(one["stale_reasons"], language)
        newest = local(one["newest_at"], zone)[:10]
        rows.append((one["name"], one["owner"], states, newest, local(one["refreshed_at"], zone), note))
    return [Section(either(language, "문서폴더", "Sources"), head=tuple(head), rows=tuple(rows))]


def _questions(report: dict[str, Any], saero: Saero) -> list[Section]:
    from pipelines.report import Section

    language = saero.settings.language
    states = report["canaries"]["states"]
    # What waits for a first look is counted: there are many of it at first, and none is a loss.
    opened = [row for row in report["canaries"]["open"] if row["state"] != "new"]
    if not states:
        line = either(
            language,
            "점검 질문이 없습니다. 잃어버린 답은 질문이 있어야 알 수 있습니다.",
            "There are no canaries: a lost answer is only noticed where a question asks for it.",
        )
        return [Section(either(language, "점검 질문", "Canaries"), (line,), commands=("saero canaries suggest",))]
    line = ", ".join(f"{word(state, language)} {count}" for state, count in states.items())
    head = either(language, "상태|질문|점수|기준|까닭", "state|question|score|baseline|cause").split("|")
    rows = [
        (
            word(row["state"], language),
            row["query"],
            _number(row["score"]),
            _number(row["baseline"]),
            cause_words(row["cause"], language),
        )
        for row in opened[:_MOST]
    ]
    return [
        Section(
            either(language, "점검 질문", "Canaries"),
            (line, *_rest(len(opened), language)),
            tuple(head) if rows else (),
            tuple(rows),
            ("saero gaps",),
        )
    ]


def _findings(report: dict[str, Any], saero: Saero) -> list[Section]:
    from pipelines.alert_words import facts, kind_words
    from pipelines.report import Section

    language, zone = saero.settings.language, saero.settings.zone
    title = either(language, "확인할 것", "To check")
    if not report["findings"]:
        return [Section(title, (either(language, "없습니다.", "Nothing."),))]
    order = Counter(row["kind"] for row in report["findings"])
    # Replacements have a list of their own.
    listed = [row for row in report["findings"] if row["kind"] != "superseded"]
    listed.sort(key=lambda row: (-order[row["kind"]], row["kind"], row["source"] or "", row["path"] or ""))
    line = ", ".join(f"{kind_words(kind, language)} {count}" for kind, count in order.most_common())
    head = either(language, "무엇|문서|언제부터|내용", "what|document|since|facts").split("|")
    rows = [
        (
            kind_words(row["kind"], language),
            "/".join(part for part in (row["source"], row["path"]) if part),
            local(row["since"], zone)[:10],
            facts(row["detail"], language),
        )
        for row in listed[:_MOST]
    ]
    lines = (line, *_rest(len(listed), language))
    return [Section(title, lines, tuple(head) if rows else (), tuple(rows), ("saero alerts",))]


def _replaced(report: dict[str, Any], saero: Saero) -> list[Section]:
    from pipelines.report import Section

    language, zone = saero.settings.language, saero.settings.zone
    days, listed = report["days"], report["replaced"]
    if not listed:
        return []
    head = either(language, "이전 문서|새 문서|언제", "older|newer|when").split("|")
    rows = [
        (
            f"{row['older_source']}/{row['older_path']}",
            f"{row['newer_source']}/{row['newer_path']}",
            local(row["decided_at"], zone)[:10],
        )
        for row in listed[:_MOST]
    ]
    title = either(language, f"새 버전으로 대체됨 (최근 {days}일)", f"Replaced by newer versions (last {days} days)")
    return [Section(title, _rest(len(listed), language), tuple(head), tuple(rows), ("saero versions",))]


def _runs(report: dict[str, Any], saero: Saero) -> list[Section]:
    from pipelines.report import Section

    language, zone = saero.settings.language, saero.settings.zone
    days, listed = report["days"], report["runs"]
    title = either(language, f"갱신 (최근 {days}일)", f"Refreshes (last {days} days)")
    if not listed:
        return [Section(title, (either(language, "갱신한 적이 없습니다.", "There was none."),))]
    failed = sum(row["outcome"] not in ("success", None) for row in listed)
    held = sum(bool(row["held"]) for row in listed)
    line = either(
        language,
        f"{len(listed)}번, 실패하거나 끊긴 것 {failed}번, 반영이 보류된 것 {held}번.",
        f"{len(listed)} runs, {failed} failed or were stopped, {held} held back.",
    )
    head = either(language, "시작|결과|새 문서|바뀜|없어짐|답한 질문", "began|outcome|new|changed|gone|answered").split(
        "|"
    )
    rows = []
    for row in listed[:_MOST]:
        counts = [str(row["documents"].get(key, "")) for key in ("new", "changed", "gone")]
        answered = f"{row['answered']}/{row['asked']}" if row["asked"] else ""
        rows.append((local(row["started_at"], zone), _outcome(row, language), *counts, answered))
    return [Section(title, (line, *_rest(len(listed), language)), tuple(head), tuple(rows), ("saero status",))]


def _outcome(row: Row, language: str) -> str:
    if row["outcome"] is None:
        return either(language, "진행 중", "running")
    if row["outcome"] != "success":
        return either(language, "실패", "failed") if row["outcome"] == "failed" else either(language, "끊김", "stopped")
    if row["held"]:
        return either(language, "반영 보류", "held back")
    return either(language, "반영함", "published") if row["published"] else either(language, "그대로", "as before")


def _rest(count: int, language: str) -> tuple[str, ...]:
    if count <= _MOST:
        return ()
    return (either(language, f"{count:,}건 가운데 {_MOST}건을 보입니다.", f"{_MOST} of {count:,} are shown."),)


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"

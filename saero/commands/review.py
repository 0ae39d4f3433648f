"""saero review: what only a person can decide, and what persons decided."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any, Literal

import click

from saero.arguments import TEXT
from saero.holders import Holders, holders, said
from saero.output import csv_option, json_option, local, print_csv, print_json, print_table
from saero.undoing import Known, known, marked, take_back
from saero.version_words import why_words
from saero.words import either

if TYPE_CHECKING:
    import duckdb

    from resources.build import Saero

Row = dict[str, Any]
Verb = Literal["accept", "reject", "undo"]
COLUMNS = ("id", "kind", "state", "a", "b", "evidence", "since", "answered_at")
KINDS = {
    "version": ("버전", "version"),
    "redundancy": ("다른 문서에 다 있는 문서", "redundancy"),
    "contradiction": ("서로 다른 값", "contradiction"),
}
STATES = {
    "open": ("검토할 것", "open"),
    "accepted": ("승인", "accepted"),
    "rejected": ("거절", "rejected"),
    "lapsed": ("승인 효력 없음", "lapsed"),
}
# What the next refresh does. "{a}" is the older, covered or one side, "{b}" the newer, covering or other.
_NEXT: dict[tuple[str, str], tuple[str, str]] = {
    ("version", "accept"): (
        "다음 갱신(saero refresh)에서 {a}이(가) {b}(으)로 대체됩니다.",
        "the next refresh replaces {a} by {b}",
    ),
    ("version", "reject"): (
        "{a}을(를) 대체하지 않고, 다시 묻지 않습니다.",
        "{a} is not replaced and not asked about again",
    ),
    ("version", "undo"): (
        "다음 갱신에서 {a}을(를) 다시 판단합니다.",
        "the next refresh judges {a} anew",
    ),
    ("version", "return"): (
        "다음 갱신에서 {a}이(가) 다시 검색되고, 다시 묻지 않습니다.",
        "the next refresh brings {a} back, and it is not asked about again",
    ),
    ("version", "already"): (
        "이미 되돌렸습니다: {a}. 다시 대체하려면 saero review accept.",
        "taken back already: {a}; `saero review accept` replaces it again",
    ),
    ("redundancy", "accept"): (
        "다음 갱신에서 {a}이(가) 검색에서 제외됩니다(파일은 그대로입니다).",
        "the next refresh takes {a} out of search; the file stays",
    ),
    ("redundancy", "reject"): ("{a}은(는) 계속 검색되고, 다시 묻지 않습니다.", "{a} stays in search, not asked again"),
    ("redundancy", "undo"): (
        "{a}은(는) 다음 갱신부터 다시 검색되고, saero redundancy가 다시 묻습니다.",
        "{a} is searched again from the next refresh on, and `saero redundancy` asks again",
    ),
    ("contradiction", "accept"): (
        "서로 다른 값으로 남겨 둡니다: {a}, {b}. 문서를 고치면 사라집니다.",
        "kept as a contradiction of {a} and {b} until a document is mended",
    ),
    ("contradiction", "reject"): (
        "값이 바뀔 때까지 다시 묻지 않습니다: {a}, {b}.",
        "not asked again about {a} and {b} until a value changes",
    ),
    ("contradiction", "undo"): ("{a}, {b}을(를) 다시 묻습니다.", "{a} and {b} are asked about again"),
}


@click.group("review", invoke_without_command=True, short_help="Show what a person must decide; accept, reject, undo.")
@click.option("--all", "every", is_flag=True, help="Show what is answered too.")
@json_option
@csv_option
@click.pass_context
def command(ctx: click.Context, every: bool, as_json: bool, as_csv: bool) -> None:
    """List what waits for a decision: versions, redundant documents, contradictions."""
    if ctx.invoked_subcommand:
        return
    from resources.build import build

    saero = build(ctx.obj)
    rows = collect(saero, every)
    if as_json:
        print_json({"items": rows})
    elif as_csv:
        print_csv([{**row, "a": said(row["a"]), "b": said(row["b"])} for row in rows], COLUMNS)
    else:
        _print(rows, saero)


def collect(saero: Saero, every: bool = False) -> list[Row]:
    """Return the items of `review --json`: the open ones, with `every` those too that persons answered.

    What was accepted and holds no more counts as unanswered while its cause stands.
    """
    from resources.ledger import reviews
    from resources.ledger import served as served_store

    if not saero.ledger.exists:
        return []
    with saero.ledger.transaction("review") as con:
        places = holders(con)
        asked = {row["item_id"]: row for row in reviews.opened(con)}
        answers = reviews.answers(con)
        lapsed = reviews.lapsed(con, served_store.bodies(con))
        waiting = reviews.waiting(con, lapsed)
    shown = [_shown(row, "open", places) for row in waiting.values()]
    if not every:
        return shown
    for key, row in answers.items():
        if key not in waiting:
            state = "lapsed" if key in lapsed else {"accept": "accepted", "reject": "rejected"}[row["answer"]]
            shown.append(_shown({**asked.get(key, {}), **row, "item_id": key}, state, places))
    return shown


def _shown(row: Row, state: str, places: Holders) -> Row:
    return {
        "id": row["item_id"],
        "kind": row["kind"],
        "state": state,
        "a": places.get(row["a_body"], []),
        "b": places.get(row["b_body"], []),
        "evidence": row["evidence"],
        "since": row.get("opened_at"),
        "answered_at": row.get("decided_at"),
    }


def _print(rows: list[Row], saero: Saero) -> None:
    language, zone = saero.settings.language, saero.settings.zone
    if not rows:
        click.echo(either(language, "검토할 것이 없습니다.", "Nothing to review."))
        return
    table = [
        (
            row["id"],
            either(language, *STATES[row["state"]]),
            either(language, *KINDS[row["kind"]]),
            said(row["a"], _named(row, "older")),
            said(row["b"], _named(row, "newer")),
            _evidence(row["evidence"], language),
            local(row["answered_at"] or row["since"], zone),
        )
        for row in rows
    ]
    korean = ("번호", "상태", "종류", "문서", "상대 문서", "근거", "부터")
    print_table(
        table, korean if language == "ko" else ("id", "state", "kind", "document", "other", "evidence", "since")
    )
    click.echo(
        either(language, "\nsaero review accept | reject | undo 번호", "\nsaero review accept | reject | undo ID")
    )


def _named(row: Row, side: str) -> str:
    """Return the name at the time, for a body that lies nowhere now."""
    return str(row["evidence"].get(side, "")) if row["kind"] == "version" else ""


def _evidence(evidence: Mapping[str, Any], language: str) -> str:
    """Say figures and values in one line: a reason first, then what the item's own kind keeps."""
    parts = [why_words(str(evidence["why"]), language)] if "why" in evidence else []
    if isinstance(evidence.get("attribute"), list):
        parts.append(" ".join(map(str, evidence["attribute"])))
    if all(isinstance(evidence.get(side), dict) for side in ("a", "b")):
        parts.append(" / ".join(str(evidence[side].get("written", "")) for side in ("a", "b")))
    figures = {"jaccard": ("겹침", "Jaccard"), "share": ("다른 문서에 있는 몫", "covered"), "cosine": ("뜻", "cosine")}
    for key, words in figures.items():
        if isinstance(evidence.get(key), float | int):
            parts.append(f"{either(language, *words)} {evidence[key]:.2f}")
    return ", ".join(parts)


def _answer_command(verb: Verb, help_text: str) -> Callable[..., Any]:
    """Add `review accept`, `reject` or `undo`."""

    @command.command(verb, short_help=help_text, help=help_text)
    @click.argument("ids", nargs=-1, required=True, type=TEXT, metavar="ID...")
    @json_option
    @click.pass_obj
    def answer(config: str | None, ids: tuple[str, ...], as_json: bool) -> None:
        from resources.build import build

        saero = build(config)
        done = decide(saero, verb, list(dict.fromkeys(ids)), datetime.now(UTC))
        if as_json:
            print_json({"answered": done})
            return
        for row in done:
            click.echo(f"{row['id']}: {row['next']}")

    return answer


accept = _answer_command(
    "accept", "Accept items: replace the older version, take the redundant document out of search."
)
reject = _answer_command("reject", "Reject items: never asked again; a replacement is taken back.")
undo = _answer_command("undo", "Take answers back; of what was replaced by itself, take the replacement back for good.")


def decide(saero: Saero, verb: Verb, ids: list[str], now: datetime) -> list[Row]:
    """Write down what a person says of items, all or none; returns what the next refresh does with each.

    Raises Refused for an id that nothing has, for an accept whose cause is over or whose covering document a search
    doesn't find now, and for an undo where no answer and no replacement stands.
    """
    from pipelines.errors import Refused
    from resources.backup import write_backup
    from resources.ledger import export, reviews

    unknown = f"{', '.join(ids)}: no such item; `saero review --all` and `saero versions` list them"
    if not saero.ledger.exists:
        raise Refused(unknown)
    language = saero.settings.language
    with saero.ledger.transaction("review") as con:
        places = holders(con)
        before = known(con)
        answers, replaced = before.answers, _replaced(before.standing.values())
        items = {key: reviews.find(con, key) or _answered(answers, key) or replaced.get(key) for key in ids}
        missing = [key for key, item in items.items() if item is None]
        if missing:
            raise Refused(unknown if missing == ids else f"{', '.join(missing)}: no such item; nothing was answered")
        if verb == "undo" and (idle := [key for key in ids if before.effect(key)[0] == "nothing"]):
            raise Refused(f"{', '.join(idle)}: no answer stands, so there is nothing to take back; nothing was changed")
        if verb == "accept":
            _refuse_over(con, [item for item in items.values() if item], answers, replaced)
        done = []
        for key, item in items.items():
            assert item is not None
            effect = _answer(con, verb, item, before, now)
            done.append(
                {"id": key, "kind": item["kind"], "answer": verb, "next": _next(item, effect, places, language)}
            )
        # A ledger that no run has written into is about to take the newest copy back: it must not become that copy.
        lines = [] if export.is_new(con) else list(export.lines(con))
    if lines:
        write_backup(saero.backup_dir, now.astimezone(saero.settings.zone).date(), lines)
    return done


def _answer(con: duckdb.DuckDBPyConnection, verb: Verb, item: Row, before: Known, now: datetime) -> str:
    """Write one answer down; returns which words of _NEXT say what follows."""
    from resources.ledger import reviews

    key = item["item_id"]
    if verb == "undo":
        effect = take_back(con, item, before, now)
        return "undo" if effect == "reopen" else effect
    back = verb == "reject" and before.by_rule(key)
    reviews.answer(con, marked(item, taken_back=back), verb, now)
    return "return" if verb == "reject" and key in before.standing else verb


def _refuse_over(
    con: duckdb.DuckDBPyConnection, items: list[Row], answers: Mapping[str, Row], replaced: Mapping[str, Row]
) -> None:
    """Raise Refused for items that can't be accepted any more."""
    from pipelines.errors import Refused
    from resources.ledger import reviews
    from resources.ledger import served as served_store

    known = answers.keys() | replaced.keys()
    over = [item["item_id"] for item in items if item.get("closed_at") and item["item_id"] not in known]
    if over:
        raise Refused(f"{', '.join(over)}: its cause is over, so there is nothing to accept; nothing was answered")
    asked = [item for item in items if item["kind"] == "redundancy"]
    if lost := reviews.unacceptable(con, asked, served_store.bodies(con)):
        raise Refused(
            f"{', '.join(lost)}: a document that covers it isn't found by a search now; nothing was answered. "
            "`saero redundancy` asks anew"
        )


def _answered(answers: Mapping[str, Row], key: str) -> Row | None:
    """Return an answered item whose row went with an older ledger."""
    return {**answers[key], "item_id": key} if key in answers else None


def _replaced(standing: Iterable[Row]) -> dict[str, Row]:
    """Return the replacements that hold as items, so that each can be taken back."""
    from resources.ledger import reviews

    return {
        row["item_id"]: reviews.new_item(
            row["item_id"],
            "version",
            a_body=row["older_body"],
            b_body=row["newer_body"],
            evidence=row["evidence"],
        )
        for row in standing
    }


def _next(item: Row, effect: str, places: Holders, language: str) -> str:
    sides = {
        side: said(places.get(item[f"{side}_body"], []), str(item["evidence"].get(name, "?")))
        for side, name in (("a", "older"), ("b", "newer"))
    }
    return either(language, *_NEXT[item["kind"], effect]).format(**sides)

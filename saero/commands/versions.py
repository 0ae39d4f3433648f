"""saero versions: which document replaced which, why, and how to take it back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from saero.arguments import TEXT
from saero.holders import Holders, concerns, holders, said
from saero.output import csv_option, json_option, local, print_csv, print_json, print_table
from saero.undoing import Known, known
from saero.version_words import why_words
from saero.words import either

if TYPE_CHECKING:
    from resources.build import Saero

Row = dict[str, Any]
COLUMNS = (
    "id", "state", "older_source", "older_path", "newer_source", "newer_path", "why", "jaccard", "containment",
    "policy", "since", "taken_back",
)  # fmt: skip


@click.command("versions", short_help="Show which document replaced which, why, and what is doubtful.")
@click.option("--source", type=TEXT, help="Show only what concerns documents of this source.")
@json_option
@csv_option
@click.pass_obj
def command(config: str | None, source: str | None, as_json: bool, as_csv: bool) -> None:
    """Show the chains of versions from the oldest to the one that serves, and below them what a person must decide.

    `saero review undo ID` takes a replacement back, `saero review accept ID` makes one of a doubtful pair.
    """
    from pipelines.errors import Refused
    from resources.build import build

    saero = build(config)
    if source is not None and saero.source(source) is None:
        raise Refused(f"--source {source}: the sources are: {', '.join(s.name for s in saero.sources)}")
    report = collect(saero, source)
    if as_json:
        print_json(report)
    elif as_csv:
        steps = [step for chain in report["chains"] for step in chain["replaced"]]
        print_csv([*map(_flat, steps), *map(_flat, report["doubtful"])], COLUMNS)
    else:
        _print(report, saero)


def collect(saero: Saero, source: str | None = None) -> dict[str, Any]:
    """Return the shape of `versions --json`."""
    from resources.ledger import reviews

    if not saero.ledger.exists:
        return {"chains": [], "doubtful": []}
    with saero.ledger.transaction("versions") as con:
        places = holders(con)
        before = known(con)
        standing, answers = list(before.standing.values()), before.answers
        asked = reviews.opened(con, "version")
    doubtful = [_doubt(row, places) for row in asked if row["item_id"] not in answers]
    return {
        "chains": [chain for chain in _chains(standing, places, before) if _chain_concerns(chain, source)],
        "doubtful": [row for row in doubtful if concerns((row["older"], row["newer"]), source)],
    }


def _chains(standing: list[Row], places: Holders, before: Known) -> list[Row]:
    """Return a chain for each document that replaced others, its older versions from the oldest on."""
    next_of = {row["older_body"]: row for row in standing}
    chains: dict[str, list[tuple[int, Row]]] = {}
    for row in standing:
        body, steps = row["newer_body"], 1
        while body in next_of:
            body, steps = next_of[body]["newer_body"], steps + 1
        chains.setdefault(body, []).append((steps, row))
    found = []
    for body, steps_of in chains.items():
        ordered = sorted(steps_of, key=lambda pair: (-pair[0], pair[1]["older_source"], pair[1]["older_path"]))
        rows = [row for _, row in ordered]
        served = places.get(body) or [_recorded(rows[-1], "newer")]
        found.append(
            {"serves": served[0], "also_in": served[1:], "replaced": [_step(row, places, before) for row in rows]}
        )
    return sorted(found, key=lambda chain: (chain["serves"]["source"], chain["serves"]["path"]))


def _step(row: Row, places: Holders, before: Known) -> Row:
    evidence = row["evidence"]
    older = places.get(row["older_body"]) or [_recorded(row, "older")]
    newer = places.get(row["newer_body"]) or [_recorded(row, "newer")]
    return {
        "id": row["item_id"],
        "older": older[0],
        "also_in": older[1:],
        "newer": newer[0],
        "why": evidence.get("why", ""),
        "jaccard": evidence.get("jaccard"),
        "containment": evidence.get("containment"),
        "policy": row["policy"],
        "by": "person" if evidence.get("answered") else "rule",
        "since": row["decided_at"],
        "taken_back": before.returns(row["item_id"]),
    }


def _doubt(row: Row, places: Holders) -> Row:
    evidence = row["evidence"]
    sides = {
        side: (places.get(row[body]) or [_split(evidence[side])])[0]
        for side, body in (("older", "a_body"), ("newer", "b_body"))
    }
    figures = {name: evidence[name] for name in ("why", "jaccard", "containment")}
    return {"id": row["item_id"], **sides, **figures, "since": row["opened_at"]}


def _recorded(row: Row, side: str) -> dict[str, str]:
    """Return the place at the time of the decision, for a body that lies nowhere now."""
    return {"source": row[f"{side}_source"], "path": row[f"{side}_path"]}


def _split(place: str) -> dict[str, str]:
    source, _, path = place.partition("/")
    return {"source": source, "path": path}


def _chain_concerns(chain: Row, source: str | None) -> bool:
    places = [chain["serves"], *chain["also_in"]]
    for step in chain["replaced"]:
        places += [step["older"], *step["also_in"]]
    return concerns(places, source)


def _flat(row: Row) -> Row:
    sides = {f"{side}_{name}": row[side][name] for side in ("older", "newer") for name in ("source", "path")}
    return {**row, **sides, "state": "replaced" if "policy" in row else "doubtful"}


def _print(report: dict[str, Any], saero: Saero) -> None:
    language, zone = saero.settings.language, saero.settings.zone
    if not report["chains"] and not report["doubtful"]:
        click.echo(either(language, "버전으로 이어지는 문서가 없습니다.", "No versions of documents."))
        return
    for chain in report["chains"]:
        mark = either(language, "대표 문서", "serves")
        click.echo(f"{mark}: {said([chain['serves'], *chain['also_in']])}")
        rows = [
            (
                said([step["older"], *step["also_in"]]),
                said([step["newer"]]),
                _how(step, language),
                _figures(step),
                local(step["since"], zone),
                _undo(step, language),
            )
            for step in chain["replaced"]
        ]
        korean = "이전 버전|새 버전|까닭|겹침/포함|부터|되돌리기"
        print_table(rows, _head(language, korean, "older|newer|why|overlap|since|undo"))
        click.echo()
    if report["doubtful"]:
        click.echo(either(language, "검토할 것 (saero review accept | reject ID):", "To review (accept | reject ID):"))
        lines = [
            (
                row["id"],
                said([row["older"]]),
                said([row["newer"]]),
                why_words(row["why"], language),
                _figures(row),
            )
            for row in report["doubtful"]
        ]
        print_table(lines, _head(language, "번호|이전 문서|새 문서|까닭|겹침/포함", "id|older|newer|why|overlap"))


def _head(language: str, korean: str, english: str) -> list[str]:
    return either(language, korean, english).split("|")


def _how(step: Row, language: str) -> str:
    why = why_words(step["why"], language)
    return f"{why}, {either(language, '뒤로 미룸', 'demoted')}" if step["policy"] == "demote" else why


def _undo(step: Row, language: str) -> str:
    if step["taken_back"]:
        return either(language, "다음 갱신에서 되돌림", "returns with the next refresh")
    return f"saero review undo {step['id']}"


def _figures(row: Row) -> str:
    """Say how much of both is the same, and how much of the older the newer holds."""
    return "" if row["jaccard"] is None else f"{row['jaccard']:.2f}/{row['containment']:.2f}"

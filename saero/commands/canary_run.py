"""saero canaries run: the questions asked now, also of the version before."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from pipelines.errors import Refused
from saero.output import json_option, print_json, print_table
from saero.words import either, word

if TYPE_CHECKING:
    from pipelines.gap import Hit, Verdict
    from resources.asking import Answers
    from resources.build import Saero
    from resources.published import Published

# Below it a score has only been computed anew (approximate vectors of another index).
_MOVED = 0.01
GOOD = ("ok", "moved", "new")


@click.command("run", short_help="Ask all canaries now, without writing history.")
@click.option("--against", type=int, metavar="VERSION", help="Compare with this version of the index.")
@json_option
@click.pass_obj
def run(config: str | None, against: int | None, as_json: bool) -> None:
    """Ask every canary against the published index; nothing is written."""
    from resources.asking import ask_all, ask_published
    from resources.build import build
    from saero.commands.gaps import print_verdicts, verdict_json

    saero = build(config)
    now = datetime.now(UTC)
    answers = ask_published(saero, now)
    if against is not None:
        before = ask_all(saero, _record(saero, against), now)
        _print_compared(saero, answers, before, as_json=as_json)
    elif as_json:
        print_json({"canaries": [verdict_json(verdict, None) for verdict in answers.verdicts]})
    else:
        print_verdicts(answers.verdicts, saero)


def _record(saero: Saero, version: int) -> Published:
    """Return the publication of a version that is still kept besides the present one."""
    from resources.published import read_published

    served = read_published(saero.index_dir)
    before = served.before if served else None
    if before is not None and before.version == version:
        return before
    there = f"version {before.version} is kept besides it" if before else "no other version is kept"
    raise Refused(f"--against {version}: version {served.version if served else '?'} is published, {there}")


def _print_compared(saero: Saero, now: Answers, before: Answers, *, as_json: bool) -> None:
    earlier = {verdict.canary.canary_id: verdict for verdict in before.verdicts}
    rows = [compared(one, earlier[one.canary.canary_id]) for one in now.verdicts if one.canary.canary_id in earlier]
    if as_json:
        print_json({"version": now.version, "against": before.version, "canaries": rows})
        return
    language = saero.settings.language
    korean = ["변화", "질문", f"판 {before.version}", f"판 {now.version}", "가장 가까운 문서"]
    english = ["change", "question", f"version {before.version}", f"version {now.version}", "nearest"]
    words = {"better": ("나아짐", "better"), "worse": ("나빠짐", "worse"), "moved": ("옮겨감", "moved")}
    print_table(
        [
            (
                either(language, *words.get(row["change"], ("그대로", "same"))),
                row["query"],
                _shown(row["against"], language),
                _shown(row["now"], language),
                _tops(row),
            )
            for row in rows
        ],
        korean if language == "ko" else english,
    )


def compared(now: Verdict, before: Verdict) -> dict[str, Any]:
    """Return how a canary stands in two versions: change is better, worse, moved (another top answer) or same.

    States decide; between equal ones the pair score of the pinned passage. Scores of different calibrations aren't
    compared.
    """
    change = "same" if _place(now.top) == _place(before.top) else "moved"
    good = now.state in GOOD, before.state in GOOD
    if good[0] != good[1]:
        change = "better" if good[0] else "worse"
    elif now.score is not None and before.score is not None and now.calibration == before.calibration:
        gained = now.score - before.score
        if abs(gained) >= _MOVED:
            change = "better" if gained > 0 else "worse"
    said = {"canary_id": now.canary.canary_id, "query": now.canary.query, "change": change}
    return {**said, "now": _side(now), "against": _side(before)}


def _side(verdict: Verdict) -> dict[str, Any]:
    top = verdict.top
    place = {"source": top.source, "path": top.path, "score": top.score} if top else None
    return {"state": verdict.state, "cause": verdict.cause, "score": verdict.score, "rank": verdict.rank, "top": place}


def _place(hit: Hit | None) -> tuple[str, str] | None:
    return (hit.source, hit.path) if hit else None


def _shown(side: dict[str, Any], language: str) -> str:
    return word(side["state"], language) + ("" if side["score"] is None else f" {side['score']:.2f}")


def _tops(row: dict[str, Any]) -> str:
    sides = [row["against"]["top"], row["now"]["top"]]
    places = [f"{top['source']}/{top['path']}" if top else "-" for top in sides]
    return places[1] if places[0] == places[1] else " → ".join(places)

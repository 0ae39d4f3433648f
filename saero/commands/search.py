"""saero search: passages with place, score and honest silence."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from datetime import UTC, datetime
from difflib import get_close_matches
from typing import TYPE_CHECKING, Any, TypeVar

import click

from pipelines.errors import Broken, Refused
from saero.arguments import TEXT
from saero.output import json_option, print_json, printable
from saero.words import either, said, word

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pipelines.search import Ranking, Result
    from resources.build import Saero
    from resources.searcher import Searcher

INCLUDES = ("superseded", "expired")
Term = tuple[str, float]
Found = TypeVar("Found")
# Question words and single letters of code are found everywhere (pipelines.tokens weighs them .15).
_GENERIC = 0.15
_LIKE_AN_OPTION = re.compile(r"--[a-z]")


# A question may begin with what the passages must not hold: -환불.
@click.command(
    "search",
    short_help="Find passages, with place, score and honest silence.",
    context_settings={"ignore_unknown_options": True},
)
@click.argument("query", nargs=-1, required=True, type=TEXT)
@click.option("--top-k", type=click.IntRange(1, 50), default=5, show_default=True, help="How many passages.")
@click.option("--source", multiple=True, type=TEXT, help="Only this source (repeatable).")
@click.option("--mode", type=click.Choice(["hybrid", "text", "vector"]), default="hybrid", show_default=True)
@click.option("--min-score", type=click.FloatRange(0, 1), default=0.0, help="Leave out passages below this score.")
@click.option("--all", "weak_too", is_flag=True, help="Show weak passages too.")
@click.option("--include", default="", metavar="superseded,expired", help="Look among past versions too.")
@click.option("--full", is_flag=True, help="Add the whole passage.")
@json_option
@click.pass_obj
def command(
    config: str | None,
    query: tuple[str, ...],
    top_k: int,
    source: tuple[str, ...],
    mode: str,
    min_score: float,
    weak_too: bool,
    include: str,
    full: bool,
    as_json: bool,
) -> None:
    """Search the published index. Several quoted QUERY arguments are fused into one ranking."""
    from pipelines.grammar import QUERY_CHARS, read
    from pipelines.search import Wanted
    from resources.build import build
    from resources.searcher import Searcher

    saero = build(config)
    asked = [text.strip() for text in query]
    if wrong := next(filter(_LIKE_AN_OPTION.match, query), None):
        raise _no_option(wrong.partition("=")[0])
    if not all(asked):
        raise click.BadParameter("a question is empty", param_hint="QUERY")
    included = _included(include)
    for name in [*source, *(name for text in asked for name in read(text).sources)]:
        if saero.source(name) is None:
            raise Refused(f"source {name}: the sources are: {', '.join(s.name for s in saero.sources)}")
    now = datetime.now(UTC)
    wanted = Wanted(top_k=top_k, min_score=min_score, weak_too=weak_too, mode=mode)  # type: ignore[arg-type]

    def search() -> tuple[Searcher, Ranking]:
        searcher = Searcher(saero.reader(), None if mode == "text" else saero.query_encoder, saero.settings.zone)
        return searcher, searcher.search(asked, now=now, wanted=wanted, sources=source, include=included)

    searcher, ranking = _again_when_switched(saero, search)
    _keep(saero, ranking, asked, now)
    if any(len(text) > QUERY_CHARS for text in asked):
        korean = f"질문이 길어 앞 {QUERY_CHARS:,}자만 읽었습니다."
        english = f"The question is long: its first {QUERY_CHARS:,} characters were read."
        click.echo(either(saero.settings.language, korean, english), err=True)
    report = _report(saero, searcher, asked, ranking, now, full=full)
    if as_json:
        print_json(report)
    else:
        _print(report, saero, terms_of(searcher, asked), min_score)


def _again_when_switched(saero: Saero, search: Callable[[], Found]) -> Found:
    """Search once more when the files of a version were taken away meanwhile: `saero forget` leaves none behind."""
    from resources.published import read_published

    before = read_published(saero.index_dir)
    try:
        return search()
    except Broken:
        if read_published(saero.index_dir) == before:
            raise
        return search()


def _no_option(name: str) -> click.UsageError:
    known = [option for parameter in command.params for option in parameter.opts if option.startswith("--")]
    if name in known:
        return click.UsageError(f"{name} stands behind `--`, where all is a question: options go before it")
    return click.NoSuchOption(name, possibilities=get_close_matches(name, known))


def _keep(saero: Saero, ranking: Ranking, asked: list[str], now: datetime) -> None:
    """Leave what was found to the next run; a search fails or waits for nothing of it."""
    from pipelines.grammar import QUERY_CHARS
    from pipelines.inbox import search_line

    questions = [text[:QUERY_CHARS] for text in asked] if saero.settings.search_log.text else []
    rows = [result.row for result in ranking.results]
    with suppress(OSError):
        saero.inbox.append(
            search_line(rows, now, questions=questions, score=ranking.top_score, answerable=ranking.answerable)
        )


def _included(include: str) -> tuple[Any, ...]:
    names = tuple(name.strip() for name in include.split(",") if name.strip())
    for name in names:
        if name not in INCLUDES:
            raise click.BadParameter(f"{name!r} is none of {', '.join(INCLUDES)}", param_hint="--include")
    return names


def _report(
    saero: Saero, searcher: Searcher, asked: list[str], ranking: Ranking, now: datetime, *, full: bool
) -> dict[str, Any]:
    """Return the shape of `search --json` (docs/cli.md)."""
    from pipelines.stale import stale_results
    from resources.status import read_status

    status = read_status(saero.status_path)
    terms = terms_of(searcher, asked)
    results = [_result(saero, result, terms, full=full) for result in ranking.results]
    shown = ((f"{one['source']}/{one['path']}", one["flags"]) for one in results)
    reasons = [*saero.stale_reasons(status, now), *stale_results(shown)]
    record = searcher.reader.record
    return {
        "query": asked,
        "answerable": ranking.answerable,
        "only_conditional": ranking.only_conditional,
        "only_named": ranking.only_named,
        "stale": bool(reasons),
        "stale_reasons": reasons,
        "unsearched": list(status.unsearched),
        "index": {
            "version": record.version,
            "published_at": record.published_at,
            "encoder": record.encoder,
            "calibration": searcher.calibration.id,
        },
        "results": results,
    }


def terms_of(searcher: Searcher, asked: Sequence[str]) -> list[Term]:
    """Return what the questions look for, as it stands in a text, with its weight."""
    terms: dict[str, float] = {}
    for text in asked:
        query = searcher.query(text, with_vector=False)
        for term, weight in (one for _, read in query.readings for one in read):
            word = term.removeprefix("=")
            terms[word] = max(weight, terms.get(word, 0.0))
    return list(terms.items())


def _result(saero: Saero, result: Result, terms: list[Term], *, full: bool) -> dict[str, Any]:
    row = result.row
    locator = {"page": None, "slide": None, "sheet": None, "rows": None, "ocr": False, **json.loads(row["locator"])}
    locator["heading"] = list(row["heading"] or ())
    snippet = _snippet(saero, row, locator, terms)
    shown = {
        "rank": result.rank,
        "score": round(result.score, 4),
        "tier": result.tier,
        "exact": result.exact,
        "cosine": None if result.cosine is None else round(result.cosine, 4),
        "bm25": None if result.bm25 is None else round(result.bm25, 4),
        "source": row["source"],
        "path": row["path"],
        "title": row["title"],
        "locator": locator,
        "snippet": snippet,
        "chunk_id": row["chunk_id"],
        "modified_at": row["modified_at"],
        "expires_at": row["expires_at"],
        "flags": json.loads(row["flags"]),
        "also_in": list(result.also_in),
    }
    if full:
        shown["text"] = row["text"]
    return shown


def _snippet(saero: Saero, row: Any, locator: dict[str, Any], terms: list[Term]) -> str:
    """Return a slice of the cited lines of the text version, or of the passage itself; the locator names its page.

    The text version follows the file at once, the index at the end of a run: lines that don't hold this passage are
    of another version, and showing them under its score would be a lie.
    """
    from pipelines.locate import heaviest_line, page_at, snippet

    passage = str(row["text"])
    text = saero.mirror.read(row["source"], row["path"])
    lines, pages = locator.get("lines"), locator.pop("pages", ())
    if text is None or not lines or not _holds(text.split("\n"), lines, passage.split("\n")):
        whole = passage.split("\n")
        return snippet(passage, whole, [1, len(whole)], terms)
    shown = snippet(passage, text.split("\n"), lines, terms)
    if pages:
        cited = "\n".join(text.split("\n")[lines[0] - 1 : lines[1]])
        line = lines[0] + cited.count("\n", 0, cited.find(shown)) + heaviest_line(shown, terms)
        locator["page"] = page_at(line, pages) or locator["page"]
    return shown


def _holds(mirror: Sequence[str], lines: Sequence[int], passage: Sequence[str]) -> bool:
    """Tell whether the cited lines hold a passage; a table's header is repeated from lines before them."""
    cited = "\n".join(mirror[lines[0] - 1 : lines[1]])
    before = "\n".join(mirror[: lines[0] - 1])
    missing = [line for line in passage if line not in cited]
    is_header = list(passage[: len(missing)]) == missing and all(line in before for line in missing)
    return len(missing) < len(passage) and is_header


def _print(report: dict[str, Any], saero: Saero, terms: list[Term], min_score: float) -> None:
    language = saero.settings.language
    if report["stale"]:
        why = printable(said(report["stale_reasons"], language))
        click.secho(either(language, f"오래된 정보일 수 있음: {why}", f"may be stale: {why}"), err=True)
    if report["results"] and (said_so := _doubt(report)):
        click.secho(either(language, *said_so), bold=True)
    for result in report["results"]:
        _print_result(result, language, terms)
    if not report["results"] and min_score:
        korean = f"{min_score:g}점 이상인 문단이 없습니다 (--min-score)."
        click.echo(either(language, korean, f"No passage scores {min_score:g} or more (--min-score)."))
    elif not report["results"]:
        korean = "답이 되는 문서가 없습니다. 약한 후보까지 보려면 --all"
        click.echo(either(language, korean, "No document answers this. --all shows weak candidates too."))
    if report["unsearched"]:
        count = len(report["unsearched"])
        korean = f"검색에서 빠진 파일 {count}건 (saero documents --unsearched)"
        click.echo(either(language, korean, f"{count} files can't be searched (saero documents --unsearched)"))


def _doubt(report: dict[str, Any]) -> tuple[str, str] | None:
    """Return what stands above results that may be no answer, in Korean and English."""
    if report["only_named"]:
        return "내용에는 답이 없습니다. 아래는 이름이 맞는 문서입니다.", "No text answers. Documents of this name:"
    if report["only_conditional"]:
        return "확실한 답은 없습니다. 아래는 참고입니다.", "No sure answer: the passages below are conditional."
    if not report["answerable"]:
        return "아래는 답이 아닐 수 있습니다.", "These may not be the answer."
    return None


def _print_result(result: dict[str, Any], language: str, terms: list[Term]) -> None:
    place = printable(f"{result['source']}/{result['path']}")
    click.secho(f"{result['rank']}. {place}", bold=True, nl=False)
    click.echo(f"  {word(result['tier'], language)} {result['score']:.2f}  {_where(result['locator'], language)}")
    heading = printable(" > ".join(result["locator"]["heading"]))
    if heading:
        click.echo(f"   {heading}")
    for line in result.get("text", result["snippet"]).split("\n"):
        click.echo(f"   {marked(printable(line), terms)}")
    if result["also_in"]:
        others = printable(", ".join(f"{other['source']}/{other['path']}" for other in result["also_in"]))
        click.echo(either(language, f"   같은 문단: {others}", f"   same passage: {others}"))
    if result["flags"]:
        click.echo("   " + printable(", ".join(word(flag, language) for flag in result["flags"])))
    click.echo()


def marked(line: str, terms: Sequence[Term]) -> str:
    """Underline what was looked for; click leaves the marks out where the output is no terminal."""
    from pipelines.locate import places_of

    # A single letter is mostly an ending or a digit that stands everywhere; generic words weigh less than a third.
    words = [term for term, weight in terms if weight > _GENERIC and len(term) > 1]
    shown, place = [], 0
    for start, end in places_of(line, words):
        shown += [line[place:start], click.style(line[start:end], underline=True)]
        place = end
    return "".join([*shown, line[place:]])


def _where(locator: dict[str, Any], language: str) -> str:
    """Return the place in the original and the lines of the text version."""
    parts = []
    if locator["page"]:
        parts.append(either(language, f"{locator['page']}쪽", f"page {locator['page']}"))
    if locator.get("ocr"):
        parts.append(either(language, "글자 인식", "OCR"))
    if locator["slide"]:
        parts.append(either(language, f"슬라이드 {locator['slide']}", f"slide {locator['slide']}"))
    if locator["sheet"]:
        rows = locator["rows"]
        sheet = printable(locator["sheet"])
        parts.append(f"{sheet}!{rows[0]}-{rows[1]}" if rows else sheet)
    if locator.get("lines"):
        first, last = locator["lines"]
        if first == last:
            parts.append(either(language, f"{first}줄", f"line {first}"))
        else:
            parts.append(either(language, f"{first}-{last}줄", f"lines {first}-{last}"))
    return ", ".join(parts)

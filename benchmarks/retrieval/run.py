"""Bars 1 and 2 of search: does it find the passage, and does it know when there is none? Exit code 1 below a bar.

    python benchmarks/retrieval/run.py [--only rankings identifiers office score] [--every 1]

rankings     KorQuAD's paragraphs as documents: BM25, vector, RRF, LanceDB's hybrid and ours over the same questions
identifiers  things written in one way, among near variants of themselves
office       documents and questions of an office by two writers, through a whole refresh; snippets as the command says
score        answerable against answer-removed, at 150 to 3,000 passages and, by simulation, at 50,000

KorQuAD is read from SAERO_EVAL or ../shared/eval beside the checkout; vectors are kept in .saero/bench, where the
first run takes half an hour of one core. --every N asks every Nth question of KorQuAD.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
os.environ["LANCEDB_LOG"] = "error"  # LanceDB's own hybrid search warns at every question
sys.path.insert(0, str(PROJECT))
sys.path.append(str(PROJECT / "benchmarks" / "dedup"))  # figures; its korquad must not come before ours

import answering  # noqa: E402
import compared  # noqa: E402
import corpus  # noqa: E402
import identifiers  # noqa: E402
import korquad  # noqa: E402
import office  # noqa: E402
from figures import Figure  # noqa: E402
from measures import share  # noqa: E402
from rankings import OURS, Rankings  # noqa: E402
from vectors import CachedEncoder  # noqa: E402

from pipelines.score import E5_SMALL  # noqa: E402
from pipelines.search import Query  # noqa: E402
from resources.searcher import Searcher  # noqa: E402

PARTS = ("rankings", "identifiers", "office", "score")
FIRST, MEAN_RECIPROCAL, AHEAD = 0.955, 0.97, 0.01
OTHERS = 4


def main() -> None:
    """Measure, print, and end with 1 below a bar."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--only", nargs="*", choices=PARTS, default=list(PARTS), metavar="PART")
    options.add_argument("--every", type=int, default=1, metavar="N", help="ask every Nth question of KorQuAD")
    chosen = options.parse_args()
    if korquad.paragraphs() is None:
        raise SystemExit(f"{korquad.FILE} is missing: set SAERO_EVAL to the folder that holds it")
    encoder = CachedEncoder()
    found: list[Figure] = []
    with tempfile.TemporaryDirectory(prefix="saero-retrieval-") as scratch:
        for part in chosen.only:
            figures, lines = _MEASURED[part](encoder, Path(scratch), chosen.every)
            found += figures
            print(*lines, *(figure.line() for figure in figures), "", sep="\n", flush=True)
    missed = [figure for figure in found if not figure.met]
    print(f"{len(missed)} of {sum(bool(figure.bar) for figure in found)} bars missed")
    sys.exit(1 if missed else 0)


def rank_korquad(encoder: CachedEncoder, scratch: Path, every: int) -> tuple[list[Figure], list[str]]:
    """Rank KorQuAD's paragraphs."""
    texts = korquad.paragraphs() or []
    asked = korquad.questions(texts)[::every]
    documents = [corpus.Document(str(n), one.title, one.text) for n, one in enumerate(texts)]
    reader = corpus.write_index(scratch / "korquad", corpus.rows_of(documents, encoder), encoder)
    rankings = Rankings(reader, E5_SMALL, lambda row: str(row["path"]))
    encoder.queries([one.text for one in asked])
    kinds = ("used in fitting", "not used in fitting")
    ranked = [
        _asked(kinds[not answering.fitted(one, texts)], one.text, frozenset(map(str, one.golds)), rankings, encoder)
        for one in asked
    ]
    lines = compared.table(ranked, f"KorQuAD dev, {len(texts)} paragraphs, {reader.count()} passages")
    lines += compared.by_kind(ranked)
    return [*_bars("KorQuAD", ranked), _prefix("KorQuAD", rankings)], lines


def find_identifiers(encoder: CachedEncoder, scratch: Path, every: int) -> tuple[list[Figure], list[str]]:
    """Look for identifiers, ours and the prototype's, each set in an index of its own."""
    found, lines = [], []
    around = [corpus.Document(str(n), one.title, one.text) for n, one in enumerate(korquad.paragraphs() or [])][::3]
    for name, cases in (("own", identifiers.own()), ("shared", identifiers.shared())):
        if not cases:
            continue
        rows = corpus.rows_of(identifiers.documents(cases) + around, encoder)
        rankings = Rankings(corpus.write_index(scratch / name, rows, encoder), E5_SMALL, lambda row: str(row["path"]))
        ranked = [_asked("", case.query, frozenset({case.query}), rankings, encoder) for case in cases]
        lines += compared.table(ranked, f"identifiers, {name}, {len(rows)} passages")
        lines += [f"  not first: {case.query}" for case, one in zip(cases, ranked, strict=True) if one.ranks[OURS] != 1]
        right = sum(one.ranks[OURS] == 1 for one in ranked)
        found.append(Figure(f"identifiers at rank 1, {name}", f"{right} of {len(cases)}", "all", right == len(cases)))
    return found, lines


def ask_office(encoder: CachedEncoder, scratch: Path, every: int) -> tuple[list[Figure], list[str]]:
    """Ask the questions of both halves over one index of both."""
    team = office.team()
    reader = team.reader()
    searcher = Searcher(reader, encoder)
    rankings = Rankings(reader, E5_SMALL, office.place)
    found: list[Figure] = [Figure("office passages", str(reader.count()), ">= 300", reader.count() >= 300)]
    lines: list[str] = []
    for half in office.HALVES:
        answered = [one for one in office.questions(half) if one.documents]
        if not answered:
            continue
        encoder.queries([one.text for one in answered])
        ranked = [_asked(one.kind, one.text, one.documents, rankings, encoder) for one in answered]
        lines += compared.table(ranked, f"office, {half} half, {reader.count()} passages of both")
        lines += compared.by_kind(ranked)
        shown = [office.snippets(one, team, searcher) for one in answered]
        pairs = list(zip(answered, shown, strict=True))
        for depth in (1, 3):
            held = share([any(office.holds(one, text) for text in texts[:depth]) for one, texts in pairs])
            found.append(Figure(f"office, {half}: answer in the snippet of the top {depth}", str(held)))
    return [*found, _prefix("office", rankings)], lines


def _asked(kind: str, text: str, golds: frozenset[str], rankings: Rankings, encoder: CachedEncoder) -> compared.Asked:
    query = Query.of(text, encoder.embed_query(text))
    found = rankings.ask(query)
    return compared.Asked(kind, {name: compared.rank_of(documents, golds) for name, documents in found.items()})


def _bars(name: str, ranked: Sequence[compared.Asked]) -> list[Figure]:
    first, mrr = compared.first(ranked, OURS), compared.mrr(ranked, OURS)
    others = [other for other in ranked[0].ranks if other != OURS]
    best = max(others, key=lambda other: compared.first(ranked, other).value)
    ahead = compared.lead(ranked, best)
    return [
        Figure(f"{name}: r@1, ours", str(first), f">= {FIRST}", first.value >= FIRST),
        Figure(f"{name}: MRR, ours", str(mrr), f">= {MEAN_RECIPROCAL}", mrr.value >= MEAN_RECIPROCAL),
        Figure(f"{name}: r@1 ahead of {best}, the best other", str(ahead), f">= {AHEAD}", ahead.value >= AHEAD),
    ]


def _prefix(name: str, rankings: Rankings) -> Figure:
    found = rankings.unsteady
    return Figure(f"{name}: top 3 or 5 that don't begin the longer list", str(found), "0", not found)


_MEASURED: Mapping[str, Callable[[CachedEncoder, Path, int], tuple[list[Figure], list[str]]]] = {
    "rankings": rank_korquad,
    "identifiers": find_identifiers,
    "office": ask_office,
    "score": answering.measure,
}

if __name__ == "__main__":
    main()

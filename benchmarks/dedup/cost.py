"""Bar 2: CPU of the text work, of 10,000 against 50,000 documents, and of 100 new ones among 50,000.

    python benchmarks/dedup/cost.py [--venvs FOLDER]

CPU seconds of the whole process, the ledger's threads included. The whole pipe is what a refresh does with documents
that are parsed: sketches and bands into a ledger on disk, candidates, verification, edges, families. Texts come from
memory. The common corpus has as many users on each form whatever its size (a larger company has more forms); the other
one, without a bar, has the same few forms for all, so that the pairs on a form grow with the square.
"""

from __future__ import annotations

import argparse
import gc
import sys
import tempfile
from pathlib import Path

from figures import Figure
from generator import corpus
from ledgered import Bodies, Stand
from signatures import costs, ours, table

SMALL, LARGE, NEW = 10_000, 50_000, 100
# Others are at work on the machine: what is short is measured more than once.
TURNS = 3
FORM_USERS = 100
TEXT_BARS = {800: 0.2, 20_000: 1.2}
TEXT_COUNTS = {800: 2_000, 20_000: 200}
GROWTH_BAR, NEW_BAR = 5.0, 2.0


def text_figures(venvs: Path) -> tuple[list[Figure], list[str]]:
    """Return the cost of the text work by size, and the table of peers."""
    found, tables = [], []
    for size, bar in TEXT_BARS.items():
        texts = [document.text for document in corpus(TEXT_COUNTS[size], size)]
        spent = ours(texts)
        found.append(Figure(f"2 text work, {size} B, CPU ms a document", f"{spent:.3f}", f"<= {bar}", spent <= bar))
        tables.append(table(size, costs(texts, venvs)))
    return found, tables


def growth_figures(scratch: Path, small: int = SMALL, large: int = LARGE) -> list[Figure]:
    """Return what more documents cost, and what new ones cost among many."""
    few, rest = (Bodies.of(corpus(count, 800, form_users=FORM_USERS)) for count in (small, large + TURNS * NEW))
    first = cheaper_of_two(scratch / "few", few, small)
    many = cheaper_of_two(scratch / "many", rest, large)
    spent, before, edges = many.spent, stored(many), len(many.edges)
    new_spent = []
    for turn in range(1, TURNS + 1):
        many.asked = 0
        many.step(range(large + turn * NEW))
        new_spent.append(many.spent)
    after = stored(many)
    # A new copy of an old body may be the content by which the body is compared from now on, whatever came first.
    spoken_for = {body for body, content in after} - {body for body, content in before.keys() & after.keys()}
    old = {key: row for key, row in before.items() if key[0] not in spoken_for}
    same = sum(after.get(key) == row for key, row in old.items())
    times = spent / first.spent
    note = f"{first.spent:.1f} s and {spent:.1f} s; {edges:,} edges; ledger {_megabytes(many):.0f} MB"
    return [
        Figure(
            f"2 {small:,} -> {large:,} documents, CPU",
            f"{times:.2f} x",
            f"<= {GROWTH_BAR:.0f} x",
            times <= GROWTH_BAR,
            note,
        ),
        Figure(
            f"2 {NEW} new documents among {large:,}, CPU s",
            f"{min(new_spent):.2f}",
            f"< {NEW_BAR:.0f}",
            min(new_spent) < NEW_BAR,
            f"the cheapest of {TURNS} times; {len(many.edges) - edges} new edges in all, "
            f"{many.asked} texts asked for the last time",
        ),
        Figure(
            "2 old sketches untouched",
            f"{same:,}/{len(old):,}",
            "all",
            same == len(old),
            f"{len(before) - len(old)} more are compared by a new copy from now on",
        ),
    ]


def cheaper_of_two(folder: Path, documents: Bodies, count: int) -> Stand:
    """Return a ledger of the first `count` documents, made twice: others are at work on the machine.

    The documents are kept out of the garbage collector's sight: a refresh doesn't hold them.
    """
    gc.collect()
    gc.freeze()
    stands = [Stand(folder / f"{turn}", documents) for turn in range(2)]
    for stand in stands:
        stand.step(range(count))
    gc.unfreeze()
    return min(stands, key=lambda stand: stand.spent)


def forms_for_all(scratch: Path, small: int = SMALL) -> list[Figure]:
    """Return the same growth, twofold, with forms that a few % of all documents use."""
    spent = [
        cheaper_of_two(scratch / str(count), Bodies.of(corpus(count, 800)), count).spent for count in (small, 2 * small)
    ]
    name = f"2 {small:,} -> {2 * small:,}, a few % of all on each form"
    return [Figure(name, f"{spent[1] / spent[0]:.2f} x", note=f"{spent[0]:.1f} s and {spent[1]:.1f} s")]


def stored(stand: Stand) -> dict[tuple[str, str], str]:
    """Return (body, content it was sketched from) -> a hash of all that is stored of its sketch and its bands."""
    with stand.ledger.transaction("benchmark") as con:
        rows = con.execute(
            "select body_hash, content_hash, sha256(concat_ws(' ', sketch_id, sketch_version, n_grams, made_at, "
            "md5(signature), bands)) from sketches join (select sketch_id, list(band order by band) bands from bands "
            "group by sketch_id) using (sketch_id)"
        ).fetchall()
    return {(body, content): row for body, content, row in rows}


def _megabytes(stand: Stand) -> float:
    return sum(file.stat().st_size for file in stand.folder.rglob("*") if file.is_file()) / 1e6


def main() -> None:
    """Print figures and tables; exit code 1 below a bar."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--venvs", type=Path, help="keep the environment of the peer there")
    chosen = options.parse_args()
    with tempfile.TemporaryDirectory(prefix="saero-dedup-") as scratch:
        folder = Path(scratch)
        found, tables = text_figures((chosen.venvs or folder / "venvs").resolve())
        found += [*growth_figures(folder / "growth"), *forms_for_all(folder / "forms")]
    print(*(figure.line() for figure in found), *tables, sep="\n")
    sys.exit(any(not figure.met for figure in found))


if __name__ == "__main__":
    main()

"""Bar 3: the same families, representatives and edges whatever came first, also after deletions.

    python benchmarks/dedup/order.py

Documents come into a ledger in 20 random orders of random batches, and folder by folder in two orders; each must end as
one batch does, record for record. When a document was first seen is part of it, so that the runs can be compared.
A second, larger corpus crosses the size from which a list of common 5-grams is frozen: each order freezes another.
"""

from __future__ import annotations

import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from figures import Figure
from generator import SEED, SOURCES, corpus
from ledgered import Bodies, Stand

DOCUMENTS, ORDERS = 1_000, 20
LISTED_DOCUMENTS, LISTED_ORDERS = 2_600, 3
LISTED_FROM = 2_000  # assets.stages.near.LIST_FROM

State = tuple[object, object, object]


def state(stand: Stand) -> State:
    """Return all that must not depend on the order."""
    return stand.edges, stand.families, stand.representatives()


def batches(places: Sequence[int], chance: random.Random) -> Iterator[list[int]]:
    """Cut an order into batches of one document up to a third of all."""
    start = 0
    while start < len(places):
        end = start + chance.randint(1, max(1, len(places) // 3))
        yield list(places[start:end])
        start = end


def arrived(folder: Path, documents: Bodies, arrivals: Iterable[Sequence[int]]) -> Stand:
    """Return a ledger into which the batches came one after the other."""
    stand = Stand(folder, documents)
    there: list[int] = []
    for batch in arrivals:
        there += batch
        stand.step(there)
    return stand


def random_orders(documents: Bodies, count: int) -> Iterator[list[list[int]]]:
    """Yield batches of all documents, in `count` random orders."""
    for number in range(count):
        chance = random.Random(f"{SEED} {number}")
        yield list(batches(chance.sample(range(len(documents.documents)), len(documents.documents)), chance))


def by_folder(documents: Bodies, sources: Sequence[str]) -> list[list[int]]:
    """Return the documents of each source as one batch."""
    return [
        [place for place, document in enumerate(documents.documents) if document.source == source] for source in sources
    ]


def kept_copies(stand: Stand) -> set[int]:
    """Return the documents that serve a body of which there are more."""
    serving = set(stand.representatives().values())
    holders = defaultdict(list)
    for place, member in enumerate(stand.members):
        holders[member.body_hash].append(place)
    return {
        place
        for places in holders.values()
        if len(places) > 1
        for place in places
        if (stand.members[place].source, stand.members[place].path) in serving
    }


def bridges(stand: Stand) -> set[int]:
    """Return the documents of bodies without which their family falls apart."""
    bodies = set()
    for family in stand.families:
        names = {member.body_hash for member in family.members}
        joined = {(edge.a, edge.b) for edge in family.edges}
        bodies |= {body for body in names if len(names) > 2 and _parts(names - {body}, joined) > 1}
    return {place for place, member in enumerate(stand.members) if member.body_hash in bodies}


def _parts(names: set[str], joined: set[tuple[str, str]]) -> int:
    left, parts = set(names), 0
    while left:
        parts, reached = parts + 1, {left.pop()}
        while reached:
            fellows = {other for pair in joined for other in pair if reached & set(pair)}
            reached = fellows & left
            left -= reached
    return parts


def order_figures(scratch: Path, count: int = DOCUMENTS, orders: int = ORDERS) -> list[Figure]:
    """Compare orders with one batch, then what is left after deletions with a fresh build of it."""
    documents = Bodies.of(corpus(count, 800))
    whole = arrived(scratch / "whole", documents, [range(count)])
    wanted = state(whole)
    arrivals = [*random_orders(documents, orders), by_folder(documents, SOURCES), by_folder(documents, SOURCES[::-1])]
    same = last = 0
    for number, arrival in enumerate(arrivals):
        stand = arrived(scratch / f"order-{number}", documents, arrival)
        same += state(stand) == wanted
        last = len(arrival)
    note = f"{len(whole.edges)} edges, {len(whole.families)} families; the last {last} folders one at a time"
    return [
        Figure(
            f"3 orders and folders that end alike, {count:,} documents",
            f"{same}/{len(arrivals)}",
            "all",
            same == len(arrivals),
            note,
        ),
        *_deletions(scratch, whole, documents),
    ]


def _deletions(scratch: Path, whole: Stand, documents: Bodies) -> Iterator[Figure]:
    everything = set(range(len(documents.documents)))
    served = set(whole.representatives())
    for name, gone in (("kept copies", kept_copies(whole)), ("bridges", bridges(whole))):
        families = len(whole.families)
        whole.step(sorted(everything - gone))
        fresh = arrived(scratch / f"without {name}", documents, [sorted(everything - gone)])
        alike = state(whole) == state(fresh)
        note = f"families {families} -> {len(whole.families)}"
        if name == "kept copies":
            alike = alike and set(whole.representatives()) == served
            note += "; each body is served by another copy"
        shown = "alike" if alike else "differs"
        yield Figure(f"3 {len(gone)} {name} deleted: as a fresh build", shown, "alike", alike, note)
        whole.step(sorted(everything))
        back = set(whole.representatives()) == served and len(whole.families) == families
        yield Figure(f"3 {name} back again", "as before" if back else "differs", "as before", back)


def listed_figures(scratch: Path, count: int = LISTED_DOCUMENTS, orders: int = LISTED_ORDERS) -> list[Figure]:
    """Compare orders of a corpus in which each order freezes a list of common 5-grams of its own."""
    documents = Bodies.of(corpus(count, 800))
    wanted = state(arrived(scratch / "listed", documents, [range(count)]))
    same = 0
    for number, arrival in enumerate(random_orders(documents, orders)):
        same += state(arrived(scratch / f"listed-{number}", documents, arrival)) == wanted
    name = f"3 orders that freeze other lists end alike, {count:,} documents"
    return [Figure(name, f"{same}/{orders}", "all", same == orders)]


def main() -> None:
    """Print the figures; exit code 1 below a bar."""
    with tempfile.TemporaryDirectory(prefix="saero-dedup-") as scratch:
        found = [*order_figures(Path(scratch)), *listed_figures(Path(scratch))]
    for figure in found:
        print(figure.line())
    sys.exit(any(not figure.met for figure in found))


if __name__ == "__main__":
    main()

"""Accepted redundancies: a document leaves only while all that covers it can be found."""

from __future__ import annotations

from collections.abc import Collection, Mapping


def holding(accepted: Mapping[str, Collection[str]], served: Collection[str]) -> set[str]:
    """Return the covered bodies whose acceptance holds: every cover is served and doesn't leave itself.

    accepted  covered body -> the bodies that cover it
    served    bodies that a search finds, or would find without these answers

    Of bodies that cover each other in a circle all stay: no passage may leave with its last holder.
    """
    here = set(served)
    unsure = {body: set(covers) for body, covers in accepted.items() if here.issuperset(covers)}
    leaving: set[str] = set()
    while ready := {body for body, covers in unsure.items() if covers.isdisjoint(unsure)}:
        leaving |= {body for body in ready if unsure[body].isdisjoint(leaving)}
        unsure = {body: covers for body, covers in unsure.items() if body not in ready}
    return leaving

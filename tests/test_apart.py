from __future__ import annotations

from pipelines.parsers.apart import Apart
from pipelines.records import Aside, Locator


def test_a_running_header_is_kept_once_and_a_comment_at_every_place() -> None:
    apart = Apart()
    for page in (1, 2):
        apart.put("header", "대외비", Locator(page=page))
        apart.put("comment", "김: 확인", Locator(page=page))
    assert apart.counts == {"header": 2, "comment": 2}
    assert [(aside.kind, aside.locator.page) for aside in apart.kept] == [("header", 1), ("comment", 1), ("comment", 2)]


def test_asides_without_words_are_none() -> None:
    apart = Apart()
    apart.put("footer", " \n ")
    assert (apart.counts, apart.kept) == ({}, ())


def test_what_a_part_kept_apart_is_taken_over_with_its_counts() -> None:
    cell, page = Apart(), Apart()
    cell.put("comment", "금액 확인")
    cell.count("hidden", 2)
    page.put("footer", "1팀")
    page.take(cell)
    assert page.counts == {"footer": 1, "comment": 1, "hidden": 2}
    assert page.kept == (Aside("footer", "1팀"), Aside("comment", "금액 확인"))


def test_a_flood_of_comments_is_counted_and_not_kept() -> None:
    apart = Apart()
    for number in range(30):
        apart.put("comment", f"{number}" + "가" * 100_000)
    assert apart.counts["comment"] == 30
    assert len(apart.kept) < 10

"""Sketches and edges from night to night: only what is new is read, and families never depend on who came first."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from fakes import ledger_left_open
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from office_makers import make_docx, make_pdf
from team import Team, prose

from assets.stages import near
from assets.stages.dedup import settle
from assets.stages.parse import parse_sources
from pipelines.compared import Content, chosen, content_of
from pipelines.near import Edge
from pipelines.records import Block
from pipelines.verify import edges_among as columns_among
from resources.build import Run, open_run
from resources.ledger import Ledger, sketches
from resources.ledger import edges as edge_store
from resources.ledger.export import lines, take_back
from resources.ledger.rows import fetch
from resources.ledger.sweep import sweep

NOW = datetime(2026, 11, 30, 2, tzinfo=UTC)


def evening(team: Team, sources: Sequence[str] = ()) -> Run:
    """Read and settle, as far as families go."""
    saero = team.saero()
    with ledger_left_open(), open_run(saero, "evening", trigger="test", wait=timedelta(0)) as run:
        parse_sources(run, list(sources or [source.name for source in saero.sources]))
        run.memory["settled"] = settle(run)
    return run


def edges_among(texts: Mapping[str, str]) -> list[Edge]:
    return list(columns_among(texts))


def edges(team: Team) -> list[Edge]:
    """Return the edges between the bodies that documents serve."""
    with team.saero().ledger.transaction() as con:
        rows = fetch(con, "select distinct body_hash from documents where state <> 'gone' and body_hash is not null")
        return list(edge_store.among(con, [row["body_hash"] for row in rows]))


def labels(run: Run) -> dict[str, int]:
    return {name: count for name, count in run.memory["settled"].items() if name.startswith("families")}


def chain() -> list[list[str]]:
    """Return three versions of a plan: each is near the next, the first isn't near the last."""
    first = prose("chain", 6)
    second = [edited(first[0], *range(0, 30, 6)), *first[1:]]
    return [first, second, [*second[:5], edited(second[5], *range(0, 30, 6))]]


class Shelf:
    """Bodies by name, a ledger for them, and a note of every content whose words were asked for."""

    def __init__(self, folder: Path, texts: Mapping[str, str]) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.ledger = Ledger(folder)
        self.texts = dict(texts)
        self.asked: list[str] = []

    def words(self, content: Content) -> str | None:
        self.asked.append(content.content_hash)
        return self.texts.get(content.content_hash)

    def night(self, names: Iterable[str], parser: str = "1") -> list[Edge]:
        """Return the edges once these bodies are served; a body's content has its name."""
        self.asked = []
        served = {name: Content(False, name, parser) for name in names}
        near.compare(self.ledger, served, self.words, NOW)
        with self.ledger.transaction() as con:
            return list(edge_store.among(con, names))

    def count(self, table: str) -> int:
        with self.ledger.transaction() as con:
            return int(fetch(con, f"select count(*) as n from {table}")[0]["n"])


def text(seed: str, paragraphs: int = 4) -> str:
    return " ".join(prose(seed, paragraphs))


def edited(whole: str, *places: int) -> str:
    """Return `whole` with one word changed at each place."""
    words = whole.split()
    for place in places:
        words[place] = f"고침{place}"
    return " ".join(words)


def bodies() -> dict[str, str]:
    """Return three versions in a chain, an extract, and three that have nothing to do with them."""
    plan = text("plan", 6)
    return {
        "plan": plan,
        "plan-2": edited(plan, 7),
        "plan-3": edited(plan, 7, 90),
        "extract": " ".join(plan.split()[:100]),
        "other": text("other"),
        "third": text("third"),
        "short": "네, 알겠습니다.",
    }


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path, bodies())


def test_the_edges_are_those_that_a_comparison_of_all_finds(shelf: Shelf) -> None:
    found = shelf.night(shelf.texts)
    assert found == edges_among(shelf.texts)
    assert {(edge.a, edge.b): edge.kind for edge in found} == {
        ("extract", "plan"): "contains",
        ("extract", "plan-2"): "contains",
        ("extract", "plan-3"): "contains",
        ("plan", "plan-2"): "near",
        ("plan", "plan-3"): "near",
        ("plan-2", "plan-3"): "near",
    }


def test_the_version_rule_sees_no_form(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    shelf.night(shelf.texts)
    monkeypatch.setattr(near, "FORM_FELLOWS", 2)
    found = near.alike(shelf.ledger, dict.fromkeys([*shelf.texts, "unread"], 1) | {"other": 2, "unread": 2})
    assert list(found.edges) == [] and found.labels == {"families_exact": 2, "families_mixed": 1}
    found = near.alike(shelf.ledger, dict.fromkeys(shelf.texts.keys() - {"extract"}, 1))
    assert len(found.edges) == 3 and found.labels == {"families_near": 1}


def test_a_second_night_asks_for_no_words_and_writes_nothing(shelf: Shelf) -> None:
    found = shelf.night(shelf.texts)
    before = hashlib.sha256(shelf.ledger.path.read_bytes()).hexdigest()
    assert shelf.night(shelf.texts) == found and shelf.asked == []
    assert hashlib.sha256(shelf.ledger.path.read_bytes()).hexdigest() == before


def test_a_new_body_is_compared_without_reading_those_it_has_nothing_to_do_with(shelf: Shelf) -> None:
    shelf.night(shelf.texts.keys() - {"plan-3"})
    assert shelf.night(shelf.texts) == edges_among(shelf.texts)
    assert set(shelf.asked) == {"plan-3", "plan-2", "plan", "extract"}


@settings(max_examples=6, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(order=st.permutations(sorted(bodies())), cuts=st.sets(st.integers(1, 6), max_size=3))
def test_the_edges_do_not_depend_on_the_order_of_arrival(
    tmp_path_factory: pytest.TempPathFactory, order: list[str], cuts: set[int]
) -> None:
    shelf = Shelf(tmp_path_factory.mktemp("order"), bodies())
    with ledger_left_open():
        for cut in sorted(cuts):
            shelf.night(order[:cut])
        assert shelf.night(order) == edges_among(bodies())


def test_rounds_of_any_size_give_the_same_edges(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(near, "BATCH_BODIES", 2)
    monkeypatch.setattr(near, "BATCH_CHARS", 1)
    assert shelf.night(shelf.texts) == edges_among(shelf.texts)
    assert shelf.count("sketches") == len(shelf.texts)


def test_a_night_that_is_killed_between_rounds_loses_no_pair(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(near, "BATCH_BODIES", 3)
        patch.setattr(shelf, "words", dying_after(5, shelf.words))
        with pytest.raises(KeyboardInterrupt):
            shelf.night(shelf.texts)
    assert 0 < shelf.count("sketches") < len(shelf.texts)
    assert shelf.night(shelf.texts) == edges_among(shelf.texts)


def dying_after(times: int, words: Callable[[Content], str | None]) -> Callable[[Content], str | None]:
    left = iter(range(times))

    def ask(content: Content) -> str | None:
        if next(left, None) is None:
            raise KeyboardInterrupt
        return words(content)

    return ask


def test_a_body_without_a_document_is_left_out_and_comes_back_unread(shelf: Shelf) -> None:
    whole = shelf.night(shelf.texts)
    without = shelf.night(shelf.texts.keys() - {"plan-2"})
    assert without == edges_among({name: words for name, words in bodies().items() if name != "plan-2"})
    assert shelf.night(shelf.texts) == whole and shelf.asked == []


def test_what_came_while_a_body_was_away_is_compared_with_it_too(shelf: Shelf) -> None:
    shelf.night(["plan", "other"])
    shelf.night(["other", "plan-2"])
    assert [(edge.a, edge.b) for edge in shelf.night(["plan", "plan-2", "other"])] == [("plan", "plan-2")]
    assert shelf.asked == []


def test_a_body_whose_words_are_lost_keeps_its_edges_and_is_compared_once_they_are_back(shelf: Shelf) -> None:
    first = shelf.night(["plan", "plan-2"])
    lost = shelf.texts.pop("plan")
    assert shelf.night(["plan", "plan-2", "plan-3"]) == [*first, *edges_among(shelf.texts)[-1:]]
    assert shelf.night(["plan", "plan-2", "plan-3"])[0] == first[0]
    shelf.texts["plan"] = lost
    names = ["plan", "plan-2", "plan-3"]
    assert shelf.night(names) == edges_among({name: shelf.texts[name] for name in names})
    assert shelf.night(names) and shelf.asked == []


def test_another_parser_reads_every_body_anew_and_what_is_lost_stays_as_it_was(shelf: Shelf) -> None:
    before = shelf.night(shelf.texts)
    del shelf.texts["plan"]
    assert shelf.night(bodies(), parser="2") == before
    assert shelf.count("sketches") == len(bodies()) and set(shelf.asked) == set(bodies())


def test_a_content_is_chosen_by_its_format_and_hash_not_by_who_came_first() -> None:
    pdf, docx, other = content_of("pdf", "1", "7"), content_of("docx", "9", "7"), content_of("md", "8", "7")
    for order in ([pdf, docx, other], [docx, other, pdf], [other, pdf, docx]):
        assert chosen(("body", content) for content in order) == {"body": other}
    assert chosen([("body", pdf)]) == {"body": pdf}


def test_a_list_is_frozen_once_there_are_enough_bodies_and_anew_at_four_times_as_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(near, "LIST_FROM", 4)
    shelf = Shelf(tmp_path, {**bodies(), **{f"n{number}": text(f"n{number}", 1) for number in range(20)}})
    names = sorted(shelf.texts, reverse=True)
    versions = []
    for count in (3, 5, 20, 21, 27):
        found = shelf.night(names[:count])
        assert found == edges_among({name: shelf.texts[name] for name in names[:count]})
        with shelf.ledger.transaction() as con:
            versions.append({row["sketch_version"] for row in fetch(con, "select sketch_version from sketches")})
    assert versions == [{"1/0"}, {"1/1"}, {"1/1"}, {"1/2"}, {"1/2"}]


def test_a_frozen_list_is_backed_up_and_taken_back(shelf: Shelf, tmp_path: Path) -> None:
    grams = np.arange(5, dtype=np.uint64) << np.uint64(60)
    with shelf.ledger.transaction() as con:
        frozen = sketches.freeze(con, grams, 4000, NOW)
        exported = list(lines(con))
    (tmp_path / "new").mkdir()
    with Ledger(tmp_path / "new").transaction() as con:
        take_back(con, exported)
        back = sketches.common_list(con)
    assert (back.version, back.bodies, back.grams.tolist()) == (frozen.version, 4000, grams.tolist())


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Team:
    monkeypatch.setattr("pipelines.changes.CLOCK_GRAIN_NS", 0)
    return Team(tmp_path)


def test_a_night_finds_families_and_the_next_makes_nothing_anew(team: Team) -> None:
    for name, paragraphs in zip("abc", chain(), strict=True):
        team.write(f"개발/{name}.md", paragraphs)
    team.write("정책/a 사본.md", chain()[0])
    team.write("정책/x.md", prose("x"))
    team.write("정책/y.md", prose("x"))
    first = evening(team)
    assert labels(first) == {"families_exact": 1, "families_mixed": 1}
    made = team.ask("select * from sketches, bands, edges order by all")
    assert labels(evening(team)) == labels(first) and len(edges(team)) == 2
    assert team.ask("select * from sketches, bands, edges order by all") == made


def test_deleting_a_bridge_splits_the_family(team: Team) -> None:
    for name, paragraphs in zip("abc", chain(), strict=True):
        team.write(f"개발/{name}.md", paragraphs)
    assert labels(evening(team)) == {"families_near": 1}
    team.file("개발/b.md").unlink()
    assert labels(evening(team)) == {}


def test_deleting_the_kept_copy_brings_the_other_back_with_nothing_embedded(team: Team) -> None:
    first, second, _ = chain()
    team.write("개발/a.md", first)
    team.write("개발/b.md", second)
    team.write("정책/a 사본.md", first)
    team.night()
    before = edges(team)
    assert set(team.served()) == {"개발/a.md", "개발/b.md"}
    team.file("개발/a.md").unlink()
    after = team.night()
    assert (after.embedded, edges(team)) == (0, before)
    assert set(team.served()) == {"정책/a 사본.md", "개발/b.md"}


def test_folder_by_folder_gives_what_one_night_gives(tmp_path: Path) -> None:
    found = []
    for name, nights in (("at once", [()]), ("one by one", [("정책",), ("개발",)])):
        team = Team(tmp_path / name)
        for number, (place, paragraphs) in enumerate(zip(("개발", "정책", "개발"), chain(), strict=True)):
            team.write(f"{place}/{number}.md", paragraphs)
        run = [evening(team, sources) for sources in nights][-1]
        found.append((edges(team), labels(run)))
    assert found[0] == found[1] and len(found[0][0]) == 2


def test_a_body_is_compared_by_the_same_content_whichever_came_first(tmp_path: Path) -> None:
    blocks = [[Block("paragraph", words) for words in paragraphs] for paragraphs in chain()[:2]]
    files = {
        "개발/가.pdf": make_pdf(blocks[0]),
        "개발/가.docx": make_docx(blocks[0]),
        "정책/나.docx": make_docx(blocks[1]),
    }
    found = []
    for order in (list(files), list(reversed(files))):
        team = Team(tmp_path / order[0].replace("/", "-"))
        for place in order:
            team.write(place, files[place])
            evening(team)
        kinds = "select distinct c.format from sketches join contents c using (content_hash) order by all"
        assert [row["format"] for row in team.ask(kinds)] == ["docx"]
        found.append(edges(team))
    assert found[0] == found[1] and [edge.kind for edge in found[0]] == ["near"]


def test_a_newer_parser_leads_to_the_same_edges(team: Team, monkeypatch: pytest.MonkeyPatch) -> None:
    team.write("개발/a.md", chain()[0])
    team.write("정책/b.md", chain()[1])
    evening(team)
    before = edges(team)
    for module in ("parse", "reading", "stored"):
        monkeypatch.setattr(f"assets.stages.{module}.PARSER_VERSION", "raised")
    evening(team)
    assert edges(team) == before
    assert team.ask("select distinct parser_version from sketches") == [{"parser_version": "raised"}]


def test_what_no_document_holds_for_ninety_days_takes_its_sketch_and_edges_along(team: Team) -> None:
    team.write("개발/a.md", chain()[0])
    gone = team.write("개발/b.md", chain()[1])
    evening(team)
    gone.unlink()
    evening(team)
    for days, left in ((0, 2), (91, 1)):
        with team.saero().ledger.transaction() as con:
            sweep(con, encoder_id="", tokens_version="", now=NOW + timedelta(days=days))
        assert len(team.ask("select * from sketches")) == left
    assert team.ask("select * from edges") == [] and len(team.ask("select distinct sketch_id from bands")) == 1

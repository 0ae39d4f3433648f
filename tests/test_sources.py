"""Which folders a run reads: each document belongs to one source, and an unmounted share loses none."""

from __future__ import annotations

import os
import unicodedata
from pathlib import Path

import pytest

from pipelines.errors import SettingsError
from resources.settings import Settings, load_settings
from resources.sources import escape, forget_known, list_sources, read_known, remember

NFD = unicodedata.normalize("NFD", "영업")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / ".saero").mkdir()
    return tmp_path


def settings(home: Path, text: str) -> Settings:
    (home / "saero.toml").write_text(text, encoding="utf-8")
    return load_settings(str(home / "saero.toml"))


def sources(home: Path, **folders: str) -> Settings:
    return settings(home, "".join(f"[sources.'{name}']\npath = '{path}'\n" for name, path in folders.items()))


def share(home: Path, *names: str) -> Settings:
    for name in names:
        (home / "share" / name).mkdir(parents=True)
    return settings(home, "[roots.'공유']\npath = 'share'\nowner = 'a@b.kr'\nexclude = ['*.log']")


def refusal(said: Settings) -> str:
    with pytest.raises(SettingsError) as error:
        list_sources(said)
    return str(error.value)


def names(said: Settings) -> list[str]:
    return [source.name for source in list_sources(said)]


def test_sources_keep_the_order_of_the_settings(home: Path) -> None:
    found = list_sources(sources(home, 나="b", 가="a"))
    assert [(source.name, source.path, source.position) for source in found] == [
        ("나", home / "b", 0),
        ("가", home / "a", 1),
    ]


def test_settings_without_a_source_are_refused(home: Path) -> None:
    assert "sources: no document folder is named" in refusal(settings(home, ""))


# ── overlaps ──


@pytest.mark.parametrize(
    ("one", "other"),
    [("docs", "docs/a"), ("docs/a/b", "docs"), ("docs", "./docs/"), ("docs", "x/../docs"), (".", "docs")],
)
def test_overlapping_folders_are_refused_naming_both(home: Path, one: str, other: str) -> None:
    said = refusal(sources(home, 가=one, 나=other))
    assert said.startswith(f"{home / 'saero.toml'}: sources.나: its folder ")
    assert "overlaps that of 가" in said


def test_folders_whose_names_begin_alike_do_not_overlap(home: Path) -> None:
    assert names(sources(home, 가="docs", 나="docs2", 다="doc")) == ["가", "나", "다"]


def test_one_folder_behind_a_link_is_found(home: Path) -> None:
    (home / "docs" / "inner").mkdir(parents=True)
    (home / "same").symlink_to(home / "docs")
    (home / "inside").symlink_to(home / "docs" / "inner")
    assert "overlaps" in refusal(sources(home, 가="docs", 나="same"))
    assert "overlaps" in refusal(sources(home, 가="docs", 나="inside"))
    assert list_sources(sources(home, 나="same"))[0].path == home / "same", "the path stays as it was named"


def test_a_source_inside_a_root_overlaps_its_sub_folder(home: Path) -> None:
    (home / "share" / "영업").mkdir(parents=True)
    said = refusal(settings(home, "[sources.'가']\npath = 'share/영업'\n[roots.'공유']\npath = 'share'"))
    assert "overlaps" in said


def test_names_that_would_mistake_documents_are_refused(home: Path) -> None:
    said = refusal(settings(home, "[sources.'제안서']\npath = 'a'\n[sources.'제안서/2026']\npath = 'b'"))
    assert "sources.제안서/2026: its documents could be mistaken" in said


def test_two_sources_of_one_name_are_refused(home: Path) -> None:
    (home / "share" / "영업").mkdir(parents=True)
    said = refusal(settings(home, "[sources.'공유/영업']\npath = 'a'\n[roots.'공유']\npath = 'share'"))
    assert "sources.공유/영업: two sources have this name" in said


def test_a_state_folder_among_the_documents_must_have_the_name_that_is_skipped(home: Path) -> None:
    assert names(settings(home, "[sources.a]\npath = '.'")) == ["a"]
    said = refusal(settings(home, "state = 'docs/state'\n[sources.a]\npath = 'docs'"))
    assert "state: " in said
    assert "lies in the folder of a" in said
    assert "is the state's" in refusal(settings(home, "[sources.a]\npath = '.saero/parsed'"))


# ── roots ──


def test_each_sub_folder_of_a_root_is_a_source(home: Path) -> None:
    said = share(home, "영업", "개발", ".git", "$RECYCLE.BIN", "@eaDir", "node_modules")
    (home / "share" / "파일.txt").write_bytes(b"")
    (home / "share" / "링크").symlink_to(home)
    found = list_sources(said)
    assert [(source.name, source.path) for source in found] == [
        ("공유/개발", home / "share/개발"),
        ("공유/영업", home / "share/영업"),
    ]
    assert (found[0].owner, found[0].exclude) == ("a@b.kr", ("*.log",))


def test_an_unmounted_root_keeps_the_sources_it_had(home: Path) -> None:
    said = share(home, "영업", "개발")
    remember(said)
    (home / "share").rename(home / "elsewhere")
    assert names(said) == ["공유/개발", "공유/영업"]
    remember(said)
    assert read_known(said.state_dir) == {"공유": ["개발", "영업"]}


def test_a_new_sub_folder_joins_the_known_ones(home: Path) -> None:
    said = share(home, "영업")
    remember(said)
    (home / "share" / "영업").rmdir()
    (home / "share" / "인사").mkdir()
    assert names(said) == ["공유/영업", "공유/인사"]


def test_a_sub_folder_that_is_gone_for_good_can_be_struck(home: Path) -> None:
    said = share(home, "영업", "개발")
    remember(said)
    (home / "share" / "영업").rmdir()
    forget_known(said, ["공유/영업", "정책"])
    assert names(said) == ["공유/개발"]


def test_a_root_that_was_never_seen_is_said_to_be_away(home: Path) -> None:
    said = refusal(settings(home, "[roots.'공유']\npath = 'share'"))
    assert f"roots: no sub-folder is found in {home / 'share'}; is it mounted?" in said


def test_a_decomposed_folder_name_is_shown_composed_and_opened_as_it_is(home: Path) -> None:
    said = share(home, NFD)
    source = list_sources(said)[0]
    assert source.name == "공유/영업"
    assert source.path.name == NFD
    assert source.path.is_dir()
    remember(said)
    (home / "share" / NFD).rename(home / "share" / "영업")
    assert [source.path.name for source in list_sources(said)] == ["영업"], "the disk's spelling of today"


def test_of_two_spellings_the_composed_one_is_used(home: Path) -> None:
    found = list_sources(share(home, NFD, "영업"))
    assert [(source.name, source.path.name) for source in found] == [("공유/영업", "영업")]


def test_a_folder_name_that_is_not_utf8_has_a_key_that_every_tool_takes(home: Path) -> None:
    said = share(home, "영업")
    raw = os.fsencode(home / "share") + b"/\xb0\xb3\xb9\xdf"
    try:
        os.mkdir(raw)  # noqa: PTH102
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    source = list_sources(said)[-1]
    assert source.name == "공유/%B0%B3%B9%DF"
    assert os.fsencode(source.path) == raw
    remember(said)
    os.rmdir(raw)  # noqa: PTH106
    assert os.fsencode(list_sources(said)[-1].path) == raw


@pytest.mark.parametrize("damage", ["", "{", "[]", '"x"', "null", '{"공유": "영업"}', '{"공유": 3}'])
def test_damaged_knowledge_reads_as_none(home: Path, damage: str) -> None:
    said = share(home, "영업")
    (home / ".saero/sources.json").write_text(damage, encoding="utf-8")
    assert names(said) == ["공유/영업"]
    remember(said)
    assert read_known(said.state_dir) == {"공유": ["영업"]}


def test_without_roots_nothing_is_remembered(home: Path) -> None:
    remember(sources(home, 가="a"))
    assert not (home / ".saero/sources.json").exists()


# ── keys ──


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("제안서/2026 상반기", "제안서/2026 상반기"),
        (unicodedata.normalize("NFD", "제안서"), "제안서"),
        ("a...b", "a%2E%2E%2Eb"),
        ("a..b", "a..b"),
        ("a\tb\nc\x7f", "a%09b%0Ac%7F"),
        ("a\udcb0", "a%B0"),
    ],
)
def test_keys_are_composed_and_escaped(name: str, key: str) -> None:
    assert escape(name) == key


def test_an_earlier_name_is_spelled_like_a_key(home: Path) -> None:
    said = settings(home, "[sources.a]\npath = 'a'\nwas = ['옛...것', '" + NFD + "']")
    assert list_sources(said)[0].was == ("옛%2E%2E%2E것", "영업")

"""saero init writes settings that load as they are, and overwrites nothing."""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path

import pytest

from resources.settings import load_settings
from resources.sources import list_sources
from saero.cli import main


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.chdir(home)
    for name in os.environ:
        if name.startswith("SAERO_"):
            monkeypatch.delenv(name)
    return home


def folder(path: Path) -> str:
    path.mkdir(parents=True)
    return str(path)


def exit_code(*args: str) -> int:
    with pytest.raises(SystemExit) as stop:
        main(["init", *args])
    code = stop.value.code
    assert isinstance(code, int)
    return code


def named(home: Path) -> dict[str, Path]:
    return {source.name: source.path for source in list_sources(load_settings(str(home / "saero.toml")))}


def test_what_init_writes_loads_as_it_is(home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    inside, outside = folder(home / "문서" / "제안서"), folder(tmp_path / "share" / "정책")
    main(["init", inside, outside, "--owner", "pm@example.com", "--language", "en"])
    assert named(home) == {"제안서": home / "문서/제안서", "정책": tmp_path / "share/정책"}
    data = tomllib.loads((home / "saero.toml").read_text(encoding="utf-8"))
    assert data["sources"]["제안서"]["path"] == "문서/제안서", "relative below the file, so that both can move"
    assert data["sources"]["정책"] == {"path": outside, "owner": "pm@example.com"}
    assert data["language"] == "en"
    assert "saero.toml: 2 source(s)" in capsys.readouterr().out


def test_every_commented_key_loads_when_its_mark_is_taken_away(home: Path) -> None:
    main(["init", folder(home / "docs")])
    text = (home / "saero.toml").read_text(encoding="utf-8")
    (home / "saero.toml").write_text(re.sub(r"(?m)^# (?=\[|\w+ = )", "", text), encoding="utf-8")
    settings = load_settings(str(home / "saero.toml"))
    assert settings.sources["docs"].ttl[1].until == "period_end"
    assert settings.canaries[0].expect_text == "30초"
    assert (settings.mail.host, settings.schedule.timezone, settings.limits.workers) == (
        "smtp.example.com",
        "Asia/Seoul",
        0,
    )


def test_a_file_that_stands_is_not_touched(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (home / "saero.toml").write_text("mine", encoding="utf-8")
    assert exit_code(folder(home / "docs")) == 2
    assert (home / "saero.toml").read_text(encoding="utf-8") == "mine"
    assert "stands already" in capsys.readouterr().err


def test_another_file_can_be_named(home: Path) -> None:
    path = folder(home / "docs")
    main(["--config", "other.toml", "init", path])
    assert (home / "other.toml").exists()
    assert not (home / "saero.toml").exists()


def test_a_folder_that_is_not_there_writes_nothing(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(str(home / "no")) == 2
    assert "no such folder" in capsys.readouterr().err
    assert not (home / "saero.toml").exists()


@pytest.mark.parametrize("args", [("a", "a"), ("a", "a/b")])
def test_overlapping_folders_write_nothing(home: Path, args: tuple[str, str]) -> None:
    (home / "a" / "b").mkdir(parents=True)
    assert exit_code(*args) == 2
    assert not (home / "saero.toml").exists()


def test_folders_of_one_name_are_told_apart(home: Path, tmp_path: Path) -> None:
    main(["init", *(folder(tmp_path / place / "문서") for place in ("영업", "개발", "x/개발", "y/개발"))])
    assert list(named(home)) == ["문서", "개발 문서", "문서 2", "문서 3"]


@pytest.mark.parametrize(
    "name", ['say "hi"', "back\\slash", "tab\there", "a...b", "{brace}", "#hash", "[x]", "line\nbreak"]
)
def test_any_folder_name_survives_the_file(home: Path, name: str) -> None:
    main(["init", folder(home / name)])
    assert list(named(home).values()) == [home / name]


def test_dots_are_resolved(home: Path) -> None:
    (home / "docs").mkdir()
    main(["init", "."])
    assert named(home) == {"home": home}
    (home / "saero.toml").unlink()
    main(["init", "docs/../docs"])
    assert named(home) == {"docs": home / "docs"}


def test_a_folder_name_that_is_not_utf8_is_refused(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    raw = os.fsencode(home) + b"/\xb0\xb3"
    try:
        os.mkdir(raw)  # noqa: PTH102
    except OSError:
        pytest.skip("this file system takes UTF-8 names only")
    assert exit_code(os.fsdecode(raw)) == 2
    assert "isn't UTF-8" in capsys.readouterr().err
    assert not (home / "saero.toml").exists()


def test_a_network_disk_is_refused(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("resources.build.file_system", lambda _: "nfs4")
    assert exit_code(folder(home / "docs")) == 2
    assert "network disk (nfs4)" in capsys.readouterr().err

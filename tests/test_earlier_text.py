"""The last good text of a file that says something else now is never shown silently."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from quick_saero import QuickEncoder
from team import Team, prose

from saero.cli import saero as command_line


def asked(team: Team, question: str, *options: str) -> str:
    told = ["--config", str(team.home / "saero.toml"), "search", question, "--mode", "text", *options]
    result = CliRunner().invoke(command_line, told)
    assert result.exit_code == 0, result.output
    return result.output


def answered(team: Team, question: str) -> dict[str, Any]:
    said: dict[str, Any] = json.loads(asked(team, question, "--json"))
    return said


@pytest.mark.parametrize("content", [b"", b"\n \n", b"PK\x03\x04 torn"], ids=["emptied", "blank", "damaged"])
def test_a_result_whose_file_has_no_such_text_any_more_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    monkeypatch.setattr("resources.encoder.QueryEncoder", QuickEncoder)
    team, text = Team(tmp_path), prose("night shift")
    team.write("정책/야간.md", text)
    team.write("정책/보안.md", prose("security"))
    team.night()
    assert not [reason for reason in answered(team, text[2])["stale_reasons"] if ":" in reason]
    team.write("정책/야간.md", content)
    for _ in range(2):  # a second night doesn't settle it
        team.night()
        said = answered(team, text[2])
        assert said["results"][0]["path"] == "야간.md"
        assert said["stale"] and "stale_parse:정책/야간.md" in said["stale_reasons"]
    assert "이전 내용을 보임 (정책/야간.md)" in asked(team, text[2])
    others = answered(team, prose("security")[2])
    assert not [reason for reason in others["stale_reasons"] if ":" in reason]


def test_so_does_one_whose_vanished_file_is_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("resources.encoder.QueryEncoder", QuickEncoder)
    team, text = Team(tmp_path), prose("night shift")
    team.write("정책/야간.md", text)
    team.write("개발/보안.md", prose("security"))
    team.night()
    team.file("정책").rename(team.file("away"))
    team.night()
    assert "held:정책/야간.md" in answered(team, text[2])["stale_reasons"]

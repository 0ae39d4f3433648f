"""What commands print: aligned for a terminal, safe for a spreadsheet, plain for a program."""

from __future__ import annotations

import csv
import io
import json
import unicodedata
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from unittest.mock import Mock
from zoneinfo import ZoneInfo

import click
import pytest
from click.testing import CliRunner

from pipelines.errors import SettingsError, TryAgain
from saero.cli import main
from saero.output import csv_option, json_option, local, print_csv, print_json, print_table, width

SEOUL = ZoneInfo("Asia/Seoul")


def csv_of(rows: list[dict[str, Any]], columns: list[str]) -> tuple[bytes, list[list[str]]]:
    @click.command()
    def command() -> None:
        print_csv(rows, columns)

    data = CliRunner().invoke(command).stdout_bytes
    return data, list(csv.reader(io.StringIO(data.decode("utf-8-sig"), newline="")))


def test_a_csv_begins_with_a_byte_order_mark_for_korean_excel() -> None:
    data, read = csv_of([{"path": "정책/휴가.hwp", "chunks": 3}], ["path", "chunks"])
    assert data.startswith(b"\xef\xbb\xbfpath,chunks\r\n")
    assert read == [["path", "chunks"], ["정책/휴가.hwp", "3"]]


@pytest.mark.parametrize("begin", ["=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠"])
def test_a_cell_that_looks_like_a_formula_is_quoted(begin: str) -> None:
    text = f"{begin}HYPERLINK(1)"
    shown = f"{'?' if begin.isspace() else begin}HYPERLINK(1)"
    assert csv_of([{"title": text}], ["title"])[1][1] == [f"'{shown}"]


def test_a_cell_keeps_no_control_characters() -> None:
    assert csv_of([{"path": "a\x1b[2J\nb\u202e.txt"}], ["path"])[1][1] == ["a?[2J?b?.txt"]


def test_numbers_stay_numbers_and_absent_cells_empty() -> None:
    values = {"a": -1.5, "b": -3, "c": None, "e": ["=x", 1], "f": datetime(2026, 11, 30, tzinfo=UTC), "g": 'say "x", y'}
    read = csv_of([values], list("abcdefg"))[1][1]
    assert read == ["-1.5", "-3", "", "", '["=x", 1]', "2026-11-30T00:00:00+00:00", 'say "x", y']


def test_a_name_that_no_encoding_takes_does_not_break_a_csv() -> None:
    assert csv_of([{"path": "a\udcb0.txt"}], ["path"])[1][1] == ["a?.txt"]


@pytest.mark.parametrize(
    ("text", "cells"),
    [("abc", 3), ("한글", 4), (unicodedata.normalize("NFD", "한글"), 4), ("é", 1), ("e\u0301", 1), ("Ａ", 2), ("", 0),
     ("a\u200bb", 2), ("漢字!", 5)],
)  # fmt: skip
def test_width_counts_terminal_cells(text: str, cells: int) -> None:
    assert width(text) == cells


def test_columns_line_up_under_hangul(capsys: pytest.CaptureFixture[str]) -> None:
    print_table([["정상", "정책/휴가.hwp"], ["live", "b"]], ["상태", "문서"])
    lines = capsys.readouterr().out.splitlines()
    assert lines == ["상태  문서", "정상  정책/휴가.hwp", "live  b"]


def test_a_hostile_file_name_cannot_move_the_cursor_or_break_a_line(capsys: pytest.CaptureFixture[str]) -> None:
    print_table([["a\x1b[2Jb\nc\x9bd"]], ["문서"])
    assert capsys.readouterr().out == "문서\na?[2Jb?c?d\n"


ODD = "b\x1b[2J\u202e\x9bd"


@pytest.mark.parametrize(
    "args",
    [
        ("show", f"docs/{ODD}\nsaero: all is well"),
        ("documents", "renew", f"docs/{ODD}", "--until", "2099-12-31"),
        ("documents", "review", f"docs/{ODD}"),
        ("review", "accept", ODD),
        ("redundancy", "--source", ODD),
        ("versions", "--source", ODD),
        ("refresh", "--forget", ODD),
        ("fingerprint", f"{ODD}.txt"),
        ("compare", f"{ODD}.docx", f"{ODD}.docx"),
        ("duplicates", ODD),
        ("canaries", "accept", ODD),
        (ODD,),
        ("--config", f"{ODD}.toml", "status"),
    ],
)
def test_no_message_of_any_command_moves_the_cursor(
    args: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("docs").mkdir()
    Path("saero.toml").write_text('[sources.docs]\npath = "docs"\n', encoding="utf-8")
    with pytest.raises(SystemExit) as end:
        main(list(args))
    said = capsys.readouterr().err
    assert end.value.code in (1, 2) and "b" in said and not set(said) & {"\x1b", "\x9b", "\u202e"}
    assert "\nsaero: all" not in said


def test_an_error_of_the_system_and_one_of_several_lines_are_harmless(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for error, said in (
        (OSError(28, "No space left on device", f"{ODD}\n"), "saero: b?[2J??d?: No space left on device\n"),
        (SettingsError(f"{ODD}\nsources: unknown key"), "saero: b?[2J??d\nsources: unknown key\n"),
        (TryAgain(f"{ODD}\nbusy"), "saero: b?[2J??d?busy\n"),
    ):
        monkeypatch.setattr("saero.cli.saero.main", Mock(side_effect=error))
        with pytest.raises(SystemExit):
            main([])
        assert capsys.readouterr().err == said


def test_a_table_without_rows_is_its_head(capsys: pytest.CaptureFixture[str]) -> None:
    print_table([], ["상태", "문서"])
    assert capsys.readouterr().out == "상태  문서\n"


def test_json_keeps_korean_and_writes_times_as_iso(capsys: pytest.CaptureFixture[str]) -> None:
    print_json({"문서": "정책", "at": datetime(2026, 11, 30, 2, tzinfo=UTC)})
    said = capsys.readouterr().out
    assert "정책" in said
    assert json.loads(said) == {"문서": "정책", "at": "2026-11-30T02:00:00+00:00"}


def test_times_are_shown_in_the_zone_of_the_settings() -> None:
    assert local(datetime(2026, 11, 30, 17, 30, tzinfo=UTC), SEOUL) == "2026-12-01 02:30"
    assert local("2026-11-30T17:30:00+00:00", SEOUL) == "2026-12-01 02:30"
    assert local(None, SEOUL) == local("", SEOUL) == ""


def test_lists_take_json_and_csv_options() -> None:
    @click.command()
    @json_option
    @csv_option
    def command(as_json: bool, as_csv: bool) -> None:
        click.echo(f"{as_json} {as_csv}")

    assert CliRunner().invoke(command, ["--json"]).output == "True False\n"
    assert CliRunner().invoke(command, ["--csv"]).output == "False True\n"

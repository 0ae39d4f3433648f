"""Hostile and broken files, as people and attackers leave them: a category, a message, and no time lost.

What belongs to one format alone (its bombs, its declarations, its passwords) is in that format's tests.
"""

from __future__ import annotations

import gzip
import io
import os
import socket
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest
from fakes import InlinePool
from hwp5_writer import write_hwp
from hwpx_writer import write_hwpx
from office_makers import make_docx, make_pdf, make_pptx
from ole_writer import write_ole
from sheet_makers import edited, make_eml, make_xlsx
from team import Team, prose

from pipelines.errors import Encrypted, SkipDocument
from pipelines.parsers import parse
from pipelines.records import Block, Limits, Parsed
from pipelines.scan import scan_source
from resources.parsing import ParseResult, Task
from resources.worker import open_regular
from resources.workers import WorkerPool

WHEN = datetime(2026, 3, 2, tzinfo=UTC)
BLOCKS = [Block("heading", "휴가 규정", level=1), Block("paragraph", "연차 휴가는 15일이다. " * 30)]
# Each takes a second or two alone; the machine may be busy.
SECONDS = 60


@contextmanager
def bounded() -> Iterator[None]:
    """Fail when what happens inside takes longer than a person would wait."""
    start = time.monotonic()
    yield
    assert time.monotonic() - start < SECONDS


def outcome(data: bytes, name: str, limits: Limits | None = None) -> Parsed | tuple[str, str]:
    """Return what was read, or (category, reason)."""
    with bounded():
        try:
            return parse(io.BytesIO(data), name, limits or Limits())
        except SkipDocument as error:
            return error.category, error.reason


# Documents of every packed format


def documents() -> dict[str, bytes]:
    return {
        "규정.docx": make_docx(BLOCKS),
        "규정.xlsx": make_xlsx({"표": [["구분", "금액"], ["인건비", 100], ["운영비", 200]]}),
        "규정.hwpx": write_hwpx(BLOCKS, title="", author="", modified=WHEN),
        "규정.hwp": write_hwp(BLOCKS, title="", author="", modified=WHEN),
        "규정.pdf": make_pdf(BLOCKS),
    }


NAMES = ["규정.docx", "규정.xlsx", "규정.hwpx", "규정.hwp", "규정.pdf"]


@pytest.mark.parametrize("name", NAMES)
def test_a_document_cut_in_half_is_damaged(name: str) -> None:
    data = documents()[name]
    found = outcome(data[: len(data) // 2], name)
    assert isinstance(found, tuple) and found[0] == "damaged" and found[1]


@pytest.mark.parametrize("name", NAMES)
def test_bytes_overwritten_anywhere_raise_nothing_but_reasons(name: str) -> None:
    data = documents()[name]
    for tenth in range(10):
        broken = bytearray(data)
        at = len(data) * tenth // 10
        broken[at : at + 24] = b"\xff" * 24
        found = outcome(bytes(broken), name)
        assert isinstance(found, Parsed) or found[0] in ("damaged", "unsupported", "empty", "drm", "encrypted")


@pytest.mark.parametrize("name", ["규정.docx", "규정.hwpx"])
def test_parts_that_name_other_places_write_and_read_nothing_there(name: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret.xml"
    secret.write_text("<w>비밀</w>", encoding="utf-8")
    data = edited(documents()[name], {}, {"../../../outside.txt": "밖", str(secret): "<w>밖</w>", "/etc/x.xml": "<w/>"})
    found = outcome(data, name)
    assert isinstance(found, Parsed)
    assert "비밀" not in str(found.blocks) and not (tmp_path.parent / "outside.txt").exists()


def test_a_size_that_the_directory_understates_is_found_out_while_unpacking() -> None:
    data = bytearray(edited(documents()["규정.docx"], {}, {"word/document.xml.bak": "x"}))
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        real = archive.getinfo("word/document.xml").file_size
    entry = data.index(b"word/document.xml", data.index(b"PK\x01\x02"))
    assert int.from_bytes(data[entry - 22 : entry - 18], "little") == real
    data[entry - 22 : entry - 18] = (10).to_bytes(4, "little")
    assert outcome(bytes(data), "규정.docx")[0] == "damaged"  # type: ignore[index]


def test_a_container_of_countless_parts_is_refused_by_its_directory() -> None:
    out = io.BytesIO(documents()["규정.docx"])
    with zipfile.ZipFile(out, "a") as archive:
        for number in range(20_100):
            archive.writestr(f"{number}", "")
    category, reason = outcome(out.getvalue(), "규정.docx")  # type: ignore[misc]
    assert category == "too_large" and "parts" in reason


def test_a_password_is_told_from_rights_management_and_damage() -> None:
    sealed = {"EncryptionInfo": bytes(5000), "EncryptedPackage": bytes(5000)}
    assert outcome(write_ole(sealed), "규정.docx")[0] == "encrypted"  # type: ignore[index]
    managed = write_ole({"EncryptedPackage": bytes(5000), "\x06DataSpaces/DRMEncryptedDataSpace": bytes(5000)})
    assert outcome(managed, "규정.docx")[0] == "drm"  # type: ignore[index]
    locked = io.BytesIO()
    with zipfile.ZipFile(locked, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
    data = bytearray(locked.getvalue())
    for mark, offset in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        data[data.index(mark) + offset] |= 1
    with pytest.raises(Encrypted, match="password"):
        parse(io.BytesIO(bytes(data)), "규정.docx", Limits())


# Text formats: what grows faster than the file

_MAIL = b"Subject: x\nFrom: a@example.com\nDate: Mon, 2 Mar 2026 00:00:00 +0000\n"
GROWING: dict[str, tuple[str, bytes]] = {
    "brackets": ("a.md", b"[" * 200_000),
    "stars": ("a.md", b"*a_ " * 50_000),
    "backticks": ("a.md", b"`" * 100_000 + b"` " * 50_000),
    "quotes": ("a.md", b"> " * 100_000),
    "lists": ("a.md", b"".join(b"  " * depth + b"- x\n" for depth in range(500))),
    "spaces before an attribute": ("a.md", b"# a" + b" " * 100_000 + b"x\n---\n"),
    "spaces in front matter": ("a.md", b"---\na: b" + b" " * 100_000 + b"x\n---\ny"),
    "link definitions": ("a.md", b"[a]: b\n[a]\n" * 20_000),
    "open comments": ("a.md", b"<!--" * 50_000 + b"x"),
    "open quotes": ("a.csv", b'"' * 200_001),
    "delimiters": ("a.csv", b"," * 100_000 + b"x"),
    "elements": ("a.html", b"<div>" * 50_000 + b"x"),
    "tables": ("a.html", b"<table><tr><td>" * 10_000 + b"x"),
    "spans": ("a.html", b"<table><tr>" + b"<td rowspan=60000 colspan=1000>x" * 1000),
    "rules": ("a.html", b"<style>" + b".a.b{display:none}" * 10_000 + b"</style>" + b"<p class='a c'>x" * 5000),
    "selectors": ("a.html", b"<style>" + b"a," * 50_000 + b"{display:none}</style><p>x"),
    "braces": ("a.html", b"<style>" + b"{" * 100_000 + b"</style><p>x"),
    "encoded words": ("a.eml", b"Subject: " + b"=?a?b?" * 30_000 + b"\n" + _MAIL[11:] + b"\nx"),
    "fields": ("a.eml", b"Content-X: \xff\n" * 30_000 + _MAIL + b"\nx"),
    "parts": (
        "a.eml",
        _MAIL + b"Content-Type: multipart/mixed; boundary=B\n\n" + b"--B\nContent-Type: a/b; name=x\n\ny\n" * 5000,
    ),
    "flowed lines": ("a.eml", _MAIL + b"Content-Type: text/plain; format=flowed\n\n" + b"a \n" * 100_000),
    "dashes": ("a.eml", _MAIL + b"\n" + b"-" * 200_000),
    "quoted heads": ("a.eml", _MAIL + b"\n" + b"From: a\n" * 30_000),
    "calendar fields": ("a.ics", b"BEGIN:VCALENDAR\nBEGIN:VEVENT\nSUMMARY" + b';a="b"' * 20_000 + b"\n"),
    "messages": ("a.mbox", b"From a Mon Mar  2 09:15:00 2026\nSubject: a\n\n\n" * 5000),
    "marks over a letter": ("a.txt", ("가" + "\u0315\u0316" * 100_000).encode()),
}


@pytest.mark.parametrize("what", GROWING)
def test_what_repeats_costs_no_more_than_its_length(what: str) -> None:
    name, data = GROWING[what]
    outcome(data, name)


# Mails that carry them


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Team:
    monkeypatch.setattr("pipelines.changes.CLOCK_GRAIN_NS", 0)
    return Team(tmp_path, {"메일": ""})


def test_what_is_bad_in_a_mail_fails_alone_and_is_not_opened_again(team: Team) -> None:
    nested = io.BytesIO()
    with zipfile.ZipFile(nested, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("안.zip", bytes(1 << 20))
    bomb = edited(documents()["규정.docx"], {}, {"word/media.xml": " " * (65 << 20)})
    carried = [
        ("폭탄.docx", bomb),
        ("압축.gz", gzip.compress(bytes(1 << 20), mtime=0)),
        ("겹침.zip", nested.getvalue()),
        ("../../위로.txt", "\n\n".join(prose("up")).encode()),
        ("빈 파일.txt", b""),
        ("winmail.dat", b"\x78\x9f\x3e\x22" + bytes(100)),
    ]
    text = "\n\n".join(prose("mail"))
    team.write("메일/주문.eml", make_eml("주문", "a@example.com", "b@example.com", WHEN, text, attachments=carried))
    with bounded():
        run = team.night()
    assert {failure["path"]: failure["category"] for failure in run.failures} == {
        "주문.eml!/폭탄.docx": "too_large",
        "주문.eml!/압축.gz": "unsupported",
        "주문.eml!/겹침.zip": "unsupported",
        "주문.eml!/winmail.dat": "unsupported",
    }
    assert set(team.served()) == {"메일/주문.eml", "메일/주문.eml!/_.._위로.txt"}
    assert team.night().opened_files == 0


# What a file system holds besides documents

LIMITS = Limits(seconds=30, memory_mb=1024, file_mb=64, stream_mb=8)


def read_folder(folder: Path) -> dict[str, ParseResult]:
    """List a folder and read what was listed, as a night does, in a real parser process."""
    listing = scan_source(folder)
    tasks = [Task("s", entry.path, entry.disk_path) for entry in listing.entries]
    with bounded(), WorkerPool(1, LIMITS) as pool:
        return {result.task.path: result for result in pool.run(tasks)}


def test_a_folder_of_odd_things_gives_each_document_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "문서"
    (folder / "폴더.docx").mkdir(parents=True)
    (folder / "폴더.docx/안.txt").write_text("폴더 안의 글", encoding="utf-8")
    (folder / "loop").symlink_to(folder, target_is_directory=True)
    (folder / "out.txt").symlink_to("/etc/hostname")
    os.mkfifo(folder / "pipe.txt")
    with socket.socket(socket.AF_UNIX) as server:
        monkeypatch.chdir(folder)  # the path of a socket may be 107 bytes long
        server.bind("socket.txt")
        _device(folder / "zero.txt")
        long = "가" * 83 + "ab.txt"  # 255 bytes
        for name in ("줄\n바꿈.txt", "\x1b[31m색.txt", os.fsdecode("한글".encode("cp949")) + ".txt", long):
            (folder / name).write_text("이름이 이상한 글", encoding="utf-8")
        results = read_folder(folder)
    assert set(results) == {"폴더.docx/안.txt", "줄\n바꿈.txt", "\x1b[31m색.txt", "한글.txt", long}
    assert {result.outcome for result in results.values()} <= {"parsed", "known"}


def test_odd_names_are_served_as_documents_of_one_night(team: Team) -> None:
    names = {"줄\n바꿈.txt": "line", "\x1b[31m색.txt": "escape", "가" * 83 + "ab.txt": "long"}
    for name, seed in names.items():
        team.write(f"메일/{name}", "\n\n".join(prose(seed)))
    latin = team.file("메일") / (os.fsdecode("한글".encode("cp949")) + ".txt")
    latin.write_text("\n\n".join(prose("cp949")), encoding="utf-8")
    run = team.night()
    assert not run.failures and {place.partition("/")[2] for place in team.served()} == {*names, "한글.txt"}
    assert ("name_not_utf8", "메일/한글.txt") in team.findings() and team.night().opened_files == 0


def _device(path: Path) -> None:
    try:
        os.mknod(path, 0o666 | 0o020000, os.makedev(1, 5))
    except OSError:
        return  # only root may, and not everywhere


@pytest.mark.parametrize("name", ["크다.pdf", "크다.txt", "크다.eml"])
def test_two_gigabytes_are_refused_unread(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(b"Subject: x\n")
    os.truncate(path, 2 << 30)
    result = read_folder(tmp_path)[name]
    assert (result.category, result.content_hash) == ("too_large", "") and "64 MB" in result.reason


@pytest.mark.parametrize("name", ["크다.txt", "크다.md", "크다.csv", "크다.html", "크다.eml", "크다.mbox", "크다.hml"])
def test_a_large_text_is_refused_without_holding_it(tmp_path: Path, name: str) -> None:
    start = {"크다.mbox": b"From a Mon Mar  2 09:15:00 2026\nSubject: x\n\n", "크다.hml": b"<HWPML>"}
    with (tmp_path / name).open("wb") as file:
        file.write(start.get(name, b"Subject: x\nFrom: a\nDate: b\n\n"))
        file.write(b"a " * 40_000)
        file.truncate(2 << 30)
        with bounded(), open_regular(str(tmp_path / name)) as (document, _), pytest.raises(SkipDocument) as caught:
            parse(document, name, Limits())
    assert caught.value.category in ("too_large", "damaged")


def test_a_file_that_may_not_be_read_is_unreadable_and_says_why(tmp_path: Path) -> None:
    path = tmp_path / "비밀.txt"
    path.write_text("글", encoding="utf-8")
    path.chmod(0)
    with _as_nobody():
        (result,) = InlinePool(LIMITS).run([Task("s", "비밀.txt", str(path))])
    assert (result.category, result.reason) == ("unreadable", "Permission denied")


@contextmanager
def _as_nobody() -> Iterator[None]:
    """Give root's rights up for a while; others have none to give."""
    root = os.geteuid() == 0
    if root:
        os.seteuid(65534)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)


# Names and bytes that don't agree

WRONG: dict[str, tuple[Callable[[], bytes], str]] = {
    "그림.hwp": (lambda: b"\x89PNG\r\n\x1a\n" + bytes(64), "unsupported"),
    "~$규정.docx": (lambda: b"\x05Kim" + bytes(150), "unsupported"),
    "공백.txt": (lambda: b" \r\n\t\n" * 50, "empty"),
    "빈.mbox": (lambda: b"", "empty"),
    "옛글.txt": (lambda: ("가맹점 단말기 수수료 환불 정산 " * 20).encode("johab"), "damaged"),
    "발표.pptx": (lambda: make_pptx([])[:500], "damaged"),
}


@pytest.mark.parametrize("name", WRONG)
def test_bytes_that_are_no_such_document_say_what_they_are(name: str) -> None:
    make, category = WRONG[name]
    found = outcome(make(), name)
    assert isinstance(found, tuple) and found[0] == category and found[1]


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_extension_changes_nothing(name: str) -> None:
    data = documents()[name]
    right, wrong = outcome(data, name), outcome(data, "규정.txt")
    assert isinstance(right, Parsed) and isinstance(wrong, Parsed) and right.blocks == wrong.blocks

"""A team's folders, and what may happen to them, on a disk and in an account of it."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Literal

Place = tuple[str, str]  # source, path
SOURCES = ("개발", "정책", "영업")
# Documents that questions are pinned to: the last comes and goes, the others stay.
PINNED: dict[Place, tuple[str, str]] = {
    ("개발", "핀가나.md"): ("결제 타임아웃 설정값", "설정값 안내: 결제 타임아웃은 읽기 30초, 연결 5초이다."),
    ("정책", "핀다라.md"): ("연차 이월 한도", "한도 안내: 연차 이월은 다음 해로 5일까지 된다."),
    ("영업", "핀마바.md"): ("가맹점 할인율 기준", "기준 안내: 가맹점 할인율은 매출 규모별로 3단계이다."),
    ("개발", "핀사아.md"): ("백업 보관 주기", "주기 안내: 백업 보관은 30일이며 매주 한 번 검사한다."),
}
LEAVING: Place = ("개발", "핀사아.md")
FIRST_DAY = date(2030, 1, 1)
# Zip members that no reader finds: damaged, whatever the name says.
_BROKEN = b"PK\x03\x04\x14\x00broken"


@dataclass(frozen=True, slots=True)
class File:
    """What stands in a file: paragraphs and its last day, or bytes that nobody can read."""

    paragraphs: tuple[str, ...] = ()
    expires: date | None = None
    broken: int | None = None

    @property
    def words(self) -> str:
        """The text without its white space between words."""
        return " ".join(" ".join(self.paragraphs).split())

    @property
    def content(self) -> bytes:
        if self.broken is not None:
            return _BROKEN + str(self.broken).encode()
        head = f"---\nexpires_at: {self.expires.isoformat()}\n---\n" if self.expires else ""
        return (head + "\n\n".join(self.paragraphs) + "\n").encode("utf-8")


@dataclass(frozen=True, slots=True)
class Event:
    """One thing that somebody does. `kind` says what it means, `act` how the disk changes.

    days  how far behind the clock is from now on
    """

    kind: str
    act: Literal["write", "rename", "copy", "delete", "unmount", "mount", "encoder", "clock"]
    place: Place = ("", "")
    to: Place = ("", "")
    file: File = File()
    encoder: int = 0
    days: int = 0


@dataclass
class World:
    """The folders as they stand, also those that are out of reach.

    encoder  counts the changes of model
    behind   days that the clock is behind
    """

    files: dict[Place, File] = field(default_factory=dict)
    away: set[str] = field(default_factory=set)
    encoder: int = 1
    behind: int = 0

    def take(self, event: Event) -> None:
        """Follow one event."""
        match event.act:
            case "write":
                self.files[event.place] = event.file
            case "rename":
                self.files[event.to] = self.files.pop(event.place)
            case "copy":
                self.files[event.to] = self.files[event.place]
            case "delete":
                del self.files[event.place]
            case "unmount":
                self.away.add(event.place[0])
            case "mount":
                self.away.discard(event.place[0])
            case "encoder":
                self.encoder = event.encoder
            case "clock":
                self.behind = event.days


def play(event: Event, folder: Path) -> None:
    """Do on the disk what an event says; a source's folder out of reach lies beside."""
    path, to = folder.joinpath(*event.place), folder.joinpath(*event.to)
    aside = folder.with_name("away") / event.place[0]
    match event.act:
        case "write":
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(event.file.content)
        case "rename":
            path.rename(to)
        case "copy":
            shutil.copyfile(path, to)
        case "delete":
            path.unlink()
        case "unmount":
            aside.parent.mkdir(exist_ok=True)
            (folder / event.place[0]).rename(aside)
        case "mount":
            aside.rename(folder / event.place[0])

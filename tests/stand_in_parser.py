"""A parser for the tests of the worker pool: the document's words say how to misbehave."""

from __future__ import annotations

import ctypes
import os
import signal
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

from pipelines.errors import Corrupt, Encrypted
from pipelines.records import Attachment, Block, Cell, Limits, Parsed


def parse(file: BinaryIO, name: str, limits: Limits) -> Parsed:
    """Do what the first word says; a plain text otherwise."""
    text = file.read().decode()
    word, _, rest = text.partition(" ")
    if word == "hang":
        time.sleep(600)
    elif word == "spin":
        _hold_the_interpreter()
    elif word == "hog":
        _hog()
    elif word == "hidden-hog":
        _hog_behind_a_library()
    elif word == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    elif word == "crash-once" and not Path(rest).exists():
        Path(rest).write_text("crashed", encoding="utf-8")
        os.kill(os.getpid(), signal.SIGSEGV)
    elif word == "killed":
        os.kill(os.getpid(), signal.SIGKILL)
    elif word == "exit":
        sys.exit(3)
    elif word == "encrypted":
        raise Encrypted("needs a password")
    elif word == "surprise":
        raise KeyError(rest)
    elif word == "chatty":
        print("words of a document")
        os.write(1, b"words of a document")
    elif word == "grow":
        with Path(rest.split()[0]).open("a", encoding="utf-8") as other:
            other.write(" more")
    elif word == "signal":
        Path(rest).write_text(str(os.getpid()), encoding="utf-8")
        time.sleep(600)
    elif word == "environment":
        text = " ".join(sorted(os.environ))
    elif word == "long":
        text = "x" * (2 << 20)
    elif word == "mail":
        parts = rest.split("|")
        attachments = tuple(Attachment("견적서.txt", part.replace("~", "|").encode()) for part in parts)
        return Parsed("eml", (Block("paragraph", name),), attachments=attachments)
    cell = Cell(0, 0, (Block("paragraph", "칸"),))
    blocks = (Block("paragraph", text), Block("table", cells=(cell,)))
    return Parsed("txt", blocks, title=name, modified_at=datetime(2026, 11, 30, tzinfo=UTC))


def _hog() -> None:
    held = []
    while True:
        held.append(bytearray(16 << 20))


def _hog_behind_a_library() -> None:
    try:
        _hog()
    except MemoryError as error:
        raise Corrupt("the parser stopped") from error


def _hold_the_interpreter() -> None:
    """Sleep in C code without letting other threads of Python run, as a runaway regular expression does."""
    ctypes.PyDLL(None).sleep(600)

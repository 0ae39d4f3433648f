"""Who reads: our parsers, the peers in virtual environments of their own, and the bare libraries as yardsticks."""

from __future__ import annotations

import json
import os
import re
import selectors
import subprocess
import sys
import time
import venv
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
PEERS = HERE / "peers"
# What saero itself gives a document (Limits.seconds), in wall time.
FILE_SECONDS = 120
START_SECONDS = 120
# A reading that took longer isn't repeated: loading and noise are small beside it.
AGAIN_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class Reader:
    """A tool of parse_child.py and the formats that it says it reads; `own` readers run in this environment."""

    name: str
    formats: frozenset[str]
    own: bool = False

    @property
    def requirements(self) -> Path:
        """The pinned requirements of a peer; the first named like the peer is the peer itself."""
        return PEERS / f"{self.name}.txt"

    @property
    def version(self) -> str:
        """The pinned version of a peer, "" of what is our own."""
        found = None if self.own else re.search(rf"^{self.name}==(\S+)", self.requirements.read_text("utf-8"), re.M)
        return found[1] if found else ""


EVERY = frozenset({"hwp", "pdf", "docx", "pptx", "xlsx", "eml", "txt", "html", "md"})
OURS = Reader("ours", EVERY, own=True)
# kreuzberg lists .hwp and .hwpx among its formats; this version answers the first with nothing and refuses the second.
PEER_READERS = (
    Reader("kreuzberg", EVERY),
    Reader("markitdown", EVERY - {"hwp", "eml"}),
    Reader("hwp2markdown", frozenset({"hwp"})),
    Reader("syhwp", frozenset({"hwp"})),
    Reader("unhwp", frozenset({"hwp"})),
)
YARDSTICKS = {"pdf": Reader("pypdfium2", frozenset({"pdf"}), own=True), "xlsx": Reader("openpyxl", EVERY, own=True)}


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader made of a file. `body`, `title` and `apart` are given by ours alone."""

    text: str = ""
    cpu_seconds: float = 0.0
    error: str = ""
    body: str = ""
    title: str = ""
    apart: str = ""

    @property
    def has_text(self) -> bool:
        """Tell whether the file was read: some tools answer with nothing where others say why they can't."""
        return not self.error and bool(self.text.strip())


@dataclass
class Pass:
    """A reader's readings of some files, and the memory of its process: after the imports, and at its highest."""

    readings: dict[Path, Reading] = field(default_factory=dict)
    idle_mb: int = 0
    peak_mb: int = 0


def install(reader: Reader, folder: Path) -> str:
    """Make a peer's environment below `folder` unless it stands there; returns the last line of what fails."""
    place, wanted = folder / reader.name, reader.requirements.read_text(encoding="utf-8")
    done = place / "installed.txt"
    if done.is_file() and done.read_text(encoding="utf-8") == wanted:
        return ""
    venv.create(place, with_pip=True, clear=True)
    command = [str(python_of(reader, folder)), "-m", "pip", "install", "-q", "-r", str(reader.requirements)]
    ended = subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)
    if ended.returncode:
        return ended.stderr.strip().rpartition("\n")[2] or f"pip ended with {ended.returncode}"
    try:
        Child(python_of(reader, folder), reader.name, min(reader.formats)).end()
    except NotStarted as error:
        return str(error)
    done.write_text(wanted, encoding="utf-8")
    return ""


def python_of(reader: Reader, folder: Path) -> Path:
    """Return the interpreter that runs a reader."""
    if reader.own:
        return Path(sys.executable)
    return folder / reader.name / ("Scripts/python.exe" if os.name == "nt" else "bin/python")


class NotStarted(Exception):
    """A reader's process ended before it could be asked."""


class Child:
    """A process of parse_child.py; asked one file at a time, so that one which hangs is known."""

    def __init__(self, python: Path, tool: str, form: str) -> None:
        self.process = subprocess.Popen(
            [str(python), str(HERE / "parse_child.py"), tool, form],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": str(HERE.parent) if tool == "ours" else ""},
        )
        self.rest = b""
        hello = self.line(START_SECONDS)
        if hello is None:
            raise NotStarted(f"{tool} doesn't start for {form}: {self.end()}")
        self.idle_mb = int(hello["peak_mb"])

    def ask(self, path: Path, seconds: float = FILE_SECONDS) -> dict[str, Any] | None:
        """Return the answer for a file; None when the time is over or the process died."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(f"{path}\n".encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            return None
        return self.line(seconds)

    def line(self, seconds: float) -> dict[str, Any] | None:
        """Return the next line of the process, decoded."""
        assert self.process.stdout is not None
        until = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in self.rest:
                if not selector.select(max(0.0, until - time.monotonic())):
                    return None
                piece = os.read(self.process.stdout.fileno(), 1 << 20)
                if not piece:
                    return None
                self.rest += piece
        line, _, self.rest = self.rest.partition(b"\n")
        said: dict[str, Any] = json.loads(line)
        return said

    def end(self) -> str:
        """End the process at once; returns the last line that it complained with."""
        self.process.kill()
        return self.process.communicate()[1].decode("utf-8", "replace").strip().rpartition("\n")[2]


def read_files(python: Path, reader: Reader, form: str, files: Sequence[Path]) -> Pass:
    """Read `files` in one process; one that hangs or dies is followed by another."""
    done = Pass()
    child: Child | None = None
    for path in files:
        if child is None:
            child = Child(python, reader.name, form)
            done.idle_mb = done.idle_mb or child.idle_mb
        said = _cheaper_of_two(child, path)
        if said is None:
            hung = child.process.poll() is None
            child.end()
            child = None
            done.readings[path] = Reading(error=f"not read within {FILE_SECONDS} s" if hung else "the process died")
            continue
        done.peak_mb = max(done.peak_mb, said.pop("peak_mb"))
        done.readings[path] = Reading(**said)
    if child is not None:
        child.end()
    return done


def _cheaper_of_two(child: Child, path: Path) -> dict[str, Any] | None:
    """Ask for a file twice unless that takes long; the cheaper reading counts.

    The first reading pays for what a tool loads when it is first called, and either may pay for a busy machine.
    """
    first = child.ask(path)
    if first is None or first["cpu_seconds"] > AGAIN_SECONDS:
        return first
    second = child.ask(path)
    if second is None:
        return None
    cheaper = min(first, second, key=lambda said: float(said["cpu_seconds"]))
    return {**cheaper, "peak_mb": second["peak_mb"]}

"""List a source folder. Nothing is opened: names, sizes and times come from the directory alone."""

from __future__ import annotations

import os
import re
import stat
import unicodedata
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pipelines.records import Finding

Root = Literal["ok", "missing", "empty", "not_a_folder", "unreadable"]

# Never documents. Recycle bins and snapshots of file servers hold deleted and old documents under readable names:
# indexing them would serve exactly the stale passages that saero exists to prevent.
SKIPPED_NAMES = (
    ".git",
    "node_modules",
    ".saero",
    "~$*",
    ".~lock.*",
    "._*",
    "Thumbs.db",
    ".DS_Store",
    "desktop.ini",
    "*.tmp",
    "$RECYCLE.BIN",
    "System Volume Information",
    "#recycle",
    "@Recycle",
    "@eaDir",
    ".Trash-*",
    ".Trashes",
    ".snapshot",
    "#snapshot",
    "~snapshot",
)


@dataclass(frozen=True, slots=True)
class Entry:
    """A regular file. `path` is the document's key (NFC, "/"); `disk_path` opens it, as the disk spells it."""

    path: str
    disk_path: str
    size: int
    mtime_ns: int
    ctime_ns: int
    inode: int


@dataclass(frozen=True, slots=True)
class Unlisted:
    """A file or folder that the system refuses to show; `path` is "" for the root."""

    path: str
    reason: str


@dataclass(frozen=True, slots=True)
class NameClash:
    """Names that are one: after NFC, or since a file carries attachments under that name.

    `used` is read, `hidden` are not (as the disk spells them).
    """

    path: str
    used: str
    hidden: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Listing:
    """What a source folder held.

    root           "empty" means no file anywhere below it, as under a share that isn't mounted
    unlisted       what the system refuses to show
    other_devices  folders that were not entered because another file system is mounted there
    misnamed       keys of files whose name on disk isn't UTF-8
    skipped        why ("excluded", "temporary", "link", "special", "other_device") -> how many
    """

    root: Root
    entries: tuple[Entry, ...] = ()
    unlisted: tuple[Unlisted, ...] = ()
    clashes: tuple[NameClash, ...] = ()
    other_devices: tuple[str, ...] = ()
    misnamed: tuple[str, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)


class Globs:
    """Path patterns of the settings: "*.bak" matches a name at any depth, "임시/**" and "a/*.txt" from the root.

    A pattern that matches a folder matches all that is in it. ValueError names a pattern that can't be read.
    """

    def __init__(self, patterns: Iterable[str], *, ignore_case: bool = False) -> None:
        flags = re.DOTALL | (re.IGNORECASE if ignore_case else 0)
        sources = [_pattern_source(pattern, flags) for pattern in patterns]
        self._regex = re.compile("|".join(sources), flags) if sources else None

    def match(self, path: str) -> bool:
        """Tell whether the NFC relative `path` is meant."""
        return self._regex is not None and self._regex.fullmatch(path) is not None


def _pattern_source(pattern: str, flags: int) -> str:
    text = unicodedata.normalize("NFC", pattern).strip("/")
    text = text.removesuffix("/**")
    anchored = "/" in pattern.rstrip("/")
    body = ""
    for token in re.findall(r"\*\*/|\*\*|\*|\?|\[!?\]?[^\]/]*\]|.", text, re.DOTALL):
        body += _token_source(token)
    source = f"{'' if anchored else '(?:.*/)?'}{body}(?:/.*)?"
    try:
        re.compile(source, flags)
    except re.error as error:
        raise ValueError(f"the pattern {pattern!r} can't be read: {error}") from error
    return source


def _token_source(token: str) -> str:
    simple = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    if token in simple:
        return simple[token]
    if len(token) > 2 and token[0] == "[" and token[-1] == "]":
        inner = token[1:-1]
        negated = inner.startswith("!")
        letters = inner[negated:].replace("\\", r"\\").replace("]", r"\]").replace("[", r"\[").replace("^", r"\^")
        return f"[{'^/' if negated else ''}{letters}]"
    return re.escape(token)


_TEMPORARY = Globs(SKIPPED_NAMES, ignore_case=True)


def key_name(disk_name: str) -> tuple[str, bool]:
    """Turn a name as the disk gives it into NFC; the flag says that its bytes are not UTF-8.

    Such names are CP949 as a rule (old archives unpacked on Linux); bytes that are not that either show as \\xNN.
    """
    if disk_name.isascii():
        return disk_name, False
    try:
        disk_name.encode("utf-8")
    except UnicodeEncodeError:
        raw = os.fsencode(disk_name)
        try:
            text = raw.decode("cp949")
        except UnicodeDecodeError:
            text = raw.decode("utf-8", "backslashreplace")
        return unicodedata.normalize("NFC", text), True
    return unicodedata.normalize("NFC", disk_name), False


def scan_source(root: Path, *, exclude: Iterable[str] = ()) -> Listing:
    """List the regular files below `root`; never raises for what it finds there.

    Links are not followed and pipes, sockets and devices not opened; `root` itself may be a link.
    """
    try:
        status = root.stat()
    except (FileNotFoundError, NotADirectoryError):
        return Listing("missing")
    except OSError as error:
        return Listing("unreadable", unlisted=(Unlisted("", _reason(error)),))
    if not stat.S_ISDIR(status.st_mode):
        return Listing("not_a_folder")
    walk = _Walk(Globs(exclude), status.st_dev)
    try:
        walk.run(os.fspath(root))
    except FileNotFoundError:
        return Listing("missing")
    return walk.listing()


class _Walk:
    """One pass over a tree, with an own stack: trees deeper than Python's recursion limit are listed too."""

    def __init__(self, exclude: Globs, device: int | None) -> None:
        self.exclude = exclude
        self.device = device
        self.found: dict[str, list[Entry]] = {}
        self.unlisted: list[Unlisted] = []
        self.other_devices: list[str] = []
        self.misnamed: set[str] = set()
        self.skipped: Counter[str] = Counter()

    def run(self, root: str) -> None:
        pending = [("", root, False)]
        while pending:
            key, disk_path, misnamed = pending.pop()
            try:
                with os.scandir(disk_path) as children:
                    pending.extend(self.folder(key, children, misnamed))
            except FileNotFoundError:
                if not key:
                    raise
            except OSError as error:
                self.unlisted.append(Unlisted(key, _reason(error)))

    def folder(self, parent: str, children: Iterator[os.DirEntry[str]], misnamed: bool) -> list[tuple[str, str, bool]]:
        """Take in one folder's files; return its sub-folders."""
        folders = []
        for child in children:
            name, odd = key_name(child.name)
            key = f"{parent}/{name}" if parent else name
            if _TEMPORARY.match(name):
                self.skipped["temporary"] += 1
            elif self.exclude.match(key):
                self.skipped["excluded"] += 1
            elif self.take(key, child, odd or misnamed):
                folders.append((key, child.path, odd or misnamed))
        return folders

    def take(self, key: str, child: os.DirEntry[str], misnamed: bool) -> bool:
        """Take in one entry; True when it is a folder to be listed."""
        try:
            status = child.stat(follow_symlinks=False)
        except FileNotFoundError:
            return False
        except OSError as error:
            self.unlisted.append(Unlisted(key, _reason(error)))
            return False
        if stat.S_ISDIR(status.st_mode):
            if self.device is None or status.st_dev == self.device:
                return True
            self.other_devices.append(key)
            self.skipped["other_device"] += 1
        elif stat.S_ISREG(status.st_mode):
            entry = Entry(key, child.path, status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino)
            self.found.setdefault(key, []).append(entry)
            if misnamed:
                self.misnamed.add(key)
        else:
            self.skipped["link" if stat.S_ISLNK(status.st_mode) else "special"] += 1
        return False

    def listing(self) -> Listing:
        entries = []
        clashes = []
        for key in sorted(self.found):
            used, *hidden = sorted(self.found[key], key=lambda entry: _spelling_rank(key, entry.disk_path))
            mail = _carrier(key, self.found)
            if mail:
                clashes.append(NameClash(key, self.found[mail][0].disk_path, (used.disk_path,)))
                continue
            entries.append(used)
            if hidden:
                clashes.append(NameClash(key, used.disk_path, tuple(entry.disk_path for entry in hidden)))
        root: Root = "ok" if entries else "empty"
        if any(not item.path for item in self.unlisted):
            root = "unreadable"
        return Listing(
            root,
            tuple(entries),
            tuple(sorted(self.unlisted, key=lambda item: item.path)),
            tuple(clashes),
            tuple(sorted(self.other_devices)),
            tuple(sorted(self.misnamed)),
            dict(self.skipped),
        )


# Of other files nothing is known before they are read: a folder beside one is a folder like any other.
_CARRIERS = (".eml", ".mbox")


def _carrier(key: str, found: Container[str]) -> str:
    """Return the file whose attachments have the names of this folder's files ("a.eml" of "a.eml!/b.txt"), or ""."""
    if "!/" not in key:
        return ""
    names = (key[: match.start()] for match in re.finditer("!/", key))
    return next((name for name in names if name.lower().endswith(_CARRIERS) and name in found), "")


def _spelling_rank(key: str, disk_path: str) -> tuple[bool, str]:
    """Put the name that is NFC on disk first, then the order of the bytes, so that the choice is stable."""
    return not disk_path.endswith("/" + key), disk_path


def _reason(error: OSError) -> str:
    return error.strerror or type(error).__name__


def scan_findings(source: str, listing: Listing) -> list[Finding]:
    """Say what a person should mend in the folder: clashing names, names that aren't UTF-8, refused folders."""
    findings = [
        Finding("name_clash", source, clash.path, {"used": shown(clash.used), "hidden": [*map(shown, clash.hidden)]})
        for clash in listing.clashes
    ]
    findings += [Finding("name_not_utf8", source, path) for path in listing.misnamed]
    findings += [Finding("unlisted", source, item.path, {"reason": item.reason}) for item in listing.unlisted]
    return findings


def shown(disk_path: str) -> str:
    """Make a disk path printable: bytes that are not UTF-8 become \\xNN."""
    return os.fsencode(disk_path).decode("utf-8", "backslashreplace")

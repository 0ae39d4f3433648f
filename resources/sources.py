"""The sources of a run: those that saero.toml names, and one for each sub-folder of a root."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from pipelines.errors import SettingsError
from pipelines.scan import SKIPPED_NAMES, Globs
from resources.files import write_whole
from resources.settings import Settings, TtlRule

KNOWN_NAME = "sources.json"
STATE_NAME = ".saero"
_SKIPPED = Globs(SKIPPED_NAMES, ignore_case=True)


@dataclass(frozen=True, slots=True)
class SourceFolder:
    """A source with its absolute folder. `position` is its order in the settings."""

    name: str
    path: Path
    position: int
    owner: str = ""
    review_after: str = ""
    exclude: tuple[str, ...] = ()
    ttl: tuple[TtlRule, ...] = ()
    versions: str = "replace"
    was: tuple[str, ...] = ()


def list_sources(settings: Settings) -> list[SourceFolder]:
    """Return every source, sub-folders of roots united with those known from earlier runs.

    An unmounted root must not erase its partitions, so what was once listed stays (DESIGN section 2).
    Raises SettingsError when there is none, or when two sources share a folder.
    """
    found: list[SourceFolder] = []
    for name, source in settings.sources.items():
        fields = source.model_dump(exclude={"path", "ttl", "was"})
        fields["was"] = tuple(escape(old) for old in source.was)
        path = _absolute(settings.folder, source.path)
        found.append(SourceFolder(escape(name), path, len(found), ttl=source.ttl, **fields))
    known = read_known(settings.state_dir)
    for name, root in settings.roots.items():
        path = _absolute(settings.folder, root.path)
        fields = root.model_dump(exclude={"path", "ttl"})
        children: dict[str, str] = {}
        for child in [*_sub_folders(path), *known.get(name, [])]:
            children.setdefault(unicodedata.normalize("NFC", child), child)
        for shown in sorted(children):
            key = escape(f"{name}/{shown}")
            found.append(SourceFolder(key, path / children[shown], len(found), ttl=root.ttl, **fields))
    if not found and settings.roots:
        named = ", ".join(str(_absolute(settings.folder, root.path)) for root in settings.roots.values())
        raise SettingsError(f"{settings.file}: roots: no sub-folder is found in {named}; is it mounted?")
    if not found:
        raise SettingsError(f"{settings.file}: sources: no document folder is named; `saero init FOLDER...` writes one")
    _refuse_overlaps(found, settings.file)
    _refuse_state_inside(found, settings)
    return found


def read_known(state_dir: Path) -> dict[str, list[str]]:
    """Return root name -> sub-folder names (as the disk spelled them) seen by earlier runs."""
    try:
        data = json.loads((state_dir / KNOWN_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    if not isinstance(data, dict):
        return {}
    return {name: [str(child) for child in children] for name, children in data.items() if isinstance(children, list)}


def remember(settings: Settings) -> None:
    """Write down the sub-folders of every root, united with those known before."""
    if not settings.roots:
        return
    known = read_known(settings.state_dir)
    for name, root in settings.roots.items():
        listed = _sub_folders(_absolute(settings.folder, root.path))
        known[name] = sorted(set(known.get(name, [])) | set(listed))
    _write_known(settings.state_dir, known)


def forget_known(settings: Settings, names: Collection[str]) -> None:
    """Strike sub-folders of roots by their source names, so that one that is gone for good needn't be listed."""
    known = read_known(settings.state_dir)
    kept = {
        name: [child for child in children if escape(f"{name}/{child}") not in names]
        for name, children in known.items()
    }
    if kept != known:
        _write_known(settings.state_dir, kept)


def _write_known(state_dir: Path, known: dict[str, list[str]]) -> None:
    # Escaped JSON: a folder name that isn't UTF-8 keeps its bytes.
    write_whole(state_dir / KNOWN_NAME, json.dumps(known).encode("ascii"))


def escape(name: str) -> str:
    """Return a partition key: NFC, with percent codes for "..." (a range in Dagster), control characters and bytes
    that aren't UTF-8.
    """
    name = unicodedata.normalize("NFC", name).replace("...", "%2E%2E%2E")
    return re.sub(r"[\x00-\x1f\x7f\ud800-\udfff]", lambda match: f"%{ord(match[0]) & 0xFF:02X}", name)


def _absolute(folder: Path, path: Path) -> Path:
    return Path(os.path.normpath(folder / path.expanduser()))


def _sub_folders(path: Path) -> list[str]:
    try:
        with os.scandir(path) as entries:
            folders = [entry.name for entry in entries if entry.is_dir(follow_symlinks=False)]
    except OSError:
        return []
    wanted = [name for name in folders if not name.startswith(".") and not _SKIPPED.match(name)]
    # Of two spellings the NFC one comes first and is used, as among files.
    return sorted(wanted, key=lambda name: (not unicodedata.is_normalized("NFC", name), name))


def _refuse_overlaps(found: list[SourceFolder], file: Path) -> None:
    """Links are followed here: a document must belong to one source, and "source/path" must name one document."""
    names: dict[str, SourceFolder] = {}
    folders: dict[Path, SourceFolder] = {}
    for source in found:
        if source.name in names:
            raise SettingsError(f"{file}: sources.{source.name}: two sources have this name")
        names[source.name] = source
        folder = Path(os.path.realpath(source.path))
        if folder in folders:
            raise _overlap(folders[folder], source, file)
        folders[folder] = source
    for folder, source in folders.items():
        for parent in folder.parents:
            if parent in folders:
                raise _overlap(folders[parent], source, file)
    for name in names:
        for above in PurePosixPath(name).parents:
            if str(above) in names:
                raise SettingsError(
                    f'{file}: sources.{name}: its documents could be mistaken for those of a folder in "{above}"; '
                    "give one of the two another name"
                )


def _overlap(a: SourceFolder, b: SourceFolder, file: Path) -> SettingsError:
    first, second = sorted((a, b), key=lambda source: source.position)
    return SettingsError(
        f"{file}: sources.{second.name}: its folder {second.path} overlaps that of {first.name} ({first.path}); "
        "a document must belong to one source"
    )


def _refuse_state_inside(found: list[SourceFolder], settings: Settings) -> None:
    """A state folder among the documents would be read as documents; the scan skips one of the usual name only."""
    state = Path(os.path.realpath(settings.state_dir))
    for source in found:
        folder = Path(os.path.realpath(source.path))
        if state == folder or state in folder.parents:
            raise SettingsError(f"{settings.file}: sources.{source.name}: its folder {source.path} is the state's")
        if folder in state.parents and STATE_NAME not in state.relative_to(folder).parts:
            raise SettingsError(
                f"{settings.file}: state: {settings.state_dir} lies in the folder of {source.name}; "
                f'call it "{STATE_NAME}", or name a folder elsewhere'
            )

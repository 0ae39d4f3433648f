"""The sources of a run: those that saero.toml names, and one for each sub-folder of a root."""

from __future__ import annotations

import json
import os
import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path

from pipelines.errors import SettingsError
from resources.settings import Settings, TtlRule

KNOWN_NAME = "sources.json"


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
        fields = source.model_dump(exclude={"path", "ttl"})
        path = _absolute(settings.folder, source.path)
        found.append(SourceFolder(escape(name), path, len(found), ttl=source.ttl, **fields))
    known = read_known(settings.state_dir)
    for name, root in settings.roots.items():
        path = _absolute(settings.folder, root.path)
        fields = root.model_dump(exclude={"path", "ttl"})
        children = {unicodedata.normalize("NFC", child): child for child in _sub_folders(path)}
        for child in known.get(name, []):
            children.setdefault(unicodedata.normalize("NFC", child), child)
        for shown in sorted(children):
            key = escape(f"{name}/{shown}")
            found.append(SourceFolder(key, path / children[shown], len(found), ttl=root.ttl, **fields))
    if not found:
        raise SettingsError(f"{settings.file}: sources: no document folder is named; `saero init FOLDER...` writes one")
    _refuse_overlaps(found, settings.file)
    return found


def read_known(state_dir: Path) -> dict[str, list[str]]:
    """Return root name -> sub-folder names (as the disk spelled them) seen by earlier runs."""
    try:
        data = json.loads((state_dir / KNOWN_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(name): [str(child) for child in children] for name, children in data.items()}


def remember(settings: Settings) -> None:
    """Write down the sub-folders of every root, united with those known before."""
    if not settings.roots:
        return
    known = read_known(settings.state_dir)
    for name, root in settings.roots.items():
        listed = _sub_folders(_absolute(settings.folder, root.path))
        known[name] = sorted(set(known.get(name, [])) | set(listed))
    target = settings.state_dir / KNOWN_NAME
    aside = target.with_suffix(".aside")
    aside.write_text(json.dumps(known, ensure_ascii=False), encoding="utf-8")
    aside.replace(target)


def escape(name: str) -> str:
    """Return a partition key: NFC, "..." (a range in Dagster) and control characters percent-encoded."""
    name = unicodedata.normalize("NFC", name).replace("...", "%2E%2E%2E")
    return re.sub(r"[\x00-\x1f\x7f]", lambda match: f"%{ord(match[0]):02X}", name)


def _absolute(folder: Path, path: Path) -> Path:
    return Path(os.path.normpath(folder / path.expanduser()))


def _sub_folders(path: Path) -> list[str]:
    try:
        with os.scandir(path) as entries:
            return sorted(e.name for e in entries if e.is_dir(follow_symlinks=False) and not e.name.startswith("."))
    except OSError:
        return []


def _refuse_overlaps(found: list[SourceFolder], file: Path) -> None:
    for i, a in enumerate(found):
        for b in found[i + 1 :]:
            if a.name == b.name:
                raise SettingsError(f"{file}: sources.{a.name}: two sources have this name")
            if a.path == b.path or a.path in b.path.parents or b.path in a.path.parents:
                raise SettingsError(
                    f"{file}: sources.{b.name}: its folder {b.path} overlaps that of {a.name} ({a.path}); "
                    "a document must belong to one source"
                )

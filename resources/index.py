"""The index that readers search: a table of live rows, a table of retired rows, and which version is published."""

from __future__ import annotations

import dataclasses
import hashlib
import logging
import shutil
from collections.abc import Container
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from pipelines.errors import Broken, Refused
from resources.published import Published, read_published, remove_published, write_published
from resources.rows import SCHEMA_VERSION, rows_table
from resources.table import GONE, Anew, Kept, RowTable

_log = logging.getLogger(__name__)
_TAGS = ("published", "published_before")


class Index:
    """The writer of one encoder's rows under `folder`; vectors of different encoders never share a table."""

    def __init__(self, folder: Path, encoder_id: str, dimension: int) -> None:
        self.folder = folder
        self.encoder_id = encoder_id
        mark = hashlib.sha256(f"{SCHEMA_VERSION}/{encoder_id}/{dimension}".encode()).hexdigest()[:8]
        self.live = RowTable(folder, f"chunks-{mark}", dimension)
        self.retired = RowTable(folder, f"retired-{mark}", dimension)

    def optimize(self) -> None:
        """Compact both tables and bring their indices up to date."""
        self.live.optimize()
        self.retired.optimize()

    def mend(self) -> None:
        """Put away what a killed run or a failing disk left: remains of tables, tables that can't be read, and records
        of tables that are gone.
        """
        for path in self.folder.glob("*" + GONE):
            shutil.rmtree(path, ignore_errors=True)
        for table in self._tables():
            if not table.exists:
                table.remove()
            elif damage := table.damage():
                _log.warning("%s is damaged and is made anew from the ledger: %s", table.path, damage)
                table.remove()
        self._forget_lost()

    def _tables(self) -> list[RowTable]:
        """Return every table on disk, those of other encoders too."""
        paths = sorted(self.folder.glob("*.lance"))
        return [RowTable(self.folder, path.stem, self.live.dimension) for path in paths]

    def _forget_lost(self) -> None:
        """Forget publications whose tables were deleted (their version numbers begin anew and would name other rows),
        and a published.json that can't be read.
        """
        try:
            record = read_published(self.folder)
        except Broken:
            remove_published(self.folder)
            return
        if record is None:
            return
        if not self._there(record):
            remove_published(self.folder)
        elif record.before is not None and not self._there(record.before):
            write_published(self.folder, dataclasses.replace(record, before=None))

    def _there(self, record: Published) -> bool:
        parts = ((record.table, record.version), (record.retired_table, record.retired_version))
        tables = [(RowTable(self.folder, name, self.live.dimension), version) for name, version in parts if version]
        return all(table.has(version) for table, version in tables)

    def candidate(
        self,
        *,
        calibration: str,
        chunker: str,
        run_id: str,
        now: datetime,
        constants: dict[str, Any] | None = None,
    ) -> Published:
        """Describe the head, as it would be published: IndexReader can open it before it is."""
        return Published(
            table=self.live.name,
            version=self.live.version,
            retired_table=self.retired.name,
            retired_version=self.retired.version,
            encoder=self.encoder_id,
            calibration=calibration,
            chunker=chunker,
            published_at=now,
            run_id=run_id,
            constants=constants,
        )

    def publish(self, record: Published) -> Published:
        """Show `record` to every reader that opens from now on; the one before stays for `rollback`."""
        before = read_published(self.folder)
        if before is not None and _same_rows(before, record):
            before = before.before
        record = dataclasses.replace(record, before=before)
        self._protect(record)
        write_published(self.folder, record)
        return record

    def rollback(self) -> Published:
        """Show the publication before again; a second call returns. Raises Refused when there is none."""
        current = read_published(self.folder)
        if current is None or current.before is None:
            raise Refused("there is no earlier version to go back to: only one was published")
        record = dataclasses.replace(current.before, before=current)
        self._protect(record)
        write_published(self.folder, record)
        return record

    def without_others(self, live: Container[str], retired: Container[str]) -> Published | None:
        """Take the rows of all other bodies than these out of the published tables, whichever encoder's they are.

        Returns the record to publish, None when no row had to leave. The published rows are made the head for it; what
        the head had more is written again by the next run's comparison, from the ledger.
        """
        record = read_published(self.folder)
        if record is None:
            return None
        version = self._without(record.table, record.version, live)
        retired_version = self._without(record.retired_table, record.retired_version, retired)
        if (version, retired_version) == (record.version, record.retired_version):
            return None
        return dataclasses.replace(record, version=version, retired_version=retired_version, before=None)

    def _without(self, name: str, version: int, kept: Container[str]) -> int:
        table = RowTable(self.folder, name, self.live.dimension)
        leaving = table.of_other_bodies(version, kept) if version else []
        if not leaving:
            return version
        table.restore(version)
        table.apply(rows_table([], table.dimension), leaving)
        return table.version

    def forget(self, live: Container[str], retired: Container[str], kept: Kept, anew: Anew) -> Published | None:
        """Take the rows of all other bodies than these out for good: off the disk, and out of reach of `rollback`.

        `kept` says what stays of the others (resources.table.NAMING of a row; None: it must leave), `anew` makes rows
        that leave by their ids, as they are to be now. Returns the record that was published, None when nothing is.
        Tables that it doesn't name are removed: the next run refills them from the ledger. A reader that opened the
        version before may miss its files from then on.
        """
        self.mend()
        record = read_published(self.folder)
        if record is not None:
            version = self._shed(record.table, record.version, live, kept, anew)
            retired_version = self._shed(record.retired_table, record.retired_version, retired, kept, anew)
            record = dataclasses.replace(record, version=version, retired_version=retired_version, before=None)
            self._protect(record)
            write_published(self.folder, record)
        needed = _names(record) - _empty(record)
        for table in self._tables():
            if table.name in needed:
                table.cleanup(timedelta(0), leftovers=True)
            else:
                table.remove()
        return record

    def _shed(self, name: str, version: int, bodies: Container[str], kept: Kept, anew: Anew) -> int:
        """Return the version of a table whose files hold the kept rows alone, 0 when none are."""
        version = self._without(name, version, bodies)
        table = RowTable(self.folder, name, self.live.dimension)
        if version:
            table.restore(version)
            table.rename(kept, anew)
        if not version or not table.count():
            return 0
        table.shed()
        return table.version

    def cleanup(self, older_than: timedelta, now: datetime) -> None:
        """Remove unprotected versions older than `older_than`, and tables of earlier encoders that nothing names."""
        record = read_published(self.folder)
        if record is not None:
            self._protect(record)
        named = {self.live.name, self.retired.name} | _names(record)
        for table in self._tables():
            if not table.exists:
                continue
            if table.name in named:
                table.cleanup(older_than)
            elif now.timestamp() - (table.path / "_versions").stat().st_mtime > older_than.total_seconds():
                table.remove()

    def _protect(self, record: Published) -> None:
        """Move the tags: they follow published.json, and only keep clean-up away."""
        kept: dict[str, dict[str, int]] = {}
        for tag, publication in zip(_TAGS, (record, record.before), strict=True):
            if publication is not None:
                kept.setdefault(publication.table, {})[tag] = publication.version
                kept.setdefault(publication.retired_table, {})[tag] = publication.retired_version
        for table in self._tables():
            if table.exists:
                for tag in _TAGS:
                    table.tag(tag, kept.get(table.name, {}).get(tag) or None)


def _names(record: Published | None) -> set[str]:
    if record is None:
        return set()
    return {record.table, record.retired_table} | _names(record.before)


def _empty(record: Published | None) -> set[str]:
    if record is None:
        return set()
    parts = ((record.table, record.version), (record.retired_table, record.retired_version))
    return {name for name, version in parts if not version}


def _same_rows(one: Published, other: Published) -> bool:
    return (one.table, one.version, one.retired_version) == (other.table, other.version, other.retired_version)

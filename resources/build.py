"""The one place where settings become handles. Nothing heavy is imported before it is used."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pipelines.errors import SaeroError, SettingsError
from pipelines.records import Limits, Ocr
from pipelines.stale import Status, stale_reasons
from pipelines.tokens import learn
from resources.backup import newest_backup
from resources.bodies import Bodies
from resources.inbox import Inbox
from resources.ledger import Ledger, export
from resources.ledger import runs as run_store
from resources.locks import LockFile
from resources.mirror import Mirror
from resources.progress import Progress, Step, read_step
from resources.published import read_published
from resources.settings import Settings, load_settings
from resources.sources import SourceFolder, list_sources, remember
from resources.status import read_status, settings_digest, write_status

if TYPE_CHECKING:
    import pyarrow as pa

    from resources.encoder import Encoder, QueryEncoder
    from resources.index import Index
    from resources.mailer import Mailer
    from resources.reader import IndexReader
    from resources.workers import WorkerPool

# A second run that a person started says at once who is at work; the nightly one waits for a late first one.
WAIT_CLI = timedelta(0)
WAIT_SCHEDULED = timedelta(hours=2)
AT_WORK = "another refresh is at work"
# The job that reads no file: whether it ends well says nothing of the corpus.
ASKS_ONLY = "analyse_gaps"
CORPUS_STAGES = frozenset({"parse", "dedup", "chunk", "embed", "check", "index"})
# File systems of network shares: flock and fsync don't hold there (Linux names of /proc/self/mounts).
NETWORK_FILE_SYSTEMS = frozenset({"nfs", "nfs4", "cifs", "smb3", "smbfs", "9p", "afs", "fuse.sshfs", "fuse.rclone"})


class Saero:
    """Everything one settings file stands for."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        learn(settings.search.words)
        self.state_dir = settings.state_dir
        self.ledger = Ledger(self.state_dir)
        self.bodies = Bodies(self.state_dir / "bodies")
        self.mirror = Mirror(self.state_dir / "parsed")
        self.index_dir = self.state_dir / "index"
        self.models_dir = self.state_dir / "models"
        self.outbox_dir = self.state_dir / "outbox"
        self.backup_dir = self.state_dir / "backup"
        self.status_path = self.state_dir / "status.json"
        self.inbox = Inbox(self.state_dir)
        self.run_path = self.state_dir / "run.json"

    @cached_property
    def sources(self) -> list[SourceFolder]:
        """The sources in the order of the settings."""
        return list_sources(self.settings)

    def source(self, name: str) -> SourceFolder | None:
        """Return the source of that name."""
        return next((source for source in self.sources if source.name == name), None)

    @property
    def limits(self) -> Limits:
        """What one document may cost."""
        said = self.settings.limits
        return Limits(
            seconds=said.parse_seconds,
            memory_mb=said.parse_memory_mb,
            stream_mb=said.stream_mb,
            file_mb=said.file_mb,
            ocr=self.ocr,
        )

    @cached_property
    def ocr_problem(self) -> str:
        """What is missing to read scanned pages as the settings ask; "" when nothing is, or they don't ask."""
        from resources.ocr import problem

        return problem(self.settings.ocr.languages) if self.settings.ocr.enabled else ""

    @property
    def ocr(self) -> Ocr | None:
        """How scanned pages are read; None when they aren't, also for want of the program."""
        said = self.settings.ocr
        if not said.enabled or self.ocr_problem:
            return None
        return Ocr(said.languages, said.pages, said.page_seconds)

    @cached_property
    def encoder(self) -> Encoder:
        """The batch encoder; the model is loaded at the first passage."""
        from resources.encoder import Encoder

        return Encoder(self.settings.encoder.model, self.models_dir)

    @cached_property
    def query_encoder(self) -> QueryEncoder:
        """The encoder of queries: light for the bundled model."""
        from resources.encoder import QueryEncoder

        return QueryEncoder(self.settings.encoder.model, self.models_dir)

    @cached_property
    def index(self) -> Index:
        """The index, to write."""
        from resources.index import Index

        return Index(self.index_dir, self.encoder.encoder_id, self.encoder.dimension)

    def reader(self) -> IndexReader:
        """The index at the version that is published now, to read."""
        from resources.reader import IndexReader

        return IndexReader(self.index_dir)

    def pool(self) -> WorkerPool:
        """A new pool of parsing processes; close it."""
        from resources.workers import WorkerPool

        said = self.settings.limits
        return WorkerPool(said.workers or os.cpu_count() or 1, self.limits)

    @cached_property
    def mailer(self) -> Mailer:
        """The mail server, or the outbox folder when none is named."""
        from resources.mailer import Mailer

        said = self.settings.mail
        return Mailer(
            host=said.host,
            port=said.port,
            security=said.security,
            username=said.username,
            password=said.password.get_secret_value(),
            sender=said.sender,
            outbox_dir=self.outbox_dir,
        )

    def stale_reasons(self, status: Status, now: datetime) -> list[str]:
        """Return why answers may be out of date (DESIGN section 6), worst first."""
        from resources.model import encoder_identity

        if status.unfinished and read_step(self.run_path) is None:
            status = replace(status, last_failed=True)  # the run that began is gone
        encoder = status.encoder and encoder_identity(self.settings.encoder.model, self.models_dir)
        return stale_reasons(status, now=now, settings=settings_digest(self.settings), encoder=encoder)

    def published_ids(self) -> pa.Table:
        """Return the chunk_id column of the published rows; empty when nothing is published."""
        import pyarrow as pa

        if not (self.index_dir / "published.json").exists():
            return pa.table({"chunk_id": pa.array([], pa.string())})
        return self.reader().ids()

    def make_state(self) -> None:
        """Make the state folder, for its owner only; raises when it can't be written or lies on a network disk."""
        try:
            self.state_dir.mkdir(parents=True, exist_ok=True, mode=0o700)
        except OSError as error:
            raise SettingsError(f"{self.settings.file}: state: {self.state_dir}: {error.strerror}") from error
        if not os.access(self.state_dir, os.W_OK | os.X_OK):
            raise SettingsError(f"{self.settings.file}: state: {self.state_dir}: no permission to write there")
        kind = file_system(self.state_dir)
        if kind in NETWORK_FILE_SYSTEMS:
            raise SettingsError(
                f"{self.settings.file}: state: {self.state_dir} is on a network disk ({kind}), where locks don't hold; "
                "name a folder on a local disk"
            )


def file_system(path: Path) -> str:
    """Return the type of the file system that holds `path`, "" where the system doesn't say."""
    try:
        mounts = Path("/proc/self/mounts").read_text(encoding="utf-8", errors="surrogateescape").splitlines()
    except OSError:
        return ""
    best, kind = "", ""
    target = os.path.realpath(path)
    for line in mounts:
        _, place, name, *_ = line.split(" ")
        place = place.encode("latin-1", "replace").decode("unicode_escape") if "\\" in place else place
        inside = target == place or target.startswith(place.rstrip("/") + "/")
        if inside and len(place) >= len(best):
            best, kind = place, name
    return kind


def build(config: str | None = None) -> Saero:
    """Return the handles for a settings file; raises SettingsError."""
    return Saero(load_settings(config))


@dataclass
class Run:
    """One run from scan to publication, under refresh.lock.

    counts    what `refresh --json` reports under "documents", "chunks" and the like
    failures  documents that could not be read tonight: source, path, category, reason
    news      sources -> what changed, for asset metadata
    """

    saero: Saero
    id: str
    now: datetime
    trigger: str
    progress: Progress
    options: Options
    lock: LockFile
    counts: dict[str, dict[str, int]] = field(default_factory=dict)
    failures: list[dict[str, str]] = field(default_factory=list)
    embedded: int = 0
    reused: int = 0
    opened_files: int = 0
    published: bool = False
    held: str | None = None
    failed_stage: str | None = None
    memory: dict[str, Any] = field(default_factory=dict)

    def stage(self, name: str, total: int = 0) -> None:
        """Begin a stage: in run.json, on the progress bar, and in the lock for whoever waits."""
        self.progress.stage(name, total)
        self.lock.describe(name, self.id)


@dataclass(frozen=True, slots=True)
class Options:
    """What a person asked of this run; `stop_by` ("07:00") goes before that of the settings."""

    accept_deletions: tuple[str, ...] = ()
    forget: tuple[str, ...] = ()
    publish: bool = False
    stop_by: str = ""


@contextmanager
def open_run(
    saero: Saero,
    run_id: str,
    *,
    trigger: str,
    wait: timedelta,
    options: Options | None = None,
    listener: Callable[[Step], None] | None = None,
) -> Iterator[Run]:
    """Hold refresh.lock for one run and write down its beginning and end; raises Busy when another run goes on."""
    saero.make_state()
    lock = LockFile(saero.state_dir / "refresh.lock")
    lock.acquire(wait.total_seconds(), AT_WORK)
    try:
        lock.describe("start", run_id)
        progress = Progress(saero.run_path, run_id, listener)
        try:
            progress.begin()
            if trigger != ASKS_ONLY:
                _begin_status(saero)
            with _set_aside(), _begun(saero, run_id, trigger, progress, options or Options(), lock) as run:
                yield run
        finally:
            progress.end()
    finally:
        lock.release()


@contextmanager
def _set_aside() -> Iterator[None]:
    """Keep the garbage collector off what lives already (modules, models, Kiwi) while a run lasts.

    The rows that a quiet night reads make it look through all of that once or twice, for a sixth of the night's CPU.
    """
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@contextmanager
def _begun(
    saero: Saero, run_id: str, trigger: str, progress: Progress, options: Options, lock: LockFile
) -> Iterator[Run]:
    remember(saero.settings)
    now = datetime.now(UTC)
    with saero.ledger.transaction("begin run") as con:
        if export.is_new(con):
            export.take_back(con, newest_backup(saero.backup_dir))
        run_store.begin(con, run_id, trigger, now)
    run = Run(saero, run_id, now, trigger, progress, options, lock)
    try:
        yield run
    except BaseException:
        run.failed_stage = run.failed_stage or "run"
        raise
    finally:
        progress.finish()
        _close(run)


def _close(run: Run) -> None:
    """Write the end of a run; a full disk here must not hide why the run failed."""
    report = summary(run)
    try:
        with run.saero.ledger.transaction("end run") as con:
            run_store.end(
                con,
                run.id,
                datetime.now(UTC),
                outcome="failed" if run.failed_stage else "success",
                published=run.published,
                held=run.held,
                counts=report,
            )
        _end_status(run)
    except SaeroError:
        if run.failed_stage is None:
            raise


def _begin_status(saero: Saero) -> None:
    """Leave a mark that stays when the run is killed; what an earlier run left of itself is kept with it."""
    before = read_status(saero.status_path)
    failed = before.last_failed or before.unfinished
    write_status(saero.status_path, replace(before, last_failed=failed, unfinished=True))


def _end_status(run: Run) -> None:
    """Write how the run ended. Only a run that read every source makes the corpus as fresh as its schedule."""
    saero, before = run.saero, read_status(run.saero.status_path)
    if not CORPUS_STAGES & run.progress.seconds.keys():
        # Canaries and findings alone say nothing of the documents, and a killed run stays one.
        failed = before.unfinished if run.trigger == ASKS_ONLY else run.failed_stage is not None
        after = replace(before, last_failed=before.last_failed or failed, unfinished=False)
        write_status(saero.status_path, after)
        return
    # A version that waits for its second night is no failure: `held` says it.
    well = run.failed_stage is None and (run.held is not None or run.memory.get("published") is not None)
    every = {source.name for source in saero.sources} <= set(run.memory.get("read", ()))
    served = read_published(saero.index_dir)
    after = replace(
        before,
        last_failed=not well or (before.last_failed and not every),
        unfinished=False,
        held=run.held if well else before.held,
        encoder=served.encoder if served else "",
    )
    if well and every:
        after = replace(after, succeeded_at=datetime.now(UTC), settings=settings_digest(saero.settings))
    write_status(saero.status_path, after)


DOCUMENT_COUNTS = (
    "seen", "new", "changed", "renamed", "unchanged", "gone", "failed", "duplicate", "superseded", "expired", "held",
)  # fmt: skip


def summary(run: Run) -> dict[str, Any]:
    """Return the shape of `refresh --json` (DESIGN section 8)."""
    documents = run.counts.get("documents", {})
    chunks = run.counts.get("chunks", {})
    return {
        "run_id": run.id,
        "published": run.published,
        "held": run.held,
        "documents": {name: documents.get(name, 0) for name in DOCUMENT_COUNTS},
        "failures": run.failures,
        "chunks": {name: chunks.get(name, 0) for name in ("added", "removed", "kept")},
        "embedded": run.embedded,
        "reused": run.reused,
        "opened": run.opened_files,
        "findings": run.counts.get("findings", {}),
        "seconds": run.progress.seconds,
    }

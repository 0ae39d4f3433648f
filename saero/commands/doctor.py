"""saero doctor: is everything in order, and what to do where it isn't."""

from __future__ import annotations

import shutil
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from pipelines.errors import Broken, SaeroError
from saero.output import json_option, print_json
from saero.words import either

# A run needs room for the index it writes beside the old one; below this even small corpora get into trouble.
FREE_MB = 500
# DESIGN section 6: a maximum over so many times more passages than were fitted is no longer what it was.
_FAR = 4


@dataclass(frozen=True, slots=True)
class Check:
    """One line of the report; `fix` says what a person or --fix can do."""

    name: str
    ok: bool
    detail: str
    fix: str = ""


@click.command("doctor", short_help="Check settings, state, ledger, index and mail.")
@click.option("--fix", is_flag=True, help="Mend what can be mended: leftovers, rights, text versions.")
@json_option
@click.pass_obj
def command(config: str | None, fix: bool, as_json: bool) -> None:
    """Check settings, sources, state folder, ledger, index, text versions, encoder, mail and clock."""
    from resources.build import build

    saero = build(config)
    _ = saero.sources  # raises when the settings name none, or one folder twice: a wrong call, not a finding
    if fix:
        mend(saero)
    checks = [_safely(name, check, saero) for name, check in CHECKS]
    ok = all(check.ok for check in checks)
    if as_json:
        print_json({"ok": ok, "checks": [asdict(check) for check in checks]})
    else:
        for check in checks:
            mark = either(saero.settings.language, "정상" if check.ok else "문제", "ok" if check.ok else "BAD")
            click.echo(f"[{mark}] {check.name}: {check.detail}" + (f"\n       -> {check.fix}" if check.fix else ""))
    if not ok:
        raise click.exceptions.Exit(1)


def _safely(name: str, check: Callable[[Any], Check], saero: Any) -> Check:
    try:
        return check(saero)
    except SaeroError as error:
        return Check(name, False, str(error), "saero refresh")
    except OSError as error:
        return Check(name, False, f"{error.filename}: {error.strerror}", "saero refresh")


def _state(saero: Any) -> Check:
    from resources.build import file_system

    if not saero.state_dir.exists():
        return Check("state", True, f"{saero.state_dir} will be made by the first refresh")
    saero.make_state()
    mode = saero.state_dir.stat().st_mode & 0o777
    free = shutil.disk_usage(saero.state_dir).free // (1 << 20)
    detail = (
        f"{saero.state_dir}, mode {mode:04o}, {free} MB free, {file_system(saero.state_dir) or 'file system unknown'}"
    )
    if mode & 0o077:
        return Check("state", False, detail, "others can read document texts there: saero doctor --fix")
    return Check("state", free >= FREE_MB, detail, "" if free >= FREE_MB else "make room on this disk")


def _sources(saero: Any) -> Check:
    away = [source.name for source in saero.sources if not source.path.is_dir()]
    if away:
        return Check("sources", False, f"out of reach: {', '.join(away)}", "mount or correct their path in saero.toml")
    return Check("sources", True, f"{len(saero.sources)} within reach")


def _ledger(saero: Any) -> Check:
    if not saero.ledger.exists:
        return Check("ledger", False, "not made yet", "saero refresh")
    from resources.ledger import forget, health

    with saero.ledger.transaction("doctor") as con:
        doubles = health.doubled_keys(con)
        cut_off = forget.unfinished(con)
        size = saero.ledger.path.stat().st_size // 1024
    if doubles:
        said = ", ".join(f"{table} {count}" for table, count in doubles.items())
        fix = (
            f"move {saero.ledger.path}* aside and run saero refresh: documents are read anew, and decisions, "
            f"canaries and mails come back from {saero.backup_dir}"
        )
        return Check("ledger", False, f"keys that stand twice: {said}", fix)
    if cut_off:
        since = cut_off[0].isoformat(timespec="minutes")
        return Check("ledger", False, f"a saero forget of {since} was cut off", "saero doctor --fix ends it")
    return Check("ledger", True, f"{size} KB, every key stands once")


def _index(saero: Any) -> Check:
    from resources.ledger import passages
    from resources.published import read_published

    record = read_published(saero.index_dir)
    if record is None:
        return Check("index", False, "nothing is published", "saero refresh")
    ids = saero.published_ids()
    with saero.ledger.transaction("doctor") as con:
        missing, extra = passages.compare_ids(con, ids)
    detail = f"version {record.version}, {ids.num_rows} rows, {missing} missing, {extra} extra"
    return Check("index", not missing and not extra, detail, "saero refresh" if missing or extra else "")


def _mirror(saero: Any) -> Check:
    lacking = list(missing_mirrors(saero))
    if lacking:
        fix = "saero doctor --fix, then saero refresh"
        return Check("mirror", False, f"{len(lacking)} text versions are missing", fix)
    return Check("mirror", True, "every document that was read has its text version")


def _encoder(saero: Any) -> Check:
    from resources.model import encoder_identity

    wanted = encoder_identity(saero.settings.encoder.model, saero.models_dir)
    if not (saero.index_dir / "published.json").exists():
        return Check("encoder", True, wanted)
    used = saero.reader().record.encoder
    return Check(
        "encoder", used == wanted, f"settings {wanted}, index {used}", "" if used == wanted else "saero refresh"
    )


def _calibration(saero: Any) -> Check:
    """Scores mean nothing beyond words without a calibration of the encoder, and less in a corpus of another size."""
    if not (saero.index_dir / "published.json").exists():
        return Check("calibration", True, "nothing is published")
    from resources.calibrations import published_calibration

    reader = saero.reader()
    calibration, rows = published_calibration(reader.record), reader.count("vector is not null")
    if not calibration.z_slope and rows:
        return Check(
            "calibration", False, f"none for {reader.record.encoder}: only words are scored", "saero calibrate"
        )
    largest = calibration.sizes[1]
    detail = f"{calibration.id}, fitted to up to {largest} passages; the index has {rows}"
    if rows <= _FAR * largest:
        return Check("calibration", True, detail)
    # The shipped one was simulated to 100,000 passages, a corpus' own to none beyond it.
    detail += ": that it answers is said more rarely than it could be"
    return Check("calibration", not reader.record.constants, detail, "saero calibrate")


def _ocr(saero: Any) -> Check:
    said = saero.settings.ocr
    if not said.enabled:
        return Check("ocr", True, "off: scanned pages are listed, not read ([ocr] enabled = true reads them)")
    if saero.ocr_problem:
        return Check("ocr", False, "on, but scanned pages can't be read", saero.ocr_problem)
    return Check("ocr", True, f"{said.languages}, up to {said.pages} pages of a document")


def _last_run(saero: Any) -> Check:
    from resources.status import read_status

    status = read_status(saero.status_path)
    reasons = saero.stale_reasons(status, datetime.now(UTC))
    when = status.succeeded_at.isoformat(timespec="minutes") if status.succeeded_at else "never"
    fix = "saero refresh (saero ui runs it every night)" if reasons else ""
    return Check("last_run", not reasons, f"succeeded {when}" + (f"; {', '.join(reasons)}" if reasons else ""), fix)


def _mail(saero: Any) -> Check:
    said = saero.settings.mail
    if not said.host:
        return Check("mail", True, f"no server: mails are written to {saero.outbox_dir}")
    try:
        with socket.create_connection((said.host, said.port), timeout=5):
            return Check("mail", True, f"{said.host}:{said.port} answers")
    except OSError as error:
        return Check(
            "mail", False, f"{said.host}:{said.port}: {error.strerror or error}", "check host, port and network"
        )


def _clock(saero: Any) -> Check:
    newest = max((source.path.stat().st_mtime for source in saero.sources if source.path.is_dir()), default=0.0)
    ahead = newest - datetime.now(UTC).timestamp()
    if ahead > 86400:
        return Check(
            "clock", False, f"a source was changed {ahead / 3600:.0f} h in the future", "set the clock of this machine"
        )
    return Check("clock", True, datetime.now(UTC).isoformat(timespec="seconds"))


def mend(saero: Any) -> None:
    """Take away leftovers of interrupted writes, restrict the rights, write missing text versions again.

    Raises Busy while a refresh is at work: what looks left over is what it is writing.
    """
    from resources.build import AT_WORK, WAIT_CLI
    from resources.locks import hold

    if not saero.state_dir.exists():
        return
    saero.state_dir.chmod(0o700)
    with hold(
        saero.state_dir / "refresh.lock", wait_seconds=WAIT_CLI.total_seconds(), what=AT_WORK, stage="doctor --fix"
    ):
        _mend_files(saero)


def _mend_files(saero: Any) -> None:
    _end_forgetting(saero)
    for leftover in (*saero.state_dir.rglob(".*.aside"), *saero.index_dir.glob("*.part")):
        leftover.unlink(missing_ok=True)
    for source, path, content_hash, version in list(missing_mirrors(saero)):
        from pipelines.mirror import render

        with suppress(Broken):  # its stored blocks are lost: the next refresh reads the file again
            saero.mirror.write(source, path, render(saero.bodies.get(content_hash, version).blocks).text)


def _end_forgetting(saero: Any) -> None:
    from resources import forgetting
    from resources.ledger import forget

    if saero.ledger.exists:
        with saero.ledger.transaction("doctor") as con:
            cut_off = forget.unfinished(con)
        if cut_off:
            forgetting.end(saero, datetime.now(UTC))


def missing_mirrors(saero: Any) -> Iterator[tuple[str, str, str, str]]:
    """Yield (source, path, content_hash, parser_version) of documents without their text version."""
    from resources.ledger import documents

    if not saero.ledger.exists:
        return
    with saero.ledger.transaction("doctor") as con:
        rows = documents.present(con)
    for row in rows:
        if row["has_text"] and not Path(saero.mirror.path(row["source"], row["path"])).exists():
            yield row["source"], row["path"], row["served_hash"], row["parser_version"]


CHECKS: tuple[tuple[str, Callable[[Any], Check]], ...] = (
    ("state", _state),
    ("sources", _sources),
    ("ledger", _ledger),
    ("index", _index),
    ("mirror", _mirror),
    ("encoder", _encoder),
    ("calibration", _calibration),
    ("ocr", _ocr),
    ("last_run", _last_run),
    ("mail", _mail),
    ("clock", _clock),
)

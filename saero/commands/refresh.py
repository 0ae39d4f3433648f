"""saero refresh: the main job."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import sys
from pathlib import Path
from types import FrameType
from typing import Any

import click

from pipelines.errors import Refused, SaeroError
from saero.arguments import CLOCK, TEXT
from saero.output import json_option, print_json, printable
from saero.words import counted, either, word


@click.command("refresh", short_help="Read what changed, and bring index, findings and mail up to date.")
@click.option(
    "--source", type=TEXT, help="Only this source (its files; rows of all sources stay as the ledger has them)."
)
@click.option("--publish", is_flag=True, help="Publish also what lost canaries or many withheld rows would hold back.")
@click.option(
    "--accept-deletions", multiple=True, type=TEXT, metavar="S", help="Deletions in source S are meant: apply them now."
)
@click.option(
    "--forget", multiple=True, type=TEXT, metavar="S", help="Let go of source S, which saero.toml no longer names."
)
@click.option(
    "--stop-by",
    type=CLOCK,
    metavar="HH:MM",
    help="Make no more vectors from this time on; the next run goes on.",
)
@click.option("--plan", is_flag=True, help="Only say what the next run would do; nothing is written.")
@json_option
@click.pass_obj
def command(
    config: str | None,
    source: str | None,
    plan: bool,
    publish: bool,
    accept_deletions: tuple[str, ...],
    forget: tuple[str, ...],
    stop_by: str | None,
    as_json: bool,
) -> None:
    """Scan the sources, parse what changed, and publish one current index; then canaries, findings and mail."""
    from resources.build import AT_WORK, WAIT_CLI, Options, build, summary
    from resources.locks import hold
    from resources.sources import forget_known
    from saero.bar import Bar
    from saero.dagster_run import run_job
    from saero.planned import show_plan

    saero = build(config)
    options = Options(accept_deletions=accept_deletions, forget=forget, publish=publish, stop_by=stop_by or "")
    if forget:
        _refuse_strangers(saero, forget)
    if plan:
        show_plan(saero, source, options, as_json=as_json)
        return
    if forget:
        forget_known(saero.settings, forget)
    _check_names(saero, [*accept_deletions, *([source] if source else [])], forget)
    saero.make_state()
    _warn_ocr(saero)
    # Asked before Dagster is loaded: a refused run must not stand in its list as one that failed.
    with hold(saero.state_dir / "refresh.lock", wait_seconds=WAIT_CLI.total_seconds(), what=AT_WORK, stage="start"):
        pass
    # Both: a script's background job comes with SIGINT ignored, and Dagster makes SIGTERM what SIGINT is.
    signal.signal(signal.SIGINT, _stop)
    signal.signal(signal.SIGTERM, _stop)
    bar = Bar(saero.settings.language, quiet=as_json)
    try:
        success, run, why = run_job(
            saero, "nightly_refresh", source=source, options=options, listener=bar, wait=WAIT_CLI
        )
    finally:
        bar.close()
    if run is None:
        click.echo(f"saero: {why or 'the run did not start'}", err=True)
        raise click.exceptions.Exit(1)
    report = summary(run)
    if as_json:
        print_json(report)
    else:
        _print(report, saero)
        _print_canaries(run, saero)
        if success:
            _print_next(saero, config)
    if not success:
        _tell(saero, run)
        click.echo(f"saero: {why or 'the run failed'}", err=True)
        raise click.exceptions.Exit(1)


def _tell(saero: Any, run: Any) -> None:
    """Mail that the run failed; what can't be written or sent now is said again by the next run."""
    from assets.stages.mail import tell_failure

    try:
        tell_failure(saero, run_id=run.id, stage=run.failed_stage or "")
    except SaeroError as error:
        click.echo(f"saero: {error}", err=True)


def _check_names(saero: Any, named: list[str], forget: tuple[str, ...]) -> None:
    known = [source.name for source in saero.sources]
    for name in named:
        if name not in known:
            raise Refused(f"{name}: no such source; the sources are: {', '.join(known)}")
    for name in forget:
        if name in known:
            raise Refused(f"--forget {name}: saero.toml still names this source; take it out there first")


def _refuse_strangers(saero: Any, forget: tuple[str, ...]) -> None:
    from resources.ledger import documents
    from resources.sources import list_sources

    known = [source.name for source in list_sources(saero.settings)]
    if saero.ledger.exists:
        with saero.ledger.transaction("forget") as con:
            known += documents.sources_with_documents(con)
    for name in forget:
        if name not in known:
            raise Refused(f"--forget {name}: no such source is known; these are: {', '.join(dict.fromkeys(known))}")


def _stop(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt


def _warn_ocr(saero: Any) -> None:
    """Say that scanned pages stay unread though the settings ask for them: the night goes on without."""
    if saero.ocr_problem:
        click.echo(
            either(
                saero.settings.language,
                f"saero: 스캔한 쪽은 읽지 못합니다: {saero.ocr_problem}",
                f"saero: scanned pages can't be read: {saero.ocr_problem}",
            ),
            err=True,
        )


def _print(report: dict[str, Any], saero: Any) -> None:
    language, said = saero.settings.language, report["documents"]
    seconds = sum(report["seconds"].values())
    if language == "ko":
        click.echo(
            f"문서 {said['seen']}건: 새 문서 {said['new']}, 바뀜 {said['changed']}, 옮김 {said['renamed']}, "
            f"그대로 {said['unchanged']}, 없어짐 {said['gone']}"
        )
        click.echo(
            f"본문 동일 {said['duplicate']} · 새 버전으로 대체됨 {said['superseded']} · "
            f"유효기간 지남 {said['expired']} · 보류 {said['held']} · 읽지 못함 {said['failed']}"
        )
        click.echo(
            f"조각 +{report['chunks']['added']} -{report['chunks']['removed']} ={report['chunks']['kept']}, "
            f"새 임베딩 {report['embedded']}, 다시 쓴 임베딩 {report['reused']} ({seconds:.1f}초)"
        )
    else:
        click.echo(
            f"{said['seen']} documents: {said['new']} new, {said['changed']} changed, {said['renamed']} moved, "
            f"{said['unchanged']} unchanged, {said['gone']} gone"
        )
        click.echo(
            f"{said['duplicate']} same text, {said['superseded']} superseded, {said['expired']} expired, "
            f"{said['held']} held, {said['failed']} not readable"
        )
        click.echo(
            f"chunks +{report['chunks']['added']} -{report['chunks']['removed']} ={report['chunks']['kept']}, "
            f"{report['embedded']} embedded, {report['reused']} reused ({seconds:.1f} s)"
        )
    for failure in report["failures"][:10]:
        click.echo(printable(f"  ! {failure['source']}/{failure['path']}: {failure['category']} ({failure['reason']})"))
    if len(report["failures"]) > 10:
        more = len(report["failures"]) - 10
        listing = "saero documents --state failed --state needs_ocr"
        click.echo(either(language, f"  … 그 밖에 {more}건: {listing}", f"  … {more} more: {listing}"))
    findings = counted(report["findings"], language)
    if findings:
        click.echo(either(language, f"확인할 것: {findings}", f"findings: {findings}"))
    if report["held"]:
        click.echo(either(language, f"반영 보류: {report['held']}", f"publish held: {report['held']}"))


def _print_canaries(run: Any, saero: Any) -> None:
    """Say how the questions stand; what was mailed about them is in `saero alerts`."""
    language = saero.settings.language
    states = run.counts.get("canaries", {})
    if states:
        said = ", ".join(f"{word(state, language)} {count}" for state, count in states.items())
        click.echo(either(language, f"점검 질문: {said} (saero gaps)", f"canaries: {said} (saero gaps)"))


def _print_next(saero: Any, config: str | None) -> None:
    """Suggest commands as this person must type them."""
    language = saero.settings.language
    called = Path(sys.argv[0])
    program = "saero" if shutil.which("saero") == str(called) else os.path.relpath(called)
    if called.name != "saero":
        program = "saero"
    if config:
        program += f" --config {shlex.quote(config)}"
    asked = [canary.query for canary in saero.settings.canaries if not canary.must_fail]
    query = shlex.quote(asked[0] if asked else either(language, "찾을 말", "what to look for"))
    head = either(language, "다음에 해 볼 것:", "Try next:")
    hints = [f"search {query}", "gaps", "documents --unsearched", *(["review"] if _waits(saero) else [])]
    click.echo("\n  ".join([head, *(f"{program} {hint}" for hint in hints)]))


def _waits(saero: Any) -> bool:
    """Tell whether anything waits for a person."""
    from resources.ledger import reviews, served

    with saero.ledger.transaction("review") as con:
        return bool(reviews.waiting(con, reviews.lapsed(con, served.bodies(con))))

"""What `saero refresh --plan` says."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from pipelines.errors import Refused
from saero.output import local, print_json, printable
from saero.words import either, said, word

if TYPE_CHECKING:
    from resources.build import Options, Saero

_LISTED = 10  # documents of a kind on the screen; --json has all


def show_plan(saero: Saero, source: str | None, options: Options, *, as_json: bool) -> None:
    """Print what the next run would do, over one source or all; raises Refused for names that aren't there."""
    from assets.stages.plan import plan_refresh

    names = [one.name for one in saero.sources if one.name not in options.forget]
    for name in [*options.accept_deletions, *([source] if source else [])]:
        if name not in names:
            raise Refused(f"{name}: no such source; the sources are: {', '.join(names)}")
    for name in options.forget:
        if name in saero.settings.sources:
            raise Refused(f"--forget {name}: saero.toml still names this source; take it out there first")
    report = plan_refresh(saero, [source] if source else names, options, datetime.now(UTC))
    if as_json:
        print_json(report)
    else:
        _print(report, saero)


def _print(report: dict[str, Any], saero: Saero) -> None:
    language = saero.settings.language
    if report["run"]:
        since = local(report["run"]["since"], saero.settings.zone)
        stage = word(report["run"]["stage"], language)
        korean = f"지금 갱신 중입니다 ({stage}, {since}부터): 아래는 지금까지 저장된 것에서 셈한 것"
        click.echo(
            either(language, korean, f"a refresh is at work ({stage}, since {since}): counted from what it saved")
        )
    for line in (*_documents(report, language), *_work(report, language), _time(report["seconds"], language)):
        click.echo(line)
    for one in report["unreachable"]:
        click.echo(printable(f"  ! {one['source']}: {said(['source_unreachable'], language)} ({one['reason']})"))
    _list(report["gone"], either(language, "없어짐", "gone"), language)
    _list(report["held"], either(language, "보류", "held"), language)
    click.echo(either(language, "아무것도 쓰지 않았습니다.", "Nothing was written."))


def _documents(report: dict[str, Any], language: str) -> list[str]:
    counts = report["documents"]
    korean = "새 문서 {new}, 바뀜 {changed}, 옮김 {renamed}, 그대로 {unchanged}, 없어질 것 {gone}, 보류 {held}"
    english = "{new} new, {changed} changed, {renamed} moved, {unchanged} unchanged, {gone} to go, {held} held"
    head = either(language, f"문서 {counts['seen']}건", f"{counts['seen']} documents")
    lines = [f"{head}: {either(language, korean, english).format(**counts)}"]
    if report["removed"]["expiring"]:
        count = report["removed"]["expiring"]
        lines.append(either(language, f"유효기간이 지날 문서 {count}", f"{count} expire"))
    return lines


def _work(report: dict[str, Any], language: str) -> list[str]:
    """Say what will be made, and because of which versions."""
    parse, chunk, embed = report["parse"], report["chunk"], report["embed"]
    about = _about(chunk["passages"], language)
    korean = (
        f"읽기 {parse['new']}, 다시 읽기 {parse['again']} · 견주기 {report['sketch']} · 나누기 {chunk['bodies']} "
        f"({about}) · 임베딩 {embed['known']} + {about} · 검색에서 빠질 조각 {report['removed']['passages']}"
    )
    english = (
        f"{parse['new']} to parse, {parse['again']} to parse again; {report['sketch']} to compare; {chunk['bodies']} "
        f"to cut ({about}); {embed['known']} + {about} to embed; {report['removed']['passages']} chunks leave the index"
    )
    lines = [either(language, korean, english)]
    if report["versions_changed"]:
        names = ", ".join(word(f"{name}_version", language) for name in report["versions_changed"])
        lines.append(either(language, f"바뀌어서 다시 만드는 것: {names}", f"made anew, for these changed: {names}"))
    return lines


def _about(passages: int | None, language: str) -> str:
    if passages is None:
        return either(language, "조각 수는 아직 모름", "an unknown number of chunks")
    return either(language, f"어림 {passages}조각", f"about {passages} chunks")


def _time(seconds: float | None, language: str) -> str:
    if seconds is None:
        return either(language, "걸릴 시간: 아직 모름", "time: not known yet")
    minutes = round(seconds / 60)
    shown = (
        either(language, f"{minutes}분", f"{minutes} min")
        if minutes > 1
        else either(language, f"{seconds:.0f}초", f"{seconds:.0f} s")
    )
    return either(language, f"걸릴 시간: 어림 {shown}", f"time: about {shown}")


def _list(places: list[dict[str, Any]], head: str, language: str) -> None:
    for one in places[:_LISTED]:
        reason = f" ({one['reason']})" if one.get("reason") else ""
        click.echo(printable(f"  - {head}: {one['source']}/{one['path']}{reason}"))
    if len(places) > _LISTED:
        more = len(places) - _LISTED
        click.echo(either(language, f"  … 그 밖에 {more}건: --json", f"  … {more} more: --json"))

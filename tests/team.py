"""A team with folders of documents, made in code, and its nights: every stage of a run, without Dagster."""

from __future__ import annotations

import itertools
import json
import random
import shutil
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from fakes import FakeEncoder, InlinePool, ledger_left_open

from assets.stages.chunk import cut_bodies
from assets.stages.dedup import settle
from assets.stages.embed import embed_missing
from assets.stages.gap import analyse
from assets.stages.index import publish
from assets.stages.parse import parse_sources
from assets.stages.quality import differences
from resources.build import Options, Run, Saero, build, open_run
from resources.ledger.rows import fetch

_WORDS = ["결제", "승인", "정산", "가맹점", "단말기", "수수료", "환불", "서버", "장애", "배포", "일정", "검수", "계약"]


def prose(seed: str, paragraphs: int = 6, words: int = 30) -> list[str]:
    """Return paragraphs that no other seed gives."""
    dice = random.Random(seed)
    return [
        " ".join(f"{dice.choice(_WORDS)}{dice.randrange(1000)}" for _ in range(words)) + "." for _ in range(paragraphs)
    ]


def markdown(paragraphs: Iterable[str], title: str = "") -> str:
    return "\n\n".join([*([f"# {title}"] if title else []), *paragraphs]) + "\n"


class Team:
    """Folders under `home`, settings, and the encoder that counts. Every night begins with fresh handles."""

    def __init__(self, home: Path, sources: Mapping[str, str] | None = None, rest: str = "") -> None:
        self.home = home
        self.encoder = FakeEncoder()
        self._numbers = itertools.count(1)
        self.settings(sources or {"개발": "", "정책": ""}, rest)

    def settings(self, sources: Mapping[str, str], rest: str = "") -> None:
        """Write saero.toml: sources with their further keys, then `rest`. A source's folder has its first name."""
        tables = []
        for name, keys in sources.items():
            folder = self.home / "docs" / name
            if "path =" not in keys:
                folder.mkdir(parents=True, exist_ok=True)
                keys = f'path = "docs/{name}"\n{keys}'
            tables.append(f'[sources."{name}"]\nowner = "pm@example.com"\n{keys}\n')
        text = 'state = "state"\n' + "\n".join(tables) + rest
        (self.home / "saero.toml").write_text(text, encoding="utf-8")

    def file(self, place: str) -> Path:
        return self.home / "docs" / place

    def write(self, place: str, content: str | bytes | Iterable[str]) -> Path:
        """Write a document; a list of paragraphs becomes Markdown."""
        path = self.file(place)
        path.parent.mkdir(parents=True, exist_ok=True)
        if not isinstance(content, (str, bytes)):
            content = markdown(content)
        path.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        return path

    def saero(self) -> Saero:
        saero = build(str(self.home / "saero.toml"))
        saero.encoder = saero.query_encoder = self.encoder  # type: ignore[assignment]
        saero.pool = lambda: InlinePool(saero.limits)  # type: ignore[method-assign,assignment,return-value]
        return saero

    def night(
        self, options: Options | None = None, *, now: datetime | None = None, sources: Iterable[str] | None = None
    ) -> Run:
        """Run every stage, over some sources or all. Unless the version was held, the index holds exactly what the
        ledger asks for.
        """
        saero = self.saero()
        run_id = f"night-{next(self._numbers)}"
        with ledger_left_open(), open_run(saero, run_id, trigger="test", wait=timedelta(0), options=options) as run:
            run.now = now or run.now
            parse_sources(run, list(sources or [source.name for source in saero.sources]))
            settle(run)
            cut_bodies(run)
            embed_missing(run)
            publish(run)
            assert run.held or differences(run) == (0, 0)
            analyse(run)
        return run

    def twin(self, home: Path) -> Team:
        """Return a copy of the team, its documents and its state in another folder."""
        shutil.copytree(self.home, home, dirs_exist_ok=True)
        other = Team.__new__(Team)
        other.home, other.encoder, other._numbers = home, FakeEncoder(), itertools.count(100)
        other.encoder.embedded = list(self.encoder.embedded)
        return other

    def rows(self, part: Any = "live") -> list[dict[str, Any]]:
        """Return the published rows."""
        return self.saero().reader().get(part=part)

    def served(self) -> dict[str, list[str]]:
        """Return "source/path" -> the texts that a search can find, in order."""
        found: dict[str, list[str]] = {}
        for row in sorted(self.rows(), key=lambda row: (row["source"], row["path"], row["ordinal"])):
            found.setdefault(f"{row['source']}/{row['path']}", []).append(row["text"])
        return found

    def words(self) -> str:
        """Return everything that a search can find."""
        return "\n".join(row["text"] for row in self.rows())

    def also_in(self, place: str) -> list[str]:
        """Return where else the body that `place` serves stands."""
        others = next(row["also_in"] for row in self.rows() if f"{row['source']}/{row['path']}" == place)
        return [f"{other['source']}/{other['path']}" for other in json.loads(others)]

    def ask(self, sql: str) -> list[dict[str, Any]]:
        """Ask the ledger."""
        with self.saero().ledger.transaction("test") as con:
            return fetch(con, sql)

    def states(self) -> dict[str, str]:
        """Return "source/path" -> state of every document that isn't gone."""
        rows = self.ask("select source, path, state from documents where state <> 'gone' order by all")
        return {f"{row['source']}/{row['path']}": row["state"] for row in rows}

    def findings(self) -> set[tuple[str, str]]:
        """Return (kind, "source/path") of every open finding."""
        rows = self.ask("select kind, source, path from findings where resolved_at is null")
        return {(row["kind"], f"{row['source']}/{row['path']}".strip("/")) for row in rows}

    def mirrored(self) -> set[str]:
        """Return the places that have a text version."""
        folder = self.home / "state" / "parsed"
        return {path.relative_to(folder).as_posix().removesuffix(".md") for path in folder.rglob("*.md")}

    def mails(self) -> list[str]:
        """Return the kinds of the mails that were written, oldest first."""
        return [row["kind"] for row in self.ask("select kind from mails order by created_at, mail_id")]

"""docs/cli.md and the commands say the same: every command, every option, and no other."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import click

from saero.cli import COMMANDS, saero

PAGE = Path(__file__).resolve().parent.parent / "docs" / "cli.md"


def commands() -> Iterator[tuple[str, click.Command]]:
    context = click.Context(saero)
    for name in COMMANDS:
        command = saero.get_command(context, name)
        assert command is not None
        yield name, command
        if isinstance(command, click.Group):
            yield from ((f"{name} {inner}", one) for inner, one in command.commands.items())


def options(command: click.Command) -> set[str]:
    return {name for parameter in command.params if isinstance(parameter, click.Option) for name in parameter.opts}


def sections() -> dict[str, str]:
    """Return heading -> text below it."""
    parts = re.split(r"^#{2,3} (.+)\n", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def test_every_command_has_its_section_and_no_other_is_described() -> None:
    assert list(sections()) == [name for name, _ in commands()]


def test_every_option_is_described_with_its_command_and_no_other() -> None:
    for name, command in commands():
        listed = re.findall(r"^- `(--[\w-]+)`", sections()[name], flags=re.MULTILINE)
        assert sorted(listed) == sorted(options(command)), name


def test_every_example_is_json() -> None:
    examples = re.findall(r"```json\n(.*?)```", PAGE.read_text(encoding="utf-8"), flags=re.DOTALL)
    assert len(examples) > 10
    for example in examples:
        assert isinstance(json.loads(example), dict)


def test_the_examples_have_the_shapes_of_the_commands() -> None:
    import test_cli_shapes as shapes

    for name in ("refresh", "search", "status", "documents", "gaps", "alerts", "doctor"):
        example = re.search(r"```json\n(.*?)```", sections()[name], flags=re.DOTALL)
        assert example is not None
        assert shapes.misfits(json.loads(example[1]), getattr(shapes, name.upper())) == [], name


def test_other_pages_name_only_commands_that_exist() -> None:
    known = dict(commands())
    for page in (PAGE.parent.parent / "README.md", *PAGE.parent.rglob("*.md")):
        for call in re.findall(r"\bsaero ((?:[a-z]+)(?: [a-z]+)?)(?=[ `'\n])", _code(page)):
            assert call in known or call.partition(" ")[0] in known, f"{page.name}: saero {call}"


def _code(page: Path) -> str:
    """Return what stands in code: spans and blocks."""
    text = page.read_text(encoding="utf-8")
    return "\n".join(
        found + " " for pair in re.findall(r"```[a-z]*\n(.*?)```|`([^`\n]+)`", text, flags=re.DOTALL) for found in pair
    )

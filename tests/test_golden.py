"""The text versions of some rich documents, word for word.

python tests/test_golden.py --write    renews golden/ after a change that is meant; read the difference before
                                       committing it
"""

from __future__ import annotations

import io
import sys
from pathlib import Path

import pytest

FOLDER = Path(__file__).resolve().parent / "golden"
if __name__ == "__main__":
    sys.path[:0] = [str(FOLDER.parent.parent)]

from golden_documents import DOCUMENTS  # noqa: E402

from pipelines import parsers  # noqa: E402
from pipelines.mirror import render  # noqa: E402
from pipelines.records import Limits  # noqa: E402


def mirror(name: str) -> str:
    return render(parsers.parse(io.BytesIO(DOCUMENTS[name]()), name, Limits()).blocks).text


@pytest.mark.parametrize("name", DOCUMENTS)
def test_the_text_version_is_as_it_was(name: str) -> None:
    assert mirror(name) == (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def test_golden_holds_nothing_else() -> None:
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(f"{name}.md" for name in DOCUMENTS)


def write() -> None:
    """Renew every file, and say which changed."""
    FOLDER.mkdir(exist_ok=True)
    for name in DOCUMENTS:
        target, text = FOLDER / f"{name}.md", mirror(name)
        if not target.exists() or target.read_text(encoding="utf-8") != text:
            target.write_text(text, encoding="utf-8")
            print(f"renewed {target.name}")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        raise SystemExit(__doc__)
    write()

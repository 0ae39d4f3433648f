"""CocoIndex over a folder into LanceDB, memoised by file, in an environment of its own: FOLDER COUNT."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

os.environ["COCOINDEX_DISABLE_USAGE_TRACKING"] = "1"

import cocoindex as coco
import lancedb
import numpy as np
from cocoindex.connectors import lancedb as target
from cocoindex.connectors import localfs
from cocoindex.resources.schema import VectorSchema
from corpus import DIMENSION, LAPS, WIPED, Laps, begin, change, deleted
from numpy.typing import NDArray

HOME = Path(sys.argv[1])
DATABASE = coco.ContextKey("database")
LAPS_HERE = Laps()


@dataclass
class Row:
    id: str
    path: str
    text: str
    vector: Annotated[NDArray[np.float32], VectorSchema(dtype=np.dtype("float32"), size=DIMENSION)]


@coco.lifespan
async def lifespan(builder: coco.EnvironmentBuilder) -> AsyncIterator[None]:
    builder.settings.db_path = HOME / "coco.db"
    builder.provide(DATABASE, await target.connect_async(str(HOME / "lance")))
    yield


@coco.fn(memo=True)
async def one(file: Any, table: Any) -> None:
    path = str(file.file_path.path)
    head, *paragraphs = (await file.read_text()).strip().split("\n\n")
    vectors = LAPS_HERE.vectors([f"{head}\n{text}" for text in paragraphs])
    for number, (text, vector) in enumerate(zip(paragraphs, vectors, strict=True)):
        table.declare_row(row=Row(id=f"{path}#{number}", path=path, text=text, vector=vector))


@coco.fn
async def corpus(source: Path) -> None:
    table = await target.mount_table_target(
        DATABASE, "docs", await target.TableSchema.from_class(Row, primary_key=["id"])
    )
    await coco.mount_each(one, localfs.walk_dir(source, recursive=True).items(), table)


def main() -> None:
    count, documents = int(sys.argv[2]), HOME / "docs"
    begin(documents, count)
    app = coco.App(coco.AppConfig(name="bench"), corpus, source=documents)

    def look() -> dict[str, int]:
        database = lancedb.connect(str(HOME / "lance"))
        if "docs" not in database.table_names():
            return {"rows": 0, "deleted_left": 0}
        left = database.open_table("docs").to_arrow()["path"].to_pylist()
        gone = {str(path) for path in deleted(documents, count)} | {
            path.relative_to(documents).as_posix() for path in deleted(documents, count)
        }
        return {"rows": len(left), "deleted_left": len(set(left) & gone)}

    for lap in LAPS:
        concerns = change(lap, documents, count)
        if lap == WIPED:
            shutil.rmtree(HOME / "lance")
        LAPS_HERE.lap(lap, app.update_blocking, look, concerns=concerns)


if __name__ == "__main__":
    main()

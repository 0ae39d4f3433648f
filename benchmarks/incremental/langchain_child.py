"""LangChain's index() with its record manager and Chroma, in an environment of its own: FOLDER COUNT.

cleanup "full" removes what is gone, keys are SHA-256, batches of 1,000 (its default of 100 is slower). A lap is the
call of index() alone; "loading" is what reading and splitting the folder costs beside it, each time.
"""

from __future__ import annotations

import shutil
import sys
import time
from pathlib import Path

from corpus import LAPS, WIPED, Laps, begin, change, deleted
from langchain_chroma import Chroma
from langchain_classic.indexes import SQLRecordManager
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.indexing import index
from langchain_text_splitters import RecursiveCharacterTextSplitter


class Counting(Embeddings):
    def __init__(self, laps: Laps) -> None:
        self._laps = laps

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        return self._laps.vectors(texts).tolist()

    def embed_query(self, text: str) -> list[float]:
        return self._laps.vectors([text])[0].tolist()


def main() -> None:
    home, count = Path(sys.argv[1]), int(sys.argv[2])
    documents, laps = home / "docs", Laps()
    begin(documents, count)
    splitter = RecursiveCharacterTextSplitter(chunk_size=180, chunk_overlap=0)
    records = SQLRecordManager("docs", db_url=f"sqlite:///{home}/records.sqlite")
    records.create_schema()
    store = Chroma("docs", Counting(laps), persist_directory=str(home / "chroma"))

    def look() -> dict[str, int]:
        gone = {str(path) for path in deleted(documents, count)}
        found = store.get(include=["metadatas"])["metadatas"]
        return {"rows": len(found), "deleted_left": len({one["source"] for one in found} & gone)}

    for lap in LAPS:
        concerns = change(lap, documents, count)
        if lap == WIPED:
            store.reset_collection()
        begun = time.process_time()
        pages = [
            Document(path.read_text(encoding="utf-8"), metadata={"source": str(path)}) for path in _files(documents)
        ]
        chunks = splitter.split_documents(pages)
        loading = time.process_time() - begun

        def work(chunks: list[Document] = chunks) -> None:
            index(chunks, records, store, cleanup="full", source_id_key="source", batch_size=1000, key_encoder="sha256")

        laps.lap(lap, work, look, concerns=concerns, loading=loading)
    shutil.rmtree(home / "chroma", ignore_errors=True)


def _files(folder: Path) -> list[Path]:
    return sorted(folder.rglob("*.md"))


if __name__ == "__main__":
    main()

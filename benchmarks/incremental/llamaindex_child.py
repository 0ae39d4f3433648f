"""LlamaIndex's IngestionPipeline with upserts_and_delete and Chroma, in an environment of its own: FOLDER COUNT.

The document store is kept on disk between laps and read in the lap, as a nightly job must; without its cache, which
keeps a second copy of each node. "loading" is what reading the folder costs beside it, each time.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

import chromadb
from corpus import LAPS, WIPED, Laps, begin, change, deleted
from llama_index.core.embeddings import BaseEmbedding
from llama_index.core.ingestion import DocstoreStrategy, IngestionPipeline
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.schema import Document
from llama_index.core.storage.docstore import SimpleDocumentStore
from llama_index.vector_stores.chroma import ChromaVectorStore

LAPS_HERE = Laps()


class Counting(BaseEmbedding):
    def _get_text_embedding(self, text: str) -> list[float]:
        return LAPS_HERE.vectors([text])[0].tolist()

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        return LAPS_HERE.vectors(texts).tolist()

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


class Batched(ChromaVectorStore):
    """Chroma takes 5,461 passages at once."""

    def add(self, nodes: list[Any], **options: Any) -> list[str]:
        parts = [nodes[start : start + 5_000] for start in range(0, len(nodes), 5_000)]
        return [one for part in parts for one in super(Batched, self).add(part, **options)]


def main() -> None:
    home, count = Path(sys.argv[1]), int(sys.argv[2])
    documents = home / "docs"
    begin(documents, count)
    client = chromadb.PersistentClient(str(home / "chroma"))

    def collection() -> Any:
        return client.get_or_create_collection("docs")

    def look() -> dict[str, int]:
        gone = {str(path) for path in deleted(documents, count)}
        found = collection().get(include=["metadatas"])["metadatas"]
        return {"rows": len(found), "deleted_left": len({one["path"] for one in found} & gone)}

    for lap in LAPS:
        concerns = change(lap, documents, count)
        if lap == WIPED:
            client.delete_collection("docs")
        begun = time.process_time()
        pages = [
            Document(text=path.read_text(encoding="utf-8"), id_=str(path), metadata={"path": str(path)})
            for path in sorted(documents.rglob("*.md"))
        ]
        loading = time.process_time() - begun

        def work(pages: list[Document] = pages) -> None:
            pipeline = IngestionPipeline(
                transformations=[
                    # 60 words: one paragraph a node, beside its metadata
                    SentenceSplitter(chunk_size=60, chunk_overlap=0, tokenizer=str.split, paragraph_separator="\n\n"),
                    Counting(embed_batch_size=1000),
                ],
                docstore=SimpleDocumentStore(),
                vector_store=Batched(chroma_collection=collection()),
                docstore_strategy=DocstoreStrategy.UPSERTS_AND_DELETE,
                disable_cache=True,
            )
            if (home / "pipeline").exists():
                pipeline.load(str(home / "pipeline"))
            pipeline.run(documents=pages)
            pipeline.persist(str(home / "pipeline"))

        LAPS_HERE.lap(lap, work, look, concerns=concerns, loading=loading)


if __name__ == "__main__":
    main()

"""Lists of paragraphs that stand beside the body of an HWP 5 section: master pages and memos.

The specification names the records and not their places. Files show: master pages under the definition of their
section, those of last pages under the section's last paragraph; memos under the document's last paragraph, each
announced by a record of its own. A list's head and its paragraphs are siblings.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pipelines.parsers.hwp_records import Record

_PARA, _LIST, _MEMO = 66, 72, 93
BESIDE = frozenset((_LIST, _MEMO))


def beside_lists(records: Iterable[Record]) -> Iterator[tuple[str, list[Record]]]:
    """Yield the kind ("header" for a master page, "memo") and paragraphs of each list among `records`."""
    kind, announced = "", False
    paragraphs: list[Record] = []
    for record in records:
        if record.tag == _MEMO or (record.tag == _LIST and not announced):
            if kind:
                yield kind, paragraphs
            kind = "memo" if record.tag == _MEMO else "header"
            paragraphs = [one for one in record.children if one.tag == _PARA]
            announced = record.tag == _MEMO and not paragraphs
        elif record.tag == _LIST:
            announced = False
        elif record.tag == _PARA and kind:
            paragraphs.append(record)
    if kind:
        yield kind, paragraphs

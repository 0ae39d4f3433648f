"""Damage to a tree of XML elements: what a broken writer, or a person who wants to break a reader, would hand in."""

from __future__ import annotations

import copy
from collections.abc import Callable
from random import Random

from lxml import etree
from mutate_bytes import EDGES, mutated_bytes

# Elements looked at; a deeper choice in a huge sheet costs more than it finds.
_CHOICES = 20_000
_VALUES = (
    "",
    "NaN",
    "1e309",
    "-0.5",
    "true",
    "가",
    "제1조",
    "\u1112\u1161\u11ab",
    "a" * 3000,
    "0x10",
    "99999999999999999999",
)
_TEXTS = ("", " ", "\u200b", "\ue000\uf8ff", "가" * 5000, "\u1100\u1161", "1234.5", "=1+1", "-", "\u2028")

Change = Callable[["etree._Element", "list[etree._Element]", Random], None]


def mutated_xml(data: bytes, dice: Random) -> bytes:
    """Return well-formed XML with one to eight changes, a cut text now and then; what is no XML loses bytes."""
    root = _parsed(data)
    if root is None or dice.random() < 0.1:
        return mutated_bytes(data, dice)
    for _ in range(dice.choice((1, 2, 3, 8))):
        elements = [element for _, element in zip(range(_CHOICES), root.iter(etree.Element), strict=False)]
        dice.choice(CHANGES)(dice.choice(elements), elements, dice)
    written: bytes = etree.tostring(root.getroottree(), xml_declaration=True, encoding="UTF-8")
    return written[: dice.randrange(len(written))] if dice.random() < 0.05 else written


def _parsed(data: bytes) -> etree._Element | None:
    parser = etree.XMLParser(resolve_entities=False, no_network=True, huge_tree=False)
    try:
        return etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError):
        return None


def _drop(element: etree._Element, elements: list[etree._Element], dice: Random) -> None:
    if (parent := element.getparent()) is not None:
        parent.remove(element)


def _repeat(element: etree._Element, elements: list[etree._Element], dice: Random) -> None:
    if element.getparent() is None or len(list(element.iter())) > 500:
        return
    for _ in range(dice.choice((1, 2, 30))):
        element.addnext(copy.deepcopy(element))


def _nest(element: etree._Element, elements: list[etree._Element], dice: Random) -> None:
    """Put an element into copies of itself or of its parent, as deep as lxml reads (256) and a bit less."""
    parent = element.getparent()
    if parent is None:
        return
    shell = parent if dice.random() < 0.5 and parent.getparent() is not None else element
    place = parent.index(element)
    inner = element
    for _ in range(dice.choice((1, 3, 25, 200))):
        outer = shell.makeelement(shell.tag)
        for name, value in shell.attrib.items():
            outer.set(name, value)
        outer.append(inner)
        inner = outer
    parent.insert(place, inner)


def _move(element: etree._Element, elements: list[etree._Element], dice: Random) -> None:
    target = dice.choice(elements)
    if element.getparent() is None or target is element or element in target.iterancestors():
        return
    target.insert(dice.randrange(len(target) + 1), element)


def _set_value(element: etree._Element, elements: list[etree._Element], dice: Random) -> None:
    if element.attrib:
        name = dice.choice(list(element.attrib))
        element.set(name, dice.choice([str(edge) for edge in EDGES] + list(_VALUES)))


def _drop_value(element: etree._Element, elements: list[etree._Element], dice: Random) -> None:
    if element.attrib:
        del element.attrib[dice.choice(list(element.attrib))]


def _borrow_values(element: etree._Element, elements: list[etree._Element], dice: Random) -> None:
    for name, value in dice.choice(elements).attrib.items():
        element.set(name, value)


def _rename(element: etree._Element, elements: list[etree._Element], dice: Random) -> None:
    element.tag = dice.choice(elements).tag


def _set_text(element: etree._Element, elements: list[etree._Element], dice: Random) -> None:
    element.text = dice.choice([*_TEXTS, str(dice.choice(EDGES))])
    if dice.random() < 0.3:
        element.tail = dice.choice(elements).text


def _empty(element: etree._Element, elements: list[etree._Element], dice: Random) -> None:
    for child in list(element):
        element.remove(child)


CHANGES: tuple[Change, ...] = (
    _drop,
    _repeat,
    _nest,
    _move,
    _set_value,
    _set_value,
    _set_value,
    _drop_value,
    _borrow_values,
    _rename,
    _set_text,
    _empty,
)

"""A vector: one made file, the words its text version must hold, and those it must not."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Vector:
    """One fault or feature of a format.

    name      says what is tested, unique over all formats
    file      the file name it is given
    make      returns the bytes
    must_include, must_not_include   compared without white space, against the mirror (`saero show`) and the title
    category  DESIGN section 5's word when the file must be refused; both lists are empty then
    reason    words of what is said then, by which a person knows what is wrong or what to do
    """

    name: str
    file: str
    make: Callable[[], bytes]
    must_include: tuple[str, ...] = ()
    must_not_include: tuple[str, ...] = ()
    category: str = ""
    reason: str = ""

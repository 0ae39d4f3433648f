"""Form objects (buttons, boxes, lists, entry fields) as a reader of the printed form sees them."""

from __future__ import annotations

from typing import Any

from pipelines.parsers.xml import local

# What is ticked is part of the answer: consent or none.
_TICKS = {"checkBtn": ("☐", "☑"), "radioBtn": ("○", "◉"), "CHECKBUTTON": ("☐", "☑"), "RADIOBUTTON": ("○", "◉")}
_ON = ("CHECKED", "1", "TRUE")
FORMS = frozenset(("btn", "checkBtn", "radioBtn", "comboBox", "listBox", "edit"))
HWPML_FORMS = frozenset(("BUTTON", "CHECKBUTTON", "RADIOBUTTON", "COMBOBOX", "LISTBOX", "EDIT"))


def form_words(element: Any) -> str:
    """Return the words of an OWPML form object; what a password field holds is shown to nobody and left out."""
    name = local(element)
    if name == "edit":
        return "" if (element.get("passwordChar") or "").strip() else element.findtext("{*}text") or ""
    if name in ("comboBox", "listBox"):
        return _chosen(element, first=name == "comboBox")
    return _button(name, element.get("caption") or "", element.get("value") or "")


def hwpml_form_words(element: Any) -> str:
    """Return the words of an HWPML form object."""
    name = local(element)
    if name == "EDIT":
        return "" if (element.get("PasswordChar") or "").strip() else element.findtext("{*}EDITTEXT") or ""
    if name in ("COMBOBOX", "LISTBOX"):
        return element.get("Text") or ""
    button = element.find("{*}FORMOBJECT/{*}BUTTONSET")
    return "" if button is None else _button(name, button.get("Caption") or "", button.get("Value") or "")


def _button(name: str, caption: str, value: str) -> str:
    off, on = _TICKS.get(name, ("", ""))
    return f"{on if value.upper() in _ON else off} {caption}".strip()


def _chosen(element: Any, *, first: bool) -> str:
    """Return the chosen entry; of a box without a choice Hangul shows the `first` one."""
    chosen = element.get("selectedValue") or ""
    for item in element.iterfind("{*}listItem"):
        if chosen == item.get("value") or (first and not chosen):
            return item.get("displayText") or item.get("value") or ""
    return chosen

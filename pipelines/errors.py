"""Errors, named by what the run must do.

    SaeroError
    |- SettingsError          stop before starting; names the key and the file
    |- Refused                a wrong call: unknown source, unknown document (exit code 2)
    |- SkipDocument           one file can't be used, the run goes on (.category is DESIGN section 5's word)
    |  |- Empty  Unsupported  Encrypted  Corrupt  TooLarge  Timeout  UnsafeXml  NeedsOcr
    |  `- Unreadable  ChangedWhileReading  Drm
    |- TryAgain               locked file, busy ledger, mail server away: retried with back-off
    |  `- Busy                another run holds the lock; says who, where and since when
    |- MailRefused            a mail server says no for good: a person must change settings or addresses
    `- Broken                 an invariant fell (ledger and index disagree, schema newer than the code): stop, alert

A message says what, where, and what to do now.
"""

from __future__ import annotations


class SaeroError(Exception):
    """Base of every error that saero raises on purpose."""


class SettingsError(SaeroError):
    """The settings can't be used; the message names the key and the file."""


class Refused(SaeroError):
    """The call names something that isn't there; the message lists what is."""


class SkipDocument(SaeroError):
    """One document can't be used; the run goes on and records `category` and `reason`.

    `path` may be empty while a parser that only sees bytes raises it: the caller knows the path.
    """

    category = "damaged"

    def __init__(self, reason: str, path: str = "") -> None:
        super().__init__(reason)
        self.reason = reason
        self.path = path


class Empty(SkipDocument):
    """Zero bytes, or nothing but white space."""

    category = "empty"


class Unsupported(SkipDocument):
    """A format that saero doesn't read; the reason names the real format."""

    category = "unsupported"


class Encrypted(SkipDocument):
    """A password is needed to read the file."""

    category = "encrypted"


class Drm(SkipDocument):
    """Wrapped by a document security product (Fasoo, MarkAny, SoftCamp and the like)."""

    category = "drm"


class Corrupt(SkipDocument):
    """The bytes are not what the format promises."""

    category = "damaged"


class TooLarge(SkipDocument):
    """A file, stream or page count above its limit, bombs included."""

    category = "too_large"


class Timeout(SkipDocument):
    """The worker passed its time limit and was ended."""

    category = "timeout"


class UnsafeXml(SkipDocument):
    """A DTD or entity declaration where none belongs."""

    category = "unsafe_xml"


class NeedsOcr(SkipDocument):
    """No page has text of its own: a scan."""

    category = "needs_ocr"


class Unreadable(SkipDocument):
    """The operating system refuses the file (permission, input/output error, a lock)."""

    category = "unreadable"


class ChangedWhileReading(SkipDocument):
    """Size or times moved between the start and the end of reading, three times in a row."""

    category = "changed_while_reading"


class TryAgain(SaeroError):
    """Something is busy or away for the moment."""


class Busy(TryAgain):
    """Another process holds a lock; the message says who, which stage, and since when."""


class MailRefused(SaeroError):
    """The mail server refuses for good: trying again changes nothing, settings or addresses must change."""


class Broken(SaeroError):
    """An invariant fell: stop and alert."""

"""The day of a run, which remembers the days that lay ahead of it."""

from __future__ import annotations

from datetime import date, datetime, timedelta, tzinfo


class Today(date):
    """A day that notes what it is compared with: as long as it is before `until`, every answer stays the same.

    Rules ask whether a day in a name is ahead; what they decide may change when that day comes, and not before. For
    `day > today` Python asks the right side first, as its class is derived from that of the left.
    """

    until: date | None = None

    def __lt__(self, other: date) -> bool:
        self._note(other)
        return date.__lt__(self, other)

    def __ge__(self, other: date) -> bool:
        self._note(other)
        return date.__ge__(self, other)

    def __gt__(self, other: date) -> bool:
        self._note(_after(other))
        return date.__gt__(self, other)

    def __le__(self, other: date) -> bool:
        self._note(_after(other))
        return date.__le__(self, other)

    def _note(self, turn: date) -> None:
        """Keep the earliest day on which an answer turns."""
        if date.__lt__(self, turn) and (self.until is None or date.__lt__(turn, self.until)):
            self.until = turn

    def turns_at(self, zone: tzinfo) -> datetime | None:
        """Return the first moment at which an answer may be another, None when none ever is."""
        return None if self.until is None else datetime(self.until.year, self.until.month, self.until.day, tzinfo=zone)

    @classmethod
    def of(cls, moment: datetime) -> Today:
        """Return the day of an aware local time."""
        return cls(moment.year, moment.month, moment.day)


def _after(day: date) -> date:
    return day + timedelta(days=1) if day < date.max else day

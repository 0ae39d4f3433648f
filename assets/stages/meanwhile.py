"""Publish while vectors are still made: a first load answers by its words at once, by meaning little by little."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

from assets.stages.index import is_another, publish
from assets.stages.quality import judge
from assets.stages.rows import forget_rows
from pipelines.duration import parse_duration
from resources.build import Run
from resources.published import read_published

# Tokens that a slow core embeds in about a minute (760 to 930 a second, research/retrieval.md section 2): a first load
# that takes longer is published by its words before.
WORDS_FIRST = 60_000


class Meanwhile:
    """Decides, between two batches of vectors, whether to publish what is complete and whether the night is over.

    The index of another encoder or chunker goes on answering until the new one is whole: nothing is published here.
    """

    def __init__(self, run: Run, tokens: int) -> None:
        zone, said = run.saero.settings.zone, run.saero.settings.schedule
        run.saero.index.mend()  # a torn record can't be read
        record = read_published(run.saero.index_dir)
        self._run = run
        self._allowed = record is None or not is_another(run.saero.encoder, record)
        self._words_first = record is None and tokens > WORDS_FIRST
        self._every = parse_duration(said.publish_every)
        self._published_at = _now()
        self._end = end_of_night(run.now.astimezone(zone), run.options.stop_by or said.stop_by)

    def begin(self) -> None:
        """Publish a first load without vectors when these will take long."""
        if self._words_first:
            self._publish()

    def between(self) -> None:
        """Publish when `[schedule] publish_every` has passed since the last time."""
        if self._allowed and _now() >= self._every.after(self._published_at, UTC):
            self._publish()

    @property
    def is_over(self) -> bool:
        """Whether --stop-by or `[schedule] stop_by` has passed; the rest is left to the next run."""
        return self._end is not None and _now() >= self._end

    def _publish(self) -> None:
        run, step = self._run, self._run.progress.step
        forget_rows(run)
        judge(run)
        if run.memory.get("blocked"):
            self._allowed = False  # the end of the night judges the whole, and says why
        else:
            publish(run)
        forget_rows(run)
        run.stage(step.stage, step.total)
        run.progress.advance(step.done)
        self._published_at = _now()


def end_of_night(begun: datetime, stop_by: str) -> datetime | None:
    """Return the first moment after `begun` (an aware local time) at which the clock shows `stop_by`; None for ""."""
    if not stop_by:
        return None
    end = datetime.combine(begun.date(), time.fromisoformat(stop_by), begun.tzinfo)
    return end if end > begun else end + timedelta(days=1)


def _now() -> datetime:
    return datetime.now(UTC)

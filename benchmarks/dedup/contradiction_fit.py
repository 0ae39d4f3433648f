"""Fit the constants of pipelines/sameness.py on all labelled pairs.

    python benchmarks/dedup/contradiction_fit.py [--write]

Prints the module, or writes it. The operating point is that of contradiction_folds.py, from authors left out. The same
pairs give the same module.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.dedup.contradiction_folds import AIM, FILES, LATEST, left_out, operating_point
from benchmarks.dedup.contradiction_labelled import Fitted, fit, labelled, unrelated

MODULE = Path(__file__).resolve().parents[2] / "pipelines" / "sameness.py"
_TEXT = '''"""Constants by which two values are of one attribute: written by benchmarks/dedup/contradiction_fit.py."""

# Logistic regression on {pairs} pairs of passages that {authors} authors labelled, of which {clashes} have values that
# can't both hold, and on {others} of unrelated passages. On the {latest} files written last, each judged by weights
# fitted without it, precision is {precision:.3f} and recall {recall:.3f}.
# The smallest likeness (logit) at which their precision is {aim}.
LEAST = {least:.2f}
# From this likeness on an equal value settles the attribute: more likely its own than not.
SETTLES = 0.0
BIAS = {bias:.3f}
WEIGHTS = {{
{weights}
}}
'''


def module() -> str:
    """Return the text of the module."""
    known, others = labelled(FILES), unrelated(FILES)
    scored = [pair for pair in left_out(known, others) if pair[0].share == 1]
    least = operating_point(scored)
    latest = [(one, like) for one, like in scored if one.file in LATEST]
    hits = sum(one.label for one, like in latest if like >= least)
    fitted = fit([*known, *others])
    return _TEXT.format(
        pairs=len(known),
        authors=len(FILES),
        clashes=sum(any(one.clashes) for one in known),
        others=len(others),
        latest=len(LATEST),
        precision=hits / sum(like >= least for _, like in latest),
        recall=hits / sum(one.label for one, _ in latest),
        aim=AIM,
        least=least,
        bias=fitted.bias,
        weights=_weights(fitted),
    )


def _weights(fitted: Fitted) -> str:
    return "\n".join(f'    "{name}": {weight:.3f},' for name, weight in fitted.weights.items())


def main() -> None:
    """Print or write the module."""
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--write", action="store_true", help=f"write {MODULE.name}")
    chosen = options.parse_args()
    text = module()
    if chosen.write:
        MODULE.write_text(text, encoding="utf-8")
    else:
        print(text, end="")


if __name__ == "__main__":
    main()

"""Constants by which two values are of one attribute: written by benchmarks/dedup/contradiction_fit.py."""

# Logistic regression on 2647 pairs of passages that 10 authors labelled, of which 1600 have values that
# can't both hold, and on 1913 of unrelated passages. On the 6 files written last, each judged by weights
# fitted without it, precision is 0.941 and recall 0.904.
# The smallest likeness (logit) at which their precision is 0.94.
LEAST = -1.42
# From this likeness on an equal value settles the attribute: more likely its own than not.
SETTLES = 0.0
BIAS = -3.373
WEIGHTS = {
    "shared words": 0.170,
    "covered": 1.890,
    "1 common": -1.416,
    "2 common": 1.677,
    "3 common": 1.320,
    "one more exact": -0.376,
    "more exact": -0.297,
    "both more exact": -0.123,
    "both more exact, alike": -0.061,
    "replaced": -0.133,
    "replaced, alike": -1.918,
    "one replaced, no other": -0.964,
    "two of one head": -1.470,
    "light replaced": 0.298,
    "a first known": 1.372,
    "first known": 0.375,
    "last known": 0.046,
    "letters": 1.933,
    "letters of others": 4.544,
    "latin and hangul": 0.573,
    "few words": 0.613,
    "roles": -3.626,
    "done alike": -0.378,
    "done otherwise": 0.113,
    "both borrowed": -3.083,
    "two languages": -1.335,
    "apart": -1.035,
    "one kind": 1.587,
    "one per": 1.572,
    "per of one": -0.150,
    "one bound": 0.712,
    "two bounds": -0.329,
    "condition of one": 0.226,
    "state": -0.075,
    "date": 0.437,
    "two milestones": -3.166,
    "rate": 0.442,
    "shared scopes": -0.010,
    "two facts": -7.824,
    "two facts of one time": 0.000,
    "one fact": -0.886,
    "relative year of one": -0.972,
    "whole of one": -0.436,
    "ordinal of one": 0.512,
    "each of one": 0.575,
    "quota of one": 0.196,
    "goal of one": -0.176,
    "equal mates": 0.722,
    "other mates": 0.843,
    "other days": 0.000,
    "only ones": 1.010,
    "rivals": -1.151,
}

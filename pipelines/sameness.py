"""Constants by which two values are of one attribute: written by benchmarks/dedup/contradiction_fit.py."""

# Logistic regression on 2293 pairs of passages that 8 authors labelled, of which 1410 have values that
# can't both hold, and on 1673 of unrelated passages. On the 5 files written last, each judged by weights
# fitted without it, precision is 0.921 and recall 0.876.
# The smallest likeness (logit) at which their precision is 0.92.
LEAST = -1.54
# From this likeness on an equal value settles the attribute: more likely its own than not.
SETTLES = 0.0
BIAS = -2.906
WEIGHTS = {
    "shared words": 0.084,
    "covered": 1.629,
    "1 common": -1.345,
    "2 common": 1.640,
    "3 common": 1.256,
    "one more exact": -0.499,
    "more exact": -0.311,
    "both more exact": -0.054,
    "both more exact, alike": -0.861,
    "replaced": -0.082,
    "replaced, alike": -3.068,
    "light replaced": 0.243,
    "a first known": 1.126,
    "first known": 0.454,
    "last known": -0.070,
    "letters": 1.992,
    "letters of others": 2.583,
    "latin and hangul": 0.484,
    "few words": 0.601,
    "roles": -3.160,
    "done alike": -0.449,
    "done otherwise": -0.042,
    "both borrowed": -2.886,
    "two languages": -1.051,
    "apart": -1.005,
    "one kind": 1.363,
    "one per": 1.608,
    "per of one": 0.059,
    "one bound": 0.597,
    "two bounds": -0.643,
    "condition of one": 0.546,
    "state": -0.015,
    "date": -0.237,
    "rate": 0.659,
    "shared scopes": 0.086,
    "two facts": -7.341,
    "two facts of one time": 0.000,
    "one fact": -0.850,
    "relative year of one": -1.765,
    "whole of one": 0.161,
    "ordinal of one": 0.556,
    "each of one": 0.629,
    "quota of one": -0.600,
    "goal of one": -0.078,
    "equal mates": 1.257,
    "other mates": 0.693,
    "other days": 0.000,
    "only ones": 0.959,
    "rivals": -1.018,
}

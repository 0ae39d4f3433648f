"""Constants by which two values are of one attribute: written by benchmarks/dedup/contradiction_fit.py."""

# Logistic regression on 1881 pairs of passages that 6 authors labelled, of which 1160 have values that
# can't both hold, and on 1219 of unrelated passages. On the 3 files written last, each judged by weights
# fitted without it, precision is 0.920 and recall 0.876.
# The smallest likeness (logit) at which their precision is 0.92.
LEAST = -1.63
# From this likeness on an equal value settles the attribute: more likely its own than not.
SETTLES = 0.0
BIAS = -5.401
WEIGHTS = {
    "shared words": -0.475,
    "covered": 2.781,
    "1 common": -1.594,
    "2 common": 1.972,
    "3 common": 0.855,
    "one more exact": -0.321,
    "more exact": -0.571,
    "both more exact": -0.095,
    "both more exact, alike": -0.253,
    "replaced": -0.179,
    "replaced, alike": -3.468,
    "light replaced": 0.428,
    "a first known": 1.811,
    "first known": 0.733,
    "last known": 0.117,
    "letters": 1.997,
    "letters of others": -1.268,
    "latin and hangul": 0.921,
    "few words": 0.594,
    "roles": -3.207,
    "done alike": -0.164,
    "done otherwise": -0.491,
    "events": -4.223,
    "both borrowed": -2.596,
    "two languages": -0.919,
    "apart": -1.171,
    "one kind": 2.176,
    "one per": 2.443,
    "per of one": 0.760,
    "one bound": 0.575,
    "two bounds": 1.060,
    "condition of one": 0.437,
    "state": -0.329,
    "date": -0.965,
    "rate": 1.064,
    "shared scopes": 0.262,
    "two facts": -8.718,
    "one fact": -2.941,
    "relative year of one": -2.248,
    "whole of one": -0.866,
    "ordinal of one": -0.493,
    "each of one": 0.603,
    "quota of one": -0.966,
    "goal of one": 0.161,
    "equal mates": 1.056,
    "other mates": -0.243,
    "other days": 0.000,
    "only ones": 1.402,
    "rivals": -0.872,
}

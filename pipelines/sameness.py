"""Constants by which two values are of one attribute: written by benchmarks/dedup/contradiction_fit.py."""

# Logistic regression on 2118 pairs of passages that 7 authors labelled, of which 1311 have values that
# can't both hold, and on 1529 of unrelated passages. On the 4 files written last, each judged by weights
# fitted without it, precision is 0.910 and recall 0.876.
# The smallest likeness (logit) at which their precision is 0.91.
LEAST = -1.69
# From this likeness on an equal value settles the attribute: more likely its own than not.
SETTLES = 0.0
BIAS = -3.315
WEIGHTS = {
    "shared words": 0.213,
    "covered": 1.923,
    "1 common": -1.269,
    "2 common": 1.596,
    "3 common": 1.108,
    "one more exact": -0.345,
    "more exact": -0.377,
    "both more exact": -0.135,
    "both more exact, alike": -0.910,
    "replaced": -0.136,
    "replaced, alike": -2.855,
    "light replaced": 0.334,
    "a first known": 1.070,
    "first known": 0.455,
    "last known": -0.071,
    "letters": 1.914,
    "letters of others": 1.105,
    "latin and hangul": 0.673,
    "few words": 0.573,
    "roles": -3.235,
    "done alike": -0.448,
    "done otherwise": 0.000,
    "both borrowed": -2.842,
    "two languages": -0.868,
    "apart": -0.975,
    "one kind": 1.496,
    "one per": 1.638,
    "per of one": -0.058,
    "one bound": 0.545,
    "two bounds": -0.607,
    "condition of one": 0.585,
    "state": 0.228,
    "date": -0.457,
    "rate": 0.739,
    "shared scopes": 0.135,
    "two facts": -7.368,
    "two facts of one time": 0.000,
    "one fact": -1.415,
    "relative year of one": -1.243,
    "whole of one": 0.024,
    "ordinal of one": 0.800,
    "each of one": 0.841,
    "quota of one": -0.868,
    "goal of one": -0.010,
    "equal mates": 1.574,
    "other mates": 0.538,
    "other days": 0.000,
    "only ones": 0.902,
    "rivals": -1.052,
}

"""Constants by which two values are of one attribute: written by benchmarks/dedup/contradiction_fit.py."""

# Logistic regression on 1881 pairs of passages that 6 authors labelled, of which 1141 have values that
# can't both hold, and on 1190 of unrelated passages. On the 3 files written last, each judged by weights
# fitted without it, precision is 0.920 and recall 0.876.
# The smallest likeness (logit) at which their precision is 0.92.
LEAST = -1.89
# From this likeness on an equal value settles the attribute: more likely its own than not.
SETTLES = 0.0
BIAS = -5.879
WEIGHTS = {
    "shared words": -0.414,
    "covered": 3.128,
    "1 common": -1.298,
    "2 common": 1.860,
    "3 common": 0.758,
    "one more exact": -0.342,
    "more exact": -0.530,
    "both more exact": 0.003,
    "both more exact, alike": -0.185,
    "replaced": -0.154,
    "replaced, alike": -3.563,
    "light replaced": 0.581,
    "a first known": 1.734,
    "first known": 0.738,
    "last known": 0.060,
    "letters": 2.125,
    "letters of others": -1.556,
    "latin and hangul": 0.936,
    "few words": 0.732,
    "roles": -3.209,
    "done alike": -0.163,
    "done otherwise": -0.509,
    "both borrowed": -2.398,
    "two languages": -0.871,
    "apart": -1.110,
    "one kind": 2.242,
    "one per": 2.402,
    "per of one": 0.488,
    "one bound": 0.456,
    "two bounds": 0.956,
    "condition of one": 0.625,
    "state": -0.269,
    "date": -0.630,
    "rate": 1.004,
    "shared scopes": 0.234,
    "two facts": -8.957,
    "one fact": -3.044,
    "relative year of one": -2.330,
    "whole of one": -0.557,
    "ordinal of one": -0.360,
    "each of one": 0.610,
    "quota of one": -0.968,
    "goal of one": 0.114,
    "equal mates": 1.163,
    "other mates": 2.471,
    "other days": 0.000,
    "only ones": 1.251,
    "rivals": -1.161,
}

"""Constants by which two values are of one attribute: written by benchmarks/dedup/contradiction_fit.py."""

# Logistic regression on 2118 pairs of passages that 7 authors labelled, of which 1307 have values that
# can't both hold, and on 1529 of unrelated passages. On the 4 files written last, each judged by weights
# fitted without it, precision is 0.910 and recall 0.880.
# The smallest likeness (logit) at which their precision is 0.91.
LEAST = -1.78
# From this likeness on an equal value settles the attribute: more likely its own than not.
SETTLES = 0.0
BIAS = -3.296
WEIGHTS = {
    "shared words": 0.255,
    "covered": 1.929,
    "1 common": -1.317,
    "2 common": 1.641,
    "3 common": 1.155,
    "one more exact": -0.370,
    "more exact": -0.376,
    "both more exact": -0.160,
    "both more exact, alike": -0.934,
    "replaced": -0.162,
    "replaced, alike": -2.871,
    "light replaced": 0.351,
    "a first known": 1.079,
    "first known": 0.454,
    "last known": -0.050,
    "letters": 1.962,
    "letters of others": 1.083,
    "latin and hangul": 0.693,
    "few words": 0.531,
    "roles": -3.286,
    "done alike": -0.428,
    "done otherwise": -0.001,
    "both borrowed": -2.796,
    "two languages": -0.869,
    "apart": -0.964,
    "one kind": 1.501,
    "one per": 1.729,
    "per of one": -0.085,
    "one bound": 0.493,
    "two bounds": -0.711,
    "condition of one": 0.671,
    "state": 0.210,
    "date": -0.258,
    "rate": 0.733,
    "shared scopes": 0.144,
    "two facts": -7.466,
    "two facts of one time": 0.000,
    "one fact": -1.439,
    "relative year of one": -1.260,
    "whole of one": 0.006,
    "ordinal of one": 0.838,
    "each of one": 0.811,
    "quota of one": -0.904,
    "goal of one": -0.039,
    "equal mates": 1.581,
    "other mates": 0.973,
    "other days": 0.000,
    "only ones": 0.924,
    "rivals": -1.073,
}

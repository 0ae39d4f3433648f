"""Constants by which two values are of one attribute: written by benchmarks/dedup/contradiction_fit.py."""

# Logistic regression on 1881 pairs of passages that 6 authors labelled, of which 1141 have values that
# can't both hold, and on 1190 of unrelated passages. On the 3 files written last, each judged by weights
# fitted without it, precision is 0.920 and recall 0.876.
# The smallest likeness (logit) at which their precision is 0.92.
LEAST = -1.88
# From this likeness on an equal value settles the attribute: more likely its own than not.
SETTLES = 0.0
BIAS = -5.662
WEIGHTS = {
    "shared words": -0.351,
    "covered": 3.096,
    "1 common": -1.463,
    "2 common": 1.850,
    "3 common": 0.789,
    "one more exact": -0.393,
    "more exact": -0.516,
    "both more exact": 0.001,
    "both more exact, alike": -0.138,
    "replaced": -0.168,
    "replaced, alike": -3.531,
    "light replaced": 0.560,
    "a first known": 1.769,
    "first known": 0.702,
    "last known": 0.064,
    "letters": 2.056,
    "letters of others": -1.491,
    "latin and hangul": 0.960,
    "few words": 0.748,
    "roles": -3.260,
    "done alike": -0.081,
    "done otherwise": -0.545,
    "both borrowed": -2.569,
    "two languages": -0.878,
    "apart": -1.182,
    "one kind": 2.264,
    "one per": 2.393,
    "per of one": 0.160,
    "one bound": 0.495,
    "two bounds": 1.118,
    "condition of one": 0.354,
    "state": -0.294,
    "date": -0.656,
    "rate": 1.017,
    "shared scopes": 0.211,
    "two facts": -8.934,
    "one fact": -3.057,
    "relative year of one": -2.309,
    "whole of one": -0.582,
    "ordinal of one": -0.346,
    "each of one": 0.695,
    "quota of one": -1.025,
    "goal of one": 0.108,
    "equal mates": 1.136,
    "other mates": 2.591,
    "other days": 0.000,
    "only ones": 1.245,
    "rivals": -1.140,
}

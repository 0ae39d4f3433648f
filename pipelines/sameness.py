"""Constants by which two values are of one attribute: written by benchmarks/dedup/contradiction_fit.py."""

# Logistic regression on 2118 pairs of passages that 7 authors labelled, of which 1305 have values that
# can't both hold, and on 1535 of unrelated passages. On the 4 files written last, each judged by weights
# fitted without it, precision is 0.910 and recall 0.858.
# The smallest likeness (logit) at which their precision is 0.91.
LEAST = -1.60
# From this likeness on an equal value settles the attribute: more likely its own than not.
SETTLES = 0.0
BIAS = -3.471
WEIGHTS = {
    "shared words": 0.172,
    "covered": 2.050,
    "1 common": -1.143,
    "2 common": 1.614,
    "3 common": 1.150,
    "one more exact": -0.446,
    "more exact": -0.374,
    "both more exact": -0.107,
    "both more exact, alike": -0.707,
    "replaced": -0.164,
    "replaced, alike": -2.849,
    "light replaced": 0.276,
    "a first known": 1.105,
    "first known": 0.424,
    "last known": -0.126,
    "letters": 1.881,
    "letters of others": 0.602,
    "latin and hangul": 0.655,
    "few words": 0.590,
    "roles": -3.305,
    "done alike": -0.500,
    "done otherwise": -0.002,
    "both borrowed": -2.737,
    "two languages": -0.795,
    "apart": -0.960,
    "one kind": 1.492,
    "one per": 1.766,
    "per of one": -0.077,
    "one bound": 0.461,
    "two bounds": -0.594,
    "condition of one": 0.596,
    "state": 0.158,
    "date": -0.568,
    "rate": 0.799,
    "shared scopes": 0.153,
    "two facts": -7.417,
    "two facts of one time": 0.000,
    "one fact": -1.441,
    "relative year of one": -1.339,
    "whole of one": 0.002,
    "ordinal of one": 0.814,
    "each of one": 0.806,
    "quota of one": -0.806,
    "goal of one": -0.020,
    "equal mates": 1.538,
    "other mates": 1.067,
    "other days": 0.000,
    "only ones": 0.956,
    "rivals": -0.955,
}

"""Constants by which two values are of one attribute: written by benchmarks/dedup/contradiction_fit.py."""

# Logistic regression on 2455 pairs of passages that 9 authors labelled, of which 1486 have values that
# can't both hold, and on 1798 of unrelated passages. On the 6 files written last, each judged by weights
# fitted without it, precision is 0.941 and recall 0.896.
# The smallest likeness (logit) at which their precision is 0.94.
LEAST = -1.27
# From this likeness on an equal value settles the attribute: more likely its own than not.
SETTLES = 0.0
BIAS = -3.678
WEIGHTS = {
    "shared words": 0.195,
    "covered": 1.938,
    "1 common": -1.304,
    "2 common": 1.687,
    "3 common": 1.395,
    "one more exact": -0.218,
    "more exact": -0.263,
    "both more exact": -0.213,
    "both more exact, alike": -0.262,
    "replaced": -0.145,
    "replaced, alike": -1.851,
    "one replaced, no other": -1.076,
    "two of one head": -1.458,
    "light replaced": 0.203,
    "a first known": 1.224,
    "first known": 0.449,
    "last known": 0.080,
    "letters": 1.966,
    "letters of others": 4.227,
    "latin and hangul": 0.491,
    "few words": 0.638,
    "roles": -3.572,
    "done alike": -0.303,
    "done otherwise": 0.033,
    "both borrowed": -2.972,
    "two languages": -1.213,
    "apart": -1.010,
    "one kind": 1.611,
    "one per": 1.643,
    "per of one": -0.048,
    "one bound": 0.646,
    "two bounds": -0.359,
    "condition of one": 0.361,
    "state": -0.020,
    "date": 0.362,
    "two milestones": -2.591,
    "rate": 0.503,
    "shared scopes": 0.022,
    "two facts": -7.933,
    "two facts of one time": 0.000,
    "one fact": -0.814,
    "relative year of one": -0.982,
    "whole of one": -0.377,
    "ordinal of one": 0.733,
    "each of one": 0.603,
    "quota of one": 0.096,
    "goal of one": -0.185,
    "equal mates": 0.721,
    "other mates": 0.890,
    "other days": 0.000,
    "only ones": 1.003,
    "rivals": -1.131,
}

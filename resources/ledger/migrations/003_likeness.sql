-- How alike two bodies are whose names may be versions of one thing, related or not, so that no night reads them twice; a < b.
-- A pair that a night doesn't ask about leaves.
create table likeness (a varchar, b varchar, jaccard double, a_in_b double, b_in_a double);

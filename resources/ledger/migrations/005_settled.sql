-- What the last complete look at all documents (assets.stages.dedup) rested on. While nothing of it differs, and no day or hour passes at
-- which it may come out otherwise, a night need not look again. At most one row.
create table settled (
    digest varchar,                       -- resources.ledger.settled.digest, the settings and the program
    decided_at timestamptz,               -- when it was decided
    until timestamptz,                    -- the first moment at which it may come out otherwise, NULL for none
    labels json                           -- how many families of each label there were
);

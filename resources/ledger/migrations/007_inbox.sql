-- What searches and persons left in inbox.jsonl (resources/inbox.py), taken in by the next run.
create table taken (line_id varchar, taken_at timestamptz);  -- lines counted already, while their file may be read again
-- How often a search showed a document, by day of [schedule].timezone; the body follows a rename.
create table found (day date, source varchar, path varchar, body_hash varchar, times bigint);
-- Questions, only with [search_log] text = true, for 90 days.
create table questions (line_id varchar, asked_at timestamptz, question varchar, score double, answerable boolean);
create table feedback (
    line_id varchar, given_at timestamptz, chunk_id varchar,
    vote integer,                         -- 1 or -1
    question varchar,                     -- what it was given for, NULL when nobody said
    source varchar, path varchar, body_hash varchar, chunk_hash varchar
);

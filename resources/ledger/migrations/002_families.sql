-- Which bodies are alike, what a person must look at, and the values that passages state.

-- 5-grams that many documents share (boilerplate), kept out of sketches. Frozen: a list that followed the corpus would make edges
-- depend on the order of arrival. The newest row holds; the list of a version never changes. Exported by the nightly backup.
create table common_grams (
    version varchar,                      -- "0" for the empty list of a small corpus
    grams blob,                           -- uint64, little endian, sorted
    bodies bigint,                        -- how many bodies it was made from
    frozen_at timestamptz
);

-- One row a body: MinHash of the 5-grams of one of its contents, the same one whatever the order of arrival.
create table sketches (
    sketch_id bigint, body_hash varchar, content_hash varchar, parser_version varchar,
    sketch_version varchar,               -- pipelines.sketch.SKETCH_VERSION and that of the common 5-grams
    n_grams bigint,
    signature blob,                       -- 128 uint32, little endian, over all 5-grams
    made_at timestamptz
);
create table bands (band ubigint, sketch_id bigint);

-- Verified exactly, every pair that is near or contained: thousands of copies of one form make millions of rows.
create table edges (
    a bigint, b bigint,                   -- sketch_id, which a body keeps; the body hash of a is the lesser
    kind varchar,                         -- near, contains
    n_a integer, n_b integer,             -- 5-grams of each when the pair was verified
    shared integer,                       -- and how many of them both have
    made_at timestamptz
);

-- The one review queue. a: the older version, the covered document, the one side; b: the newer, the covering, the other.
-- Places are looked up by body, so that a rename asks nothing again. What a person decided is in `decisions` under the kind `answer`,
-- item_id its subject, with "answer": "accept" or "reject" in its value; it is taken back by undone_at (the kinds reject, accept and undo
-- that 001 names are never written).
create table review_items (
    item_id varchar,
    kind varchar,                         -- version, redundancy, contradiction
    a_body varchar, b_body varchar, a_chunk varchar, b_chunk varchar,
    evidence json, opened_at timestamptz, closed_at timestamptz
);

-- Values that a passage states, by chunk_hash and version of the extraction.
create table chunk_values (chunk_hash varchar, values_version varchar, found json);

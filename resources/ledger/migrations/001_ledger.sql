-- The ledger of DESIGN section 4. No primary keys or secondary indexes on purpose (5x slower inserts, 4.6x the bytes):
-- uniqueness is kept by the statements that write and verified by `saero doctor`.

create table runs (
    run_id varchar, job varchar, started_at timestamptz, ended_at timestamptz,
    outcome varchar,                      -- NULL while it runs, success, failed
    published boolean, held varchar, counts json
);

create table sources (
    name varchar, position integer,
    configured boolean,                   -- still named by saero.toml
    reachable boolean, reason varchar,
    first_run varchar,
    seen_at timestamptz,                  -- last run that could list the folder
    refreshed_at timestamptz              -- last run that read it to the end
);

-- One row a document (source, NFC path). What lies on disk: content_hash. What is served: served_hash as served_parser
-- read it, the last reading that gave text. It differs from what lies there while a damaged file keeps its last good
-- version, or while a newer parser fails on bytes that an older one read.
create table documents (
    source varchar, path varchar, disk_path blob,
    mail varchar,                         -- path of the mail that an attachment came in, NULL for a file
    size bigint, mtime_ns bigint, ctime_ns bigint, inode ubigint,
    read_at_ns bigint,                    -- when its bytes were last hashed
    content_hash varchar, served_hash varchar, served_parser varchar, body_hash varchar,
    state varchar,                        -- pipelines.records.State
    flags json,                           -- stale_parse, held, future_clock ...
    category varchar, reason varchar,     -- of the last failure, NULL after a success
    failing_since timestamptz, failed_runs integer,
    duplicate_of varchar, superseded_by varchar,     -- "source/path"
    retired boolean,                      -- its passages stand in the retired table only
    expires_at timestamptz, expiry_evidence varchar,
    body_expires_at timestamptz,          -- when the last holder of its body expires, NULL while one never does
    first_run varchar, first_seen timestamptz, changed_at timestamptz,
    hold_reason varchar, hold_nights integer, hold_counted date,       -- deletions that wait (DESIGN section 5, GUARDS)
    gone_at timestamptz
);

-- What a parser made of a content, by content and parser version: a rename, copy or restored file parses nothing.
create table contents (
    content_hash varchar, parser_version varchar, format varchar,
    category varchar, reason varchar,     -- NULL when it was read
    limits varchar,                       -- that found it too_large, NULL otherwise
    body_hash varchar, has_text boolean, chars bigint,
    title varchar, author varchar, modified_at timestamptz, created_at timestamptz, clock varchar,
    pages integer, ocr_pages json, asides json, warnings json, properties json, attachments json,
    parsed_at timestamptz
);

-- The newest judgement of each content: what is known of documents that serve nothing.
create view judged as
    select * from contents qualify row_number() over (partition by content_hash order by parsed_at desc) = 1;

-- Bodies are cut once, from the content that first gave them, and keep their chunks whoever serves them later.
create table bodies (
    body_hash varchar, content_hash varchar, parser_version varchar, chunker_version varchar, title varchar,
    chars bigint, chunk_count integer, made_at timestamptz
);

create table chunks (
    chunk_id varchar, body_hash varchar, chunk_hash varchar, ordinal integer, heading json,
    span_start bigint, span_end bigint
);

create table texts (chunk_hash varchar, text varchar, embedded varchar, n_tokens integer, made_at timestamptz);
create table morphemes (chunk_hash varchar, tokens_version varchar, tokens varchar);
create table vectors (chunk_hash varchar, encoder_id varchar, vector blob, made_at timestamptz);   -- float16, little endian

-- Morphemes of file names: they help the full-text column only.
create table names (name varchar, tokens_version varchar, tokens varchar);

-- Where a chunk of a body stands in one content of it.
create table places (content_hash varchar, parser_version varchar, chunk_id varchar, locator json);

-- What no present document needs, and since when. kind: content, body, text, encoder, tokens.
create table idle (kind varchar, key varchar, since timestamptz);

-- Rows that a row rule keeps out of the index.
create table withheld (chunk_id varchar, reason varchar, since timestamptz);

-- Every replacement of an older version by a newer one, with its evidence; undone_at when a person took it back.
create table replacements (
    older_body varchar, newer_body varchar,
    older_source varchar, older_path varchar, newer_source varchar, newer_path varchar, policy varchar, evidence json,
    run_id varchar, decided_at timestamptz, ended_at timestamptz, undone_at timestamptz
);

-- What persons decided: it exists nowhere else. kind: renew, review, reject, accept, undo, forget, mute.
create table decisions (
    decision_id varchar, kind varchar, subject varchar, value json, decided_at timestamptz, undone_at timestamptz
);

create table publications (
    version bigint, table_name varchar, run_id varchar, published_at timestamptz, encoder varchar,
    calibration varchar, chunker varchar, rows bigint, reason varchar
);

create table checks (run_id varchar, name varchar, passed boolean, unexpected bigint, subject_digest varchar, checked_at timestamptz);

create table findings (
    finding_id varchar, kind varchar, source varchar, path varchar, detail json,
    opened_at timestamptz, opened_run varchar, seen_run varchar, resolved_at timestamptz
);

create table canaries (
    canary_id varchar, query varchar, origin varchar,          -- settings, cli
    min_score double, expect_path varchar, expect_text varchar, owner varchar, critical boolean, must_fail boolean,
    pinned_source varchar, pinned_path varchar, pinned_body varchar, pinned_chunk varchar, pinned_content varchar,
    baseline double, calibration varchar, state varchar, cause varchar, since timestamptz, removed_at timestamptz
);

create table canary_history (
    canary_id varchar, run_id varchar, asked_at timestamptz, state varchar, cause varchar,
    score double, rank integer, top_score double, top_source varchar, top_path varchar,
    index_version bigint, encoder varchar, calibration varchar
);

create table alerts (
    alert_id varchar, kind varchar, severity varchar, state varchar, owner varchar, source varchar, path varchar,
    evidence json, since timestamptz, changed_at timestamptz,
    news varchar,                         -- what must still be told: open, worsened, resolved; NULL when nothing
    told json,                            -- pipelines.alert.Told: how it stood when it was last told, and by which mail
    told_at timestamptz, mail_id varchar
);

create table mails (
    mail_id varchar, message_id varchar, kind varchar, recipients json, subject varchar, mime blob,
    created_at timestamptz, attempts integer, state varchar,   -- queued, sent, file, failed
    last_error varchar, sent_at timestamptz
);

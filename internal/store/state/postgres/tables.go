package postgres

import "quipu/internal/store/pg"

// steps make and migrate the tables, which docs/format/state-postgres.md draws. A step that was released does not change.
func steps() []pg.Step {
	return []pg.Step{{What: "make the tables of the state", SQL: `
CREATE TABLE partitions (
	partition integer     NOT NULL PRIMARY KEY,
	epoch     bigint      NOT NULL DEFAULT 0,
	holder    text        NOT NULL DEFAULT '',
	until     timestamptz NOT NULL DEFAULT '-infinity',
	ttl       interval    NOT NULL DEFAULT '0',
	watermark bigint      NOT NULL DEFAULT 0,
	rows_mark bigint,
	forgotten integer     NOT NULL DEFAULT 0,
	block     bigint      NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
CREATE TABLE workers (
	name  text        NOT NULL PRIMARY KEY,
	until timestamptz NOT NULL
);
CREATE TABLE profiles (
	app  bytea  NOT NULL,
	id   bytea  NOT NULL,
	uid  bigint NOT NULL,
	seen bigint,
	body bytea  NOT NULL,
	PRIMARY KEY (app, id)
) WITH (fillfactor = 80);
CREATE UNIQUE INDEX profiles_uid ON profiles (app, uid);
CREATE INDEX profiles_open ON profiles (app, seen, id) WHERE seen IS NOT NULL;
CREATE TABLE sequences (
	app       bytea   NOT NULL PRIMARY KEY,
	partition integer NOT NULL,
	uid       bigint  NOT NULL,
	state     bigint  NOT NULL,
	users     bigint  NOT NULL
);
CREATE TABLE aliases (
	app   bytea  NOT NULL,
	gone  bigint NOT NULL,
	stays bigint NOT NULL,
	PRIMARY KEY (app, gone)
);
CREATE TABLE prints (
	day       integer NOT NULL,
	app       bytea   NOT NULL,
	hash      bytea   NOT NULL,
	partition integer NOT NULL,
	PRIMARY KEY (day, app, hash)
);
CREATE TABLE schema_counters (
	app  bytea NOT NULL PRIMARY KEY,
	body bytea NOT NULL
);
CREATE TABLE schema_events (
	app  bytea  NOT NULL,
	id   bigint NOT NULL,
	body bytea  NOT NULL,
	PRIMARY KEY (app, id)
);
CREATE TABLE schema_subjects (
	app  bytea   NOT NULL,
	kind integer NOT NULL,
	num  bigint  NOT NULL,
	body bytea   NOT NULL,
	PRIMARY KEY (app, kind, num)
);
CREATE TABLE schema_values (
	app     bytea  NOT NULL,
	event   bigint NOT NULL,
	segment bigint NOT NULL,
	ordinal bigint NOT NULL,
	value   bytea  NOT NULL,
	PRIMARY KEY (app, event, segment, ordinal)
);
CREATE TABLE versions (
	app     bytea  NOT NULL PRIMARY KEY,
	aliases bigint NOT NULL,
	schema  bigint NOT NULL
);
CREATE TABLE marks (
	app     bytea   NOT NULL PRIMARY KEY,
	dropped bigint  NOT NULL,
	deleted bigint  NOT NULL,
	merged  bigint  NOT NULL,
	loose   boolean NOT NULL
);
CREATE TABLE settings (
	app  bytea NOT NULL PRIMARY KEY,
	body bytea NOT NULL
);
CREATE TABLE outbox (
	partition integer NOT NULL,
	through   bigint  NOT NULL,
	app       bytea   NOT NULL,
	value     bytea   NOT NULL,
	PRIMARY KEY (partition, through, app)
);
ALTER TABLE outbox ALTER COLUMN value SET STORAGE EXTERNAL;
CREATE TABLE mirror (
	partition integer NOT NULL,
	through   bigint  NOT NULL,
	app       bytea   NOT NULL,
	value     bytea   NOT NULL,
	PRIMARY KEY (partition, through, app)
);
CREATE TABLE cells (
	partition integer NOT NULL,
	block     bigint  NOT NULL,
	value     bytea   NOT NULL,
	PRIMARY KEY (partition, block)
);
ALTER TABLE cells ALTER COLUMN value SET STORAGE EXTERNAL;
CREATE TABLE sendings (
	partition integer NOT NULL PRIMARY KEY,
	first     bigint  NOT NULL,
	last      bigint  NOT NULL
);
CREATE FUNCTION quipu_fence(parts integer[], epochs bigint[], was bigint[], through bigint[], marks bigint[], forget integer, blocks bigint[]) RETURNS void LANGUAGE plpgsql AS $fence$
DECLARE
	moved integer;
BEGIN
	IF cardinality(parts) > 1 THEN -- in the order of all who lock several
		PERFORM 1 FROM partitions AS p WHERE p.partition = ANY(parts) ORDER BY p.partition FOR UPDATE;
	END IF;
	UPDATE partitions AS p SET until = greatest(p.until, clock_timestamp() + p.ttl), watermark = u.through, rows_mark = coalesce(u.mark, p.rows_mark), forgotten = greatest(p.forgotten, forget), block = u.block
		FROM unnest(parts, epochs, was, through, marks, blocks) AS u(partition, epoch, was, through, mark, block)
		WHERE p.partition = u.partition AND p.epoch = u.epoch AND p.watermark = u.was;
	GET DIAGNOSTICS moved = ROW_COUNT;
	IF moved = cardinality(parts) THEN
		RETURN;
	END IF;
	IF EXISTS (SELECT 1 FROM unnest(parts, epochs) AS u(partition, epoch) LEFT JOIN partitions p USING (partition) WHERE p.epoch IS DISTINCT FROM u.epoch) THEN
		RAISE EXCEPTION 'a partition is held under another epoch' USING ERRCODE = 'QP001';
	END IF;
	RAISE EXCEPTION 'a watermark is not where the batch began' USING ERRCODE = 'QP002';
END
$fence$;
CREATE FUNCTION quipu_held(parts integer[], epochs bigint[]) RETURNS void LANGUAGE plpgsql AS $held$
DECLARE
	found integer;
BEGIN
	PERFORM 1 FROM partitions AS p JOIN unnest(parts, epochs) AS u(partition, epoch) ON p.partition = u.partition AND p.epoch = u.epoch FOR SHARE OF p;
	GET DIAGNOSTICS found = ROW_COUNT;
	IF found <> cardinality(parts) THEN
		RAISE EXCEPTION 'a partition is held under another epoch' USING ERRCODE = 'QP001';
	END IF;
END
$held$;
`}, {What: "make the tables of rows on their way", SQL: `
CREATE TABLE row_sendings (
	partition integer NOT NULL PRIMARY KEY,
	confirmed bigint  NOT NULL,
	through   bigint,
	try       integer NOT NULL DEFAULT 0
);
CREATE TABLE row_versions (last bigint NOT NULL);
INSERT INTO row_versions VALUES (0);
CREATE TABLE identity (name text NOT NULL);
INSERT INTO identity SELECT gen_random_uuid()::text;
`}, {What: "make the table of turns", SQL: `
CREATE TABLE turns (
	name   text        NOT NULL PRIMARY KEY,
	holder text        NOT NULL,
	until  timestamptz NOT NULL
);
`}, {What: "make the table of what moved in", SQL: `
CREATE TABLE moved (one boolean NOT NULL PRIMARY KEY DEFAULT true CHECK (one), body bytea NOT NULL);
`}}
}

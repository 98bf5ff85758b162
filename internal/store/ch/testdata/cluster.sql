-- On a server.

-- Tables of event rows.
CREATE TABLE IF NOT EXISTS format (version UInt64) ENGINE = MergeTree ORDER BY (version) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS identity (state String) ENGINE = MergeTree ORDER BY (state) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS apps (app String, version UInt64, gone UInt8) ENGINE = ReplacingMergeTree(version, gone) ORDER BY (app) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS merged (app LowCardinality(String), old Int64, new Int64, version UInt64, gone UInt8) ENGINE = ReplacingMergeTree(version, gone) ORDER BY (app, old) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS events (app LowCardinality(String), `off` Int64, `item` Int64, `ts` Int64, `received` Int64, `e` LowCardinality(String), `n` LowCardinality(Nullable(String)), `uid` Int64, `session` Int64, `state` Int64, …, `n4` Nullable(Float64), `n5` Nullable(Float64), `n6` Nullable(Float64), `n7` Nullable(Float64), `n8` Nullable(Float64), INDEX places off TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY (app, e, ts, off, item) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS requests (app LowCardinality(String), `off` Int64, `item` Int64, `ts` Int64, `received` Int64, `uid` Int64, `flags` Int64, `dur` Float64, INDEX places off TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY (app, ts, off, item) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS states (app LowCardinality(String), `state` Int64, `off` Int64, `uid` Int64, `props` Nullable(String), INDEX places off TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY (app, state) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS users (app LowCardinality(String), `uid` Int64, `_id` String, `did` Nullable(String), `lat` Nullable(Float64), `lng` Nullable(Float64), `cc` LowCardinality(Nullable(String)), `cty` Nullable(String), …, `state` Nullable(Int64), `custom` Nullable(String), `consent` Nullable(String), `cmp` Nullable(String), `extra` Nullable(String), version UInt64, gone UInt8) ENGINE = ReplacingMergeTree(version, gone) ORDER BY (app, uid) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;

-- Tables of cells.
CREATE TABLE IF NOT EXISTS cell_format (version UInt64) ENGINE = MergeTree ORDER BY (version) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS cell_identity (state String) ENGINE = MergeTree ORDER BY (state) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS cell_eras (app String, partition UInt64, era UInt64) ENGINE = ReplacingMergeTree ORDER BY (app, partition, era) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS cell_merged (app String, old Int64, new Int64, version UInt64, gone UInt8) ENGINE = ReplacingMergeTree(version, gone) ORDER BY (app, old) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS cells (app LowCardinality(String), metric UInt8, dim String, grain UInt8, bucket UInt32, value String, era UInt64, first SimpleAggregateFunction(min, UInt64), count SimpleAggregateFunction(sum, Int64), new SimpleAggregateFunction(sum, Int64), requests SimpleAggregateFunction(sum, Int64), sum SimpleAggregateFunction(sum, Float64), dur SimpleAggregateFunction(sum, Float64), flags SimpleAggregateFunction(groupBitOr, UInt8), users AggregateFunction(groupBitmap, UInt32)) ENGINE = AggregatingMergeTree ORDER BY (app, metric, dim, grain, bucket, value, era) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;

-- A new dimension.
ALTER TABLE users ADD COLUMN IF NOT EXISTS `x` Nullable(String);

-- Changes of rows.
ALTER TABLE events DELETE WHERE app = 'a' AND e = ? SETTINGS allow_nondeterministic_mutations = '1', mutations_sync = '2';
ALTER TABLE cells UPDATE users = bitmapAndnot(users, x) WHERE app = ? AND era < ? SETTINGS mutations_sync = '2';

-- Settings of all statements: none
-- Of those that come in one order: none
-- Of cells of partition 5, with their name: none

-- On a cluster of three shards.

-- Tables of event rows.
CREATE TABLE IF NOT EXISTS format_local ON CLUSTER `quipu` (version UInt64) ENGINE = MergeTree ORDER BY (version) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS format ON CLUSTER `quipu` AS format_local ENGINE = Distributed(`quipu`, analytics, format_local, 0);
CREATE TABLE IF NOT EXISTS identity_local ON CLUSTER `quipu` (state String) ENGINE = MergeTree ORDER BY (state) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS identity ON CLUSTER `quipu` AS identity_local ENGINE = Distributed(`quipu`, analytics, identity_local, 0);
CREATE TABLE IF NOT EXISTS apps_local ON CLUSTER `quipu` (app String, version UInt64, gone UInt8) ENGINE = ReplacingMergeTree(version, gone) ORDER BY (app) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS apps ON CLUSTER `quipu` AS apps_local ENGINE = Distributed(`quipu`, analytics, apps_local, 0);
CREATE TABLE IF NOT EXISTS merged_local ON CLUSTER `quipu` (app LowCardinality(String), old Int64, new Int64, version UInt64, gone UInt8) ENGINE = ReplacingMergeTree(version, gone) ORDER BY (app, old) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS merged ON CLUSTER `quipu` AS merged_local ENGINE = Distributed(`quipu`, analytics, merged_local, 0);
CREATE TABLE IF NOT EXISTS events_local ON CLUSTER `quipu` (app LowCardinality(String), `off` Int64, `item` Int64, `ts` Int64, `received` Int64, `e` LowCardinality(String), `n` LowCardinality(Nullable(String)), `uid` Int64, `session` Int64, `state` Int64, …, `n4` Nullable(Float64), `n5` Nullable(Float64), `n6` Nullable(Float64), `n7` Nullable(Float64), `n8` Nullable(Float64), INDEX places off TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY (app, e, ts, off, item) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS events ON CLUSTER `quipu` AS events_local ENGINE = Distributed(`quipu`, analytics, events_local, cityHash64(app, uid) % 3);
CREATE TABLE IF NOT EXISTS requests_local ON CLUSTER `quipu` (app LowCardinality(String), `off` Int64, `item` Int64, `ts` Int64, `received` Int64, `uid` Int64, `flags` Int64, `dur` Float64, INDEX places off TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY (app, ts, off, item) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS requests ON CLUSTER `quipu` AS requests_local ENGINE = Distributed(`quipu`, analytics, requests_local, cityHash64(app, uid) % 3);
CREATE TABLE IF NOT EXISTS states_local ON CLUSTER `quipu` (app LowCardinality(String), `state` Int64, `off` Int64, `uid` Int64, `props` Nullable(String), INDEX places off TYPE minmax GRANULARITY 1) ENGINE = MergeTree ORDER BY (app, state) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS states ON CLUSTER `quipu` AS states_local ENGINE = Distributed(`quipu`, analytics, states_local, cityHash64(app, uid) % 3);
CREATE TABLE IF NOT EXISTS users_local ON CLUSTER `quipu` (app LowCardinality(String), `uid` Int64, `_id` String, `did` Nullable(String), `lat` Nullable(Float64), `lng` Nullable(Float64), `cc` LowCardinality(Nullable(String)), `cty` Nullable(String), …, `state` Nullable(Int64), `custom` Nullable(String), `consent` Nullable(String), `cmp` Nullable(String), `extra` Nullable(String), version UInt64, gone UInt8) ENGINE = ReplacingMergeTree(version, gone) ORDER BY (app, uid) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS users ON CLUSTER `quipu` AS users_local ENGINE = Distributed(`quipu`, analytics, users_local, cityHash64(app, uid) % 3);

-- Tables of cells.
CREATE TABLE IF NOT EXISTS cell_format_local ON CLUSTER `quipu` (version UInt64) ENGINE = MergeTree ORDER BY (version) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS cell_format ON CLUSTER `quipu` AS cell_format_local ENGINE = Distributed(`quipu`, analytics, cell_format_local, 0);
CREATE TABLE IF NOT EXISTS cell_identity_local ON CLUSTER `quipu` (state String) ENGINE = MergeTree ORDER BY (state) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS cell_identity ON CLUSTER `quipu` AS cell_identity_local ENGINE = Distributed(`quipu`, analytics, cell_identity_local, 0);
CREATE TABLE IF NOT EXISTS cell_eras_local ON CLUSTER `quipu` (app String, partition UInt64, era UInt64) ENGINE = ReplacingMergeTree ORDER BY (app, partition, era) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS cell_eras ON CLUSTER `quipu` AS cell_eras_local ENGINE = Distributed(`quipu`, analytics, cell_eras_local, 0);
CREATE TABLE IF NOT EXISTS cell_merged_local ON CLUSTER `quipu` (app String, old Int64, new Int64, version UInt64, gone UInt8) ENGINE = ReplacingMergeTree(version, gone) ORDER BY (app, old) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS cell_merged ON CLUSTER `quipu` AS cell_merged_local ENGINE = Distributed(`quipu`, analytics, cell_merged_local, 0);
CREATE TABLE IF NOT EXISTS cells_local ON CLUSTER `quipu` (app LowCardinality(String), metric UInt8, dim String, grain UInt8, bucket UInt32, value String, era UInt64, first SimpleAggregateFunction(min, UInt64), count SimpleAggregateFunction(sum, Int64), new SimpleAggregateFunction(sum, Int64), requests SimpleAggregateFunction(sum, Int64), sum SimpleAggregateFunction(sum, Float64), dur SimpleAggregateFunction(sum, Float64), flags SimpleAggregateFunction(groupBitOr, UInt8), users AggregateFunction(groupBitmap, UInt32)) ENGINE = AggregatingMergeTree ORDER BY (app, metric, dim, grain, bucket, value, era) SETTINGS non_replicated_deduplication_window = 100000, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS cells ON CLUSTER `quipu` AS cells_local ENGINE = Distributed(`quipu`, analytics, cells_local, 0);

-- A new dimension.
ALTER TABLE users_local ON CLUSTER `quipu` ADD COLUMN IF NOT EXISTS `x` Nullable(String);
ALTER TABLE users ON CLUSTER `quipu` ADD COLUMN IF NOT EXISTS `x` Nullable(String);

-- Changes of rows.
ALTER TABLE events_local ON CLUSTER `quipu` DELETE WHERE app = 'a' AND e = ? SETTINGS allow_nondeterministic_mutations = '1', mutations_sync = '2';
ALTER TABLE cells_local ON CLUSTER `quipu` UPDATE users = bitmapAndnot(users, x) WHERE app = ? AND era < ? SETTINGS mutations_sync = '2';

-- Settings of all statements: distributed_ddl_task_timeout = '120', distributed_foreground_insert = '1', distributed_product_mode = 'global', replication_wait_for_inactive_replica_timeout = '10'
-- Of those that come in one order: distributed_ddl_task_timeout = '120', distributed_foreground_insert = '1', distributed_product_mode = 'global', replication_wait_for_inactive_replica_timeout = '10'
-- Of cells of partition 5, with their name: insert_shard_id = '3'

-- On a cluster of two shards with replicas.

-- Tables of event rows.
CREATE TABLE IF NOT EXISTS format_local ON CLUSTER `quipu` (version UInt64) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}') ORDER BY (version) SETTINGS replicated_deduplication_window = 100000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS format ON CLUSTER `quipu` AS format_local ENGINE = Distributed(`quipu`, analytics, format_local, 0);
CREATE TABLE IF NOT EXISTS identity_local ON CLUSTER `quipu` (state String) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}') ORDER BY (state) SETTINGS replicated_deduplication_window = 100000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS identity ON CLUSTER `quipu` AS identity_local ENGINE = Distributed(`quipu`, analytics, identity_local, 0);
CREATE TABLE IF NOT EXISTS apps_local ON CLUSTER `quipu` (app String, version UInt64, gone UInt8) ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', version, gone) ORDER BY (app) SETTINGS replicated_deduplication_window = 100000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS apps ON CLUSTER `quipu` AS apps_local ENGINE = Distributed(`quipu`, analytics, apps_local, 0);
CREATE TABLE IF NOT EXISTS merged_local ON CLUSTER `quipu` (app LowCardinality(String), old Int64, new Int64, version UInt64, gone UInt8) ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', version, gone) ORDER BY (app, old) SETTINGS replicated_deduplication_window = 100000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS merged ON CLUSTER `quipu` AS merged_local ENGINE = Distributed(`quipu`, analytics, merged_local, 0);
CREATE TABLE IF NOT EXISTS events_local ON CLUSTER `quipu` (app LowCardinality(String), `off` Int64, `item` Int64, `ts` Int64, `received` Int64, `e` LowCardinality(String), `n` LowCardinality(Nullable(String)), `uid` Int64, `session` Int64, `state` Int64, …, `n4` Nullable(Float64), `n5` Nullable(Float64), `n6` Nullable(Float64), `n7` Nullable(Float64), `n8` Nullable(Float64), INDEX places off TYPE minmax GRANULARITY 1) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}') ORDER BY (app, e, ts, off, item) SETTINGS replicated_deduplication_window = 100000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS events ON CLUSTER `quipu` AS events_local ENGINE = Distributed(`quipu`, analytics, events_local, cityHash64(app, uid) % 2);
CREATE TABLE IF NOT EXISTS requests_local ON CLUSTER `quipu` (app LowCardinality(String), `off` Int64, `item` Int64, `ts` Int64, `received` Int64, `uid` Int64, `flags` Int64, `dur` Float64, INDEX places off TYPE minmax GRANULARITY 1) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}') ORDER BY (app, ts, off, item) SETTINGS replicated_deduplication_window = 100000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS requests ON CLUSTER `quipu` AS requests_local ENGINE = Distributed(`quipu`, analytics, requests_local, cityHash64(app, uid) % 2);
CREATE TABLE IF NOT EXISTS states_local ON CLUSTER `quipu` (app LowCardinality(String), `state` Int64, `off` Int64, `uid` Int64, `props` Nullable(String), INDEX places off TYPE minmax GRANULARITY 1) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}') ORDER BY (app, state) SETTINGS replicated_deduplication_window = 100000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS states ON CLUSTER `quipu` AS states_local ENGINE = Distributed(`quipu`, analytics, states_local, cityHash64(app, uid) % 2);
CREATE TABLE IF NOT EXISTS users_local ON CLUSTER `quipu` (app LowCardinality(String), `uid` Int64, `_id` String, `did` Nullable(String), `lat` Nullable(Float64), `lng` Nullable(Float64), `cc` LowCardinality(Nullable(String)), `cty` Nullable(String), …, `state` Nullable(Int64), `custom` Nullable(String), `consent` Nullable(String), `cmp` Nullable(String), `extra` Nullable(String), version UInt64, gone UInt8) ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', version, gone) ORDER BY (app, uid) SETTINGS replicated_deduplication_window = 100000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS users ON CLUSTER `quipu` AS users_local ENGINE = Distributed(`quipu`, analytics, users_local, cityHash64(app, uid) % 2);

-- Tables of cells.
CREATE TABLE IF NOT EXISTS cell_format_local ON CLUSTER `quipu` (version UInt64) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}') ORDER BY (version) SETTINGS replicated_deduplication_window = 100000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS cell_format ON CLUSTER `quipu` AS cell_format_local ENGINE = Distributed(`quipu`, analytics, cell_format_local, 0);
CREATE TABLE IF NOT EXISTS cell_identity_local ON CLUSTER `quipu` (state String) ENGINE = ReplicatedMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}') ORDER BY (state) SETTINGS replicated_deduplication_window = 100000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS cell_identity ON CLUSTER `quipu` AS cell_identity_local ENGINE = Distributed(`quipu`, analytics, cell_identity_local, 0);
CREATE TABLE IF NOT EXISTS cell_eras_local ON CLUSTER `quipu` (app String, partition UInt64, era UInt64) ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}') ORDER BY (app, partition, era) SETTINGS replicated_deduplication_window = 100000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS cell_eras ON CLUSTER `quipu` AS cell_eras_local ENGINE = Distributed(`quipu`, analytics, cell_eras_local, 0);
CREATE TABLE IF NOT EXISTS cell_merged_local ON CLUSTER `quipu` (app String, old Int64, new Int64, version UInt64, gone UInt8) ENGINE = ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', version, gone) ORDER BY (app, old) SETTINGS replicated_deduplication_window = 100000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS cell_merged ON CLUSTER `quipu` AS cell_merged_local ENGINE = Distributed(`quipu`, analytics, cell_merged_local, 0);
CREATE TABLE IF NOT EXISTS cells_local ON CLUSTER `quipu` (app LowCardinality(String), metric UInt8, dim String, grain UInt8, bucket UInt32, value String, era UInt64, first SimpleAggregateFunction(min, UInt64), count SimpleAggregateFunction(sum, Int64), new SimpleAggregateFunction(sum, Int64), requests SimpleAggregateFunction(sum, Int64), sum SimpleAggregateFunction(sum, Float64), dur SimpleAggregateFunction(sum, Float64), flags SimpleAggregateFunction(groupBitOr, UInt8), users AggregateFunction(groupBitmap, UInt32)) ENGINE = ReplicatedAggregatingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}') ORDER BY (app, metric, dim, grain, bucket, value, era) SETTINGS replicated_deduplication_window = 100000, replicated_deduplication_window_seconds = 604800, fsync_after_insert = 1, fsync_part_directory = 1;
CREATE TABLE IF NOT EXISTS cells ON CLUSTER `quipu` AS cells_local ENGINE = Distributed(`quipu`, analytics, cells_local, 0);

-- A new dimension.
ALTER TABLE users_local ON CLUSTER `quipu` ADD COLUMN IF NOT EXISTS `x` Nullable(String);
ALTER TABLE users ON CLUSTER `quipu` ADD COLUMN IF NOT EXISTS `x` Nullable(String);

-- Changes of rows.
ALTER TABLE events_local ON CLUSTER `quipu` DELETE WHERE app = 'a' AND e = ? SETTINGS allow_nondeterministic_mutations = '1', mutations_sync = '2';
ALTER TABLE cells_local ON CLUSTER `quipu` UPDATE users = bitmapAndnot(users, x) WHERE app = ? AND era < ? SETTINGS mutations_sync = '2';

-- Settings of all statements: distributed_ddl_task_timeout = '120', distributed_foreground_insert = '1', distributed_product_mode = 'global', insert_quorum = 'auto', insert_quorum_timeout = '60000', replication_wait_for_inactive_replica_timeout = '10'
-- Of those that come in one order: distributed_ddl_task_timeout = '120', distributed_foreground_insert = '1', distributed_product_mode = 'global', insert_quorum = 'auto', insert_quorum_parallel = '0', insert_quorum_timeout = '60000', replication_wait_for_inactive_replica_timeout = '10', select_sequential_consistency = '1'
-- Of cells of partition 5, with their name: insert_shard_id = '2'


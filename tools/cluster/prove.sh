#!/usr/bin/env bash
# Proves that a cluster of ClickHouse does what Quipu relies on (docs/adr/0015-the-cluster.md): with tables of its own, in a database of its own, which are removed at the end.
set -euo pipefail

usage() {
	cat <<-'TEXT'
		prove.sh --cluster NAME [--address http://HOST:8123] [--database quipu_prove] [--user NAME --password-file FILE] [--ca FILE]
		         [--single]                       the cluster has no replicas
		         [--away --stop COMMAND --start COMMAND]   stop a replica in between, by a command, or by hand where none is given

		The user needs the rights of docs/how-to/cluster.md, and those to make and drop the database.
	TEXT
}

cluster='' address=http://127.0.0.1:8123 database=quipu_prove user='' password_file='' ca='' replicated=1 away=0 stop='' start=''
while [ $# -gt 0 ]; do
	case $1 in
	--cluster) cluster=$2; shift ;;
	--address) address=$2; shift ;;
	--database) database=$2; shift ;;
	--user) user=$2; shift ;;
	--password-file) password_file=$2; shift ;;
	--ca) ca=$2; shift ;;
	--single) replicated=0 ;;
	--away) away=1 ;;
	--stop) stop=$2; shift ;;
	--start) start=$2; shift ;;
	-h | --help) usage; exit 0 ;;
	*) usage >&2; exit 2 ;;
	esac
	shift
done
for name in "$cluster" "$database"; do
	[[ $name =~ ^[A-Za-z_][A-Za-z0-9_]*$ ]] || { usage >&2; exit 2; }
done

# The settings of Quipu's statements, see internal/store/ch/testdata/cluster.sql.
every='distributed_foreground_insert=1&distributed_product_mode=global&distributed_ddl_task_timeout=120&replication_wait_for_inactive_replica_timeout=10&async_insert=0&join_use_nulls=1'
ordered=''
if [ $replicated = 1 ]; then
	every+='&insert_quorum=auto&insert_quorum_timeout=60000'
	ordered='&insert_quorum_parallel=0&select_sequential_consistency=1'
fi

secrets=$(mktemp)
cleanup() { rm -f "$secrets"; }
trap cleanup EXIT
chmod 600 "$secrets"
{
	[ -z "$user" ] || printf 'header = "X-ClickHouse-User: %s"\n' "$user"
	[ -z "$password_file" ] || printf 'header = "X-ClickHouse-Key: %s"\n' "$(cat "$password_file")"
	[ -z "$ca" ] || printf 'cacert = "%s"\n' "$ca"
} >"$secrets"

encoded() { # encoded TEXT: for an address
	local LC_ALL=C text=$1 out='' c i
	for ((i = 0; i < ${#text}; i++)); do
		c=${text:i:1}
		case $c in
		[A-Za-z0-9._~-]) out+=$c ;;
		*) printf -v c '%%%02X' "'$c"; out+=$c ;;
		esac
	done
	printf '%s' "$out"
}

request() { # request SETTINGS STATEMENT, data on standard input if the statement inserts
	case $2 in
	INSERT*) curl --silent --show-error --fail-with-body --max-time 300 --config "$secrets" --data-binary @- "$address/?database=$database&$every$1&query=$(encoded "$2")" ;;
	*) printf '%s' "$2" | curl --silent --show-error --fail-with-body --max-time 300 --config "$secrets" --data-binary @- "$address/?database=${3:-$database}&$every$1" ;;
	esac
}
ask() { request "${2:-}" "$1 FORMAT TabSeparated"; }
system() { request '' "$1 FORMAT TabSeparated" system; }

failed=0
check() { # check WHAT WANT GOT
	if [ "$2" = "$3" ]; then
		echo "ok      $1"
	else
		echo "FAILED  $1: got ${3:-nothing}, want $2"
		failed=1
	fi
}

hosts=$(system "SELECT count() FROM clusters WHERE cluster = '$cluster'")
shards=$(system "SELECT uniqExact(shard_num) FROM clusters WHERE cluster = '$cluster'")
[ "$shards" -gt 0 ] || { echo "the server knows no cluster $cluster" >&2; exit 1; }
echo "cluster $cluster: $shards shards, $hosts servers, ClickHouse $(system 'SELECT version()')"
[ "$shards" -gt 1 ] || echo "note    there is one shard only: nothing is proved of several"
if [ $replicated = 1 ]; then
	check "each shard has internal_replication" 0 "$(system "SELECT countIf(internal_replication = 0) FROM clusters WHERE cluster = '$cluster'")"
	check "servers have the macros shard and replica" 2 "$(system "SELECT count() FROM macros WHERE macro IN ('shard', 'replica')")"
fi

engine() { # engine NAME [ARGUMENTS]
	if [ $replicated = 1 ]; then
		echo "Replicated$1('/clickhouse/tables/{shard}/{database}/{table}', '{replica}'${2:+, $2})"
	else
		echo "$1${2:+($2)}"
	fi
}
sync='' # names of replicas in the Keeper are free at once
[ $replicated = 0 ] || sync=' SYNC'
window='non_replicated_deduplication_window = 100000'
[ $replicated = 0 ] || window='replicated_deduplication_window = 100000, replicated_deduplication_window_seconds = 604800'

table() { # table NAME COLUMNS ENGINE ORDER KEY
	request '' "CREATE TABLE IF NOT EXISTS $1_local ON CLUSTER \`$cluster\` ($2) ENGINE = $3 ORDER BY ($4) SETTINGS $window" >/dev/null
	request '' "CREATE TABLE IF NOT EXISTS $1 ON CLUSTER \`$cluster\` AS $1_local ENGINE = Distributed(\`$cluster\`, $database, $1_local, $5)" >/dev/null
}
drop() {
	local name
	for name in events users decides cells; do
		request '' "DROP TABLE IF EXISTS $name ON CLUSTER \`$cluster\`$sync" >/dev/null
		request '' "DROP TABLE IF EXISTS ${name}_local ON CLUSTER \`$cluster\`$sync" >/dev/null
	done
}

request '' "CREATE DATABASE IF NOT EXISTS $database ON CLUSTER \`$cluster\`" system >/dev/null
drop
by="cityHash64(app, uid) % $shards"
table events 'app LowCardinality(String), uid Int64, off Int64, INDEX places off TYPE minmax GRANULARITY 1' "$(engine MergeTree)" 'app, off' "$by"
table users 'app LowCardinality(String), uid Int64, name String, version UInt64, gone UInt8' "$(engine ReplacingMergeTree 'version, gone')" 'app, uid' "$by"
table decides 'app String, version UInt64, gone UInt8' "$(engine ReplacingMergeTree 'version, gone')" 'app' 0
table cells 'app LowCardinality(String), n SimpleAggregateFunction(sum, Int64)' "$(engine AggregatingMergeTree)" 'app' 0
tables() { system "SELECT count() FROM clusterAllReplicas('$cluster', system.tables) WHERE database = '$database' AND name IN ('events', 'events_local', 'users', 'users_local', 'decides', 'decides_local', 'cells', 'cells_local')"; }
check "tables are on all servers" $((8 * hosts)) "$(tables)"

rows() { # rows FIRST COUNT: of 100 users
	local i
	for ((i = $1; i < $1 + $2; i++)); do printf 'a\t%d\t%d\n' $((i % 100)) "$i"; done
}
insert() { # insert TOKEN FIRST COUNT
	rows "$2" "$3" | request "&insert_deduplicate=1&insert_deduplication_token=$1" 'INSERT INTO events (app, uid, off) FORMAT TabSeparated' >/dev/null
}
everywhere() { # the counts of the replicas of each shard, if they are alike
	[ $replicated = 0 ] || request '' "SYSTEM SYNC REPLICA ON CLUSTER \`$cluster\` $1_local" >/dev/null
	system "SELECT if(max(least) = 1, 'alike', 'different') FROM (SELECT uniqExact(n) AS least FROM (SELECT shardNum() AS shard, hostName() AS host, count() AS n FROM clusterAllReplicas('$cluster', $database, $1_local) GROUP BY shard, host) GROUP BY shard)"
}

prove() { # prove WHEN FIRST: 1000 rows from there on; FIRST were there before
	local i
	for i in 1 2; do insert "block-$2" "$2" 1000; done
	check "$1: a block that was sent twice is there once" $(($2 + 1000)) "$(ask 'SELECT count() FROM events')"
	check "$1: each row once" $(($2 + 1000)) "$(ask 'SELECT uniqExact(off) FROM events')"
	if [ "$shards" -gt 1 ]; then
		check "$1: rows are on all shards" "$shards" "$(ask 'SELECT uniqExact(_shard_num) FROM events')"
		check "$1: those of a user are on one" 1 "$(ask 'SELECT max(n) FROM (SELECT uniqExact(_shard_num) AS n FROM events GROUP BY uid)')"
	fi
	for i in 1 2; do
		for ((u = 0; u < 100; u++)); do printf 'a\t%d\tname %d\t%d\t0\n' "$u" "$i" "$(($2 + i))"; done |
			request '&insert_deduplicate=0' 'INSERT INTO users (app, uid, name, version, gone) FORMAT TabSeparated' >/dev/null
	done
	check "$1: the last version of each user counts" "100	name 2" "$(ask 'SELECT count(), max(name) FROM users' '&final=1')"
	# Users of even numbers were merged into those of odd ones, whose rows may be on another shard.
	check "$1: a join over shards is whole" $(($2 + 1000)) "$(ask "SELECT count(us.name) FROM events AS ev LEFT JOIN (SELECT * FROM users WHERE app = 'a') AS us ON us.uid = bitOr(ev.uid, 1) WHERE ev.app = 'a'" '&final=1')"
	check "$1: a set over shards is whole" $(($2 + 1000)) "$(ask "SELECT count() FROM events WHERE bitOr(uid, 1) IN (SELECT uid FROM users WHERE app = 'a')" '&final=1')"
	for i in 1 2 3; do
		printf 'x\t%d\t%d\n' "$(($2 + i))" $((i % 2)) | request "&insert_deduplicate=0$ordered" 'INSERT INTO decides (app, version, gone) FORMAT TabSeparated' >/dev/null
		check "$1: what decides is read at once ($i)" $((1 - i % 2)) "$(ask "SELECT count() FROM decides WHERE app = 'x'" "&final=1$ordered")"
	done
}

prove "all there" 0
if [ "$shards" -gt 1 ]; then
	printf 'b\t1\nb\t2\nc\t3\nd\t4\n' | request '&insert_shard_id=2' 'INSERT INTO cells (app, n) FORMAT TabSeparated' >/dev/null
	check "an insert goes to the shard that it names" "2	1" "$(ask 'SELECT any(_shard_num), uniqExact(_shard_num) FROM cells')"
fi
request '&mutations_sync=2' "ALTER TABLE events_local ON CLUSTER \`$cluster\` UPDATE uid = 1000 WHERE app = 'a' AND off < 10" >/dev/null
check "rows are changed where they are" 10 "$(ask 'SELECT count() FROM events WHERE uid = 1000')"
request '&mutations_sync=2' "ALTER TABLE events_local ON CLUSTER \`$cluster\` UPDATE uid = off % 100 WHERE uid = 1000" >/dev/null
check "and changed back" 0 "$(ask 'SELECT count() FROM events WHERE uid = 1000')"
check "replicas are alike" alike "$(everywhere events)"

if [ $away = 1 ]; then
	if [ -n "$stop" ]; then bash -c "$stop"; else read -r -p "Stop one replica, not the one at $address, and press Enter. "; fi
	prove "a replica is away" 1000
	answer=$(request '&mutations_sync=2' "ALTER TABLE events_local ON CLUSTER \`$cluster\` DELETE WHERE off < 500" 2>&1) || case $answer in
	*'Code: 341'* | *'Code: 159'*) ;; # as Quipu takes it: it is noted
	*) check "a removal is taken while a replica is away" taken "$answer" ;;
	esac
	check "a removal is done at once by those that are there" 0 "$(ask 'SELECT count() FROM events WHERE off < 500')"
	if [ -n "$start" ]; then bash -c "$start"; else read -r -p "Start it again and press Enter. "; fi
	for ((i = 0; i < 60; i++)); do
		[ "$(system "SELECT count() FROM clusterAllReplicas('$cluster', system.one)" 2>/dev/null)" != "$hosts" ] || break
		sleep 2
	done
	check "it has what it missed" alike "$(everywhere events)"
	check "and no more" 1500 "$(ask 'SELECT count() FROM events')"
	left=1500
else
	echo "skipped a replica that is away: use --away"
	left=1000
fi
request '&mutations_sync=2' "ALTER TABLE events_local ON CLUSTER \`$cluster\` DELETE WHERE off >= 900" >/dev/null
check "a removal reaches all" $((left == 1000 ? 900 : 400)) "$(ask 'SELECT count() FROM events')"
check "replicas are alike in the end" alike "$(everywhere events)"

drop
request '' "DROP DATABASE IF EXISTS $database ON CLUSTER \`$cluster\`$sync" system >/dev/null
[ $failed = 0 ] && echo "all is as Quipu relies on" || { echo "something is not as Quipu relies on" >&2; exit 1; }

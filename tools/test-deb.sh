#!/usr/bin/env bash
# Installs the .deb of dist/ in a bare Debian of its own, serves from it as the user of the package, upgrades, and removes it. Without root,
# debootstrap or the package of this architecture it is skipped, and says so.
set -euo pipefail
cd "$(dirname "$0")/.."
skip() { echo "test-deb: skipped, $1" >&2; exit 0; }
deb=$(ls dist/quipu_*_"$(dpkg --print-architecture 2>/dev/null || echo none)".deb 2>/dev/null | head -1)
[ -n "$deb" ] || skip "there is no package of this architecture in dist/: make dist"
[ "$(id -u)" = 0 ] || skip "it needs root"
command -v debootstrap >/dev/null || skip "there is no debootstrap"
suite=${SUITE:-bookworm}
root=$(mktemp -d)
chmod 755 "$root" # the user of the package enters it
pid=
clean() {
	if [ -n "$pid" ]; then kill "$pid" 2>/dev/null || true; wait "$pid" 2>/dev/null || true; fi
	umount "$root/proc" 2>/dev/null || true
	rm -rf --one-file-system "$root"
}
trap clean EXIT
mirror=$({ sed -n 's/^URIs: *//p; s/^deb \(\[[^]]*\] \)\?\([^ ]*\) .*/\2/p' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null || true; } | grep -v security | head -1)
debootstrap --variant=minbase "$suite" "$root" ${mirror:+"$mirror"} >"$root.log" 2>&1 || { tail -5 "$root.log"; rm -f "$root.log"; skip "debootstrap cannot fetch $suite"; }
rm -f "$root.log"
for f in /etc/apt/apt.conf.d/* /etc/resolv.conf /etc/hosts; do [ ! -f "$f" ] || cp -L "$f" "$root$f"; done
mount -t proc proc "$root/proc" || skip "/proc cannot be mounted"
inside() { chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive "$@"; }
cp "$deb" "$root/tmp/quipu.deb"
inside apt-get install -y --no-install-recommends /tmp/quipu.deb >/dev/null
fail() { echo "test-deb: $1" >&2; exit 1; }
[ "$(inside stat -c '%U %a' /var/lib/quipu)" = "quipu 700" ] || fail "/var/lib/quipu: $(inside stat -c '%U %a' /var/lib/quipu)"
[ "$(inside stat -c '%U:%G %a' /etc/quipu/quipu.yaml)" = "root:quipu 640" ] || fail "/etc/quipu/quipu.yaml: $(inside stat -c '%U:%G %a' /etc/quipu/quipu.yaml)"
inside test -x /usr/bin/quipu -a -f /usr/lib/systemd/system/quipu.service -a -f /usr/share/man/man1/quipu.1.gz || fail "files are missing"
inside test -f /usr/share/doc/quipu/docs/operations/install.md || fail "the documentation is missing"
modes=$(dpkg-deb -c "$deb" | awk '$1 ~ /^d/ && $1 != "drwxr-xr-x" { print $1, $6 }')
[ -z "$modes" ] || fail "folders of the package that not everybody may enter: $modes"
inside quipu version
port=$((20000 + RANDOM % 20000))
as() { inside runuser -u quipu -- env QUIPU_CONFIG=/etc/quipu/quipu.yaml QUIPU_LISTEN=127.0.0.1:$port "$@"; }
as quipu config check
serve() {
	as QUIPU_ADMIN_USERNAME=root QUIPU_ADMIN_PASSWORD=Correct-horse-1 QUIPU_ADMIN_EMAIL=root@example.org quipu serve &
	pid=$!
	for _ in $(seq 100); do
		if curl -fs "http://127.0.0.1:$port/readyz" >/dev/null; then return; fi
		kill -0 $pid 2>/dev/null || fail "the server ended"
		sleep 0.1
	done
	fail "the server is not ready"
}
stop() {
	pkill -TERM -P "$pid" -x quipu 2>/dev/null || pkill -TERM -P "$(pgrep -P "$pid" | head -1)" 2>/dev/null || kill "$pid"
	wait "$pid" || true
	pid=
}
serve
key=$(curl -fs -u root:Correct-horse-1 "http://127.0.0.1:$port/api-key")
app=$(curl -fs "http://127.0.0.1:$port/i/apps/create" -d "api_key=$key" --data-urlencode 'args={"name":"Shop"}')
app_key=$(sed 's/.*"key":"\([^"]*\)".*/\1/' <<<"$app") app_id=$(sed 's/.*"_id":"\([^"]*\)".*/\1/' <<<"$app")
curl -fs "http://127.0.0.1:$port/i" -d "app_key=$app_key" -d device_id=me -d begin_session=1 --data-urlencode 'events=[{"key":"hello","count":1}]' >/dev/null
for _ in $(seq 50); do
	read=$(curl -fs "http://127.0.0.1:$port/o/analytics/events?api_key=$key&app_id=$app_id&period=today")
	case $read in *'"hello","c":1'*) break ;; esac
	sleep 0.1
done
case $read in *'"hello","c":1'*) ;; *) fail "the event is not read back: $read" ;; esac
stop
inside apt-get install -y --reinstall /tmp/quipu.deb >/dev/null # as an upgrade
serve
read=$(curl -fs "http://127.0.0.1:$port/o/analytics/events?api_key=$key&app_id=$app_id&period=today")
case $read in *'"hello","c":1'*) ;; *) fail "after the upgrade the event is gone: $read" ;; esac
stop
inside apt-get purge -y quipu >/dev/null
inside test -d /var/lib/quipu/state || fail "purging the package removed the data"
if inside test -e /usr/bin/quipu; then fail "the binary is left"; fi
if command -v systemd-analyze >/dev/null; then
	level=$(systemd-analyze security --offline=true packaging/quipu.service | sed -n 's/.*exposure level for quipu.service: \([0-9.]*\).*/\1/p')
	awk -v l="$level" 'BEGIN { exit !(l != "" && l <= 2) }' || fail "systemd-analyze security: $level, want at most 2"
	echo "test-deb: exposure level of the unit $level"
fi
echo "test-deb: $deb installs, serves, is upgraded and removed in Debian $suite"

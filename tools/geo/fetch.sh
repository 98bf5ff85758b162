#!/bin/sh
# Puts the country database that the binary embeds into internal/ingest/geo/data.
# It does nothing when the file is there already; FORCE=1 fetches it again.
set -eu

package=@ip-location-db/geo-whois-asn-country-mmdb
version=2.3.2026061719
sum=c5f7c0e9bd6a6ccb5a2e9634764544a0d08bd0bd8788b8aedfac87bea184c652

root=$(cd "$(dirname "$0")/../.." && pwd)
target=$root/internal/ingest/geo/data/country.mmdb
if [ -f "$target" ] && [ -z "${FORCE:-}" ]; then
	exit 0
fi

tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM
cd "$tmp"
npm pack --silent "$package@$version" >/dev/null
tar -xzf ./*.tgz package/geo-whois-asn-country.mmdb
echo "$sum  package/geo-whois-asn-country.mmdb" | sha256sum -c - >/dev/null || {
	echo "fetch.sh: the country database is not the one expected" >&2
	exit 1
}
mv package/geo-whois-asn-country.mmdb "$target.new"
mv "$target.new" "$target"

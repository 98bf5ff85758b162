// Command sbom writes the bill of materials of a build, in the form of CycloneDX: the Go modules that are linked into a binary, as the binary
// itself names them, and the npm packages that the dashboard is made of, as the lock file names them.
package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"sort"
	"strings"
)

type hash struct {
	Alg     string `json:"alg"`
	Content string `json:"content"`
}

type component struct {
	Type     string `json:"type"`
	Ref      string `json:"bom-ref"`
	Name     string `json:"name"`
	Version  string `json:"version,omitempty"`
	PURL     string `json:"purl,omitempty"`
	Hashes   []hash `json:"hashes,omitempty"`
	Licenses []any  `json:"licenses,omitempty"`
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

// run takes the version, the binary and the lock files.
func run(args []string) error {
	if len(args) < 2 {
		return errors.New("usage: sbom VERSION BINARY [package-lock.json …]")
	}
	var list []component
	info, err := buildinfo.ReadFile(args[1])
	if err != nil {
		return err
	}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		list = append(list, component{Type: "library", Name: m.Path, Version: m.Version, PURL: "pkg:golang/" + m.Path + "@" + m.Version})
	}
	list = append(list, component{Type: "library", Name: "std", Version: strings.TrimPrefix(info.GoVersion, "go"), PURL: "pkg:golang/std@" + strings.TrimPrefix(info.GoVersion, "go")})
	for _, lock := range args[2:] {
		more, err := npm(lock)
		if err != nil {
			return fmt.Errorf("%s: %w", lock, err)
		}
		list = append(list, more...)
	}
	for i := range list {
		list[i].Ref = list[i].PURL
	}
	sort.Slice(list, func(i, j int) bool { return list[i].PURL < list[j].PURL })
	binary, err := os.ReadFile(args[1])
	if err != nil {
		return err
	}
	sum := sha256.Sum256(binary)
	out := map[string]any{
		"bomFormat": "CycloneDX", "specVersion": "1.6", "version": 1,
		"metadata": map[string]any{"component": component{
			Type: "application", Ref: "quipu", Name: "quipu", Version: args[0], Hashes: []hash{{"SHA-256", hex.EncodeToString(sum[:])}},
		}},
		"components": list,
	}
	enc := json.NewEncoder(os.Stdout)
	enc.SetIndent("", " ")
	return enc.Encode(out)
}

// npm lists the packages of a lock file that are not of development alone.
func npm(lock string) ([]component, error) {
	text, err := os.ReadFile(lock)
	if err != nil {
		return nil, err
	}
	var l struct {
		Packages map[string]struct {
			Version, Integrity, License string
			Dev, Optional, DevOptional  bool
		}
	}
	if err := json.Unmarshal(text, &l); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var out []component
	for at, p := range l.Packages {
		const folder = "node_modules/"
		name := at
		if i := strings.LastIndex(at, folder); i >= 0 {
			name = at[i+len(folder):]
		}
		if at == "" || p.Dev || p.DevOptional || seen[name+"@"+p.Version] {
			continue
		}
		seen[name+"@"+p.Version] = true
		c := component{Type: "library", Name: name, Version: p.Version, PURL: "pkg:npm/" + strings.Replace(name, "@", "%40", 1) + "@" + p.Version}
		if alg, sum, ok := strings.Cut(p.Integrity, "-"); ok && alg == "sha512" {
			if raw, err := base64.StdEncoding.DecodeString(sum); err == nil {
				c.Hashes = []hash{{"SHA-512", hex.EncodeToString(raw)}}
			}
		}
		if p.License != "" {
			c.Licenses = []any{map[string]any{"expression": p.License}}
		}
		out = append(out, c)
	}
	if len(out) == 0 {
		return nil, errors.New("no package of " + path.Base(lock) + " is shipped")
	}
	return out, nil
}

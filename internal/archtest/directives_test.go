package archtest_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestNolintNamesEnabledLinters finds directives for linters that are not enabled: nolintlint passes them over.
func TestNolintNamesEnabledLinters(t *testing.T) {
	t.Parallel()
	config, err := os.ReadFile(filepath.Join(root(t), ".golangci.yml"))
	if err != nil {
		t.Fatal(err)
	}
	list := regexp.MustCompile(`(?m)^  enable: \[([a-z, ]+)\]$`).FindSubmatch(config)
	if list == nil {
		t.Fatal(".golangci.yml has no list of linters that are enabled")
	}
	enabled := map[string]bool{}
	for name := range strings.SplitSeq(string(list[1]), ", ") {
		enabled[name] = true
	}
	found := 0
	directive := regexp.MustCompile(`//` + `nolint:([a-z,]+)`)
	for _, folder := range []string{"cmd", "internal"} {
		err := filepath.WalkDir(filepath.Join(root(t), folder), func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(path) != ".go" {
				return err
			}
			source, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			for n, line := range strings.Split(string(source), "\n") {
				m := directive.FindStringSubmatch(line)
				if m == nil {
					continue
				}
				found++
				for name := range strings.SplitSeq(m[1], ",") {
					if !enabled[name] {
						t.Errorf("%s:%d: %s is not enabled", path, n+1, name)
					}
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if found < 20 {
		t.Errorf("%d directives were found: is the pattern right?", found)
	}
}

// TestPackagesOfMakefile finds packages that the Makefile names and that do not exist, or have no benchmarks where these are what it runs.
func TestPackagesOfMakefile(t *testing.T) {
	t.Parallel()
	makefile, err := os.ReadFile(filepath.Join(root(t), "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile(`\./((?:internal|cmd)/[a-z0-9/]+)`)
	all := names.FindAllSubmatch(makefile, -1)
	if len(all) < 10 {
		t.Errorf("%d packages were found: is the pattern right?", len(all))
	}
	for _, m := range all {
		if info, err := os.Stat(filepath.Join(root(t), string(m[1]))); err != nil || !info.IsDir() {
			t.Errorf("no folder %s", m[1])
		}
	}
	_, benched, _ := strings.Cut(string(makefile), "\nBENCHED := ")
	benched, _, _ = strings.Cut(benched, "\n\n")
	for _, m := range names.FindAllStringSubmatch(benched, -1) {
		files, err := filepath.Glob(filepath.Join(root(t), m[1], "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		has := false
		for _, f := range files {
			source, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			has = has || strings.Contains(string(source), "\nfunc Benchmark")
		}
		if !has {
			t.Errorf("%s has no benchmarks", m[1])
		}
	}
}

package archtest_test

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the list of packages in docs/architecture.md")

// TestPackages compares the list of packages in docs/architecture.md with the packages and what they say of themselves.
func TestPackages(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), "go", "list", "-f", "{{.ImportPath}}\t{{.Doc}}", "./...")
	cmd.Dir = root(t)
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var list strings.Builder
	list.WriteString("\n| package | what it does |\n|---|---|\n")
	for line := range strings.Lines(string(out)) {
		path, doc, _ := strings.Cut(strings.TrimSpace(line), "\t")
		path = strings.TrimPrefix(path, module+"/")
		_, sentence, found := strings.Cut(doc, " "+filepath.Base(path)+" ")
		switch {
		case doc == "": // tests alone
			continue
		case !found:
			t.Errorf("the comment of package %s begins with %q", path, doc)
			continue
		}
		fmt.Fprintf(&list, "| `%s` | %s |\n", strings.TrimPrefix(path, "internal/"), strings.ReplaceAll(sentence, "|", `\|`))
	}
	const begin, end = "<!-- packages -->\n", "\n<!-- /packages -->"
	name := filepath.Join(root(t), "docs", "architecture.md")
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok := strings.Cut(string(b), begin)
	shown, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		t.Fatalf("%s has no place for the list of packages", name)
	}
	if *update {
		if err := os.WriteFile(name, []byte(before+begin+list.String()+end+after), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if diff := cmp.Diff(shown, list.String()); diff != "" {
		t.Errorf("docs/architecture.md is behind; run this test with -update (-shown +packages):\n%s", diff)
	}
}

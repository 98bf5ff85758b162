package upload_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/symbols/upload"
)

// TestIDs reads debug ids of maps, of scripts beside maps without one, and of neither.
func TestIDs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.js":     "x();\n//# debugId=11111111-1111-4111-8111-111111111111\n//# sourceMappingURL=a.js.map\n",
		"a.js.map": `{"version":3,"sources":[],"mappings":""}`,
		"b.js":     "x();\n//# debugId=22222222-2222-4222-8222-222222222222\n",
		"b.js.map": `{"version":3,"sources":[],"mappings":"","debugId":"33333333-3333-4333-8333-333333333333"}`,
		"c.js.map": `{"version":3,"sources":[],"mappings":""}`,
		"d.js":     "//# debugId=44444444-4444-4444-8444-444444444444\n" + strings.Repeat("y();\n", 5000),
		"d.js.map": `{"version":3,"sources":[],"mappings":""}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	platform, files, err := upload.Find("", []string{dir})
	if err != nil || platform != upload.JavaScript || len(files) != 4 {
		t.Fatal(platform, files, err)
	}
	got, err := upload.IDs(files)
	if d := cmp.Diff([]string{"11111111-1111-4111-8111-111111111111", "33333333-3333-4333-8333-333333333333"}, got); err != nil || d != "" {
		t.Errorf("%v %s", err, d)
	}
}

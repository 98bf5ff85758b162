package archtest_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// byHand are files of modules that read parameters of requests by hand, and why they must.
func byHand() map[string]string {
	return map[string]string{
		"internal/modules/attribution/adjust.go":  "the fields of a postback are what the account at Adjust has chosen",
		"internal/modules/appusers/list.go":       "names of tasks belong to all reads that may become some",
		"internal/modules/sdk/calls.go":           "calls of SDKs are handed to ingestion as they came, and are signed as a whole",
		"internal/modules/sdk/feedback.go":        "calls of SDKs are handed to ingestion as they came, and are signed as a whole",
		"internal/modules/symbolication/spool.go": "an upload begins before the body, and so before the request, is read",
	}
}

var ownParams = regexp.MustCompile(`\bc\.Params\b`)

// TestParametersAreBound has modules read parameters from the types that declare them, of which the API is described: what is read by hand is not.
func TestParametersAreBound(t *testing.T) {
	t.Parallel()
	top := root(t)
	excused := byHand()
	err := filepath.WalkDir(filepath.Join(top, "internal/modules"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(top, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		reads := ownParams.Match(text)
		if reads && excused[name] == "" {
			t.Errorf("%s reads c.Params: declare the parameter in the request type", name)
		}
		if reads {
			delete(excused, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range excused {
		t.Errorf("%s reads nothing by hand any more: take it off the list", name)
	}
}

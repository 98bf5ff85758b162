package wiretest_test

import (
	"testing"

	"quipu/internal/testkit/golden"
)

// TestDescribe keeps docs/reference/describe.md what the server says of itself.
func TestDescribe(t *testing.T) {
	t.Parallel()
	golden.File(t, "../../docs/reference/describe.md", []byte(describe(t)))
}

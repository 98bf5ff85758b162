package appusers

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestWaitingErasure shows an erasure of which nothing was counted yet.
func TestWaitingErasure(t *testing.T) {
	t.Parallel()
	text, err := json.Marshal(erasure{ID: "x", UIDs: []uint32{1}}.listed())
	if err != nil || !strings.Contains(string(text), `"held":{}`) {
		t.Errorf("%s, %v", text, err)
	}
}

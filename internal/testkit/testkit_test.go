package testkit_test

import (
	"strings"
	"testing"

	"quipu/internal/testkit"
)

func TestFromRequestToRead(t *testing.T) {
	s := testkit.New(t)
	a := s.CreateApp("shop", "Europe/Berlin")
	s.Ingest(a, "d1", "begin_session", "1", "metrics", `{"_os":"Android","_device":"Pixel 9"}`)
	s.Ingest(a, "d1", "end_session", "1", "session_duration", "20")
	s.Flush()
	check := func(when string) {
		t.Helper()
		got := s.Admin("/o/analytics/sessions", "app_id", a.ID, "period", "today", "bucket", "daily")
		if want := `"t":1,"n":1,"u":1,"d":20,"e":2}]`; !strings.HasSuffix(got, want) {
			t.Errorf("%s: sessions %s, want them to end in %s", when, got, want)
		}
	}
	check("after sending")
	s.Stop()
	s.Start()
	check("after a restart")
}

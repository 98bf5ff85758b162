package decode_test

import (
	"testing"
	"time"

	"quipu/internal/ingest/decode"
	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
)

// TestPrints checks which records have a fingerprint, and that it is the one that the pipeline would compute.
func TestPrints(t *testing.T) {
	t.Parallel()
	source := *plainApp
	source.Plugins = map[string]any{model.Consolidate: []any{saltedApp.ID.String()}}
	for name, tt := range map[string]struct {
		target, body string
		has          bool
	}{
		"with a timestamp":    {target: "/i?app_key=K&device_id=D&timestamp=1936515600123&unknown=1", has: true},
		"without":             {target: "/i?app_key=K&device_id=D"},
		"in seconds":          {target: "/i?app_key=K&device_id=D&timestamp=1936515600"},
		"in a bulk request":   {target: "/i/bulk", body: `[{"app_key":"K","device_id":"D","timestamp":1936515600123}]`},
		"of a JSON body":      {target: "/i", body: `{"app_key":"K","device_id":"D","timestamp":1936515600123,"events":[{"key": "\u0061"}]}`, has: true},
		"of many parameters":  {target: "/i?timestamp=1936515600123&app_key=K&z=1&device_id=D&begin_session=1&metrics={}", has: true},
		"with another app_id": {target: "/i?app_key=K&device_id=D&timestamp=1936515600123&app_id=" + saltedApp.ID.String(), has: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := &sink{}
			now := func() time.Time { return testNow }
			d, err := decode.New(decode.Options{
				Apps: directory{&source, saltedApp}, Journal: s, Outcomes: outcome.NewCounter(now), Pictures: s, Now: now,
				Healthy: s.healthy, Memory: &memory{}, Intake: newIntake(),
			})
			if err != nil {
				t.Fatal(err)
			}
			if got := do(d, "POST", tt.target, "application/json", tt.body).Body.String(); got != okBody {
				t.Fatalf("answer %s", got)
			}
			if len(s.records) != 2 {
				t.Fatalf("%d records, want one of the app and one of the app it flows into", len(s.records))
			}
			var printer request.Printer
			rec := s.records[0]
			want, ok := printer.Fingerprint(&rec)
			switch {
			case tt.has && (!ok || rec.Print != want):
				t.Errorf("fingerprint %x, want %x", rec.Print, want)
			case !tt.has && rec.Print != [16]byte{}:
				t.Errorf("fingerprint %x, want none", rec.Print)
			}
			if s.records[1].Print != [16]byte{} {
				t.Errorf("the record that flows into another app has the fingerprint %x of its origin", s.records[1].Print)
			}
		})
	}
}

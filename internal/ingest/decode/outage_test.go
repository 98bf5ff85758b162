package decode_test

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"quipu/internal/ingest/decode"
	"quipu/internal/ingest/outcome"
	"quipu/internal/store/journal"
)

// late is a journal whose answers reach some clients later than others: it waits after an append for the
// lateness of the context.
type late struct{ *sink }

type lateness struct{}

func (j late) Append(ctx context.Context, entries ...journal.Entry) (journal.Position, error) {
	at, err := j.sink.Append(ctx, entries...)
	wait, _ := ctx.Value(lateness{}).(time.Duration)
	time.Sleep(wait)
	return at, err
}

// fill makes the disk full, or gives it room.
func (s *sink) fill(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.err = err
}

// TestOutageIsLoggedOnce has many requests under way while a disk becomes full and has room again: their answers come in another
// order than their writes.
func TestOutageIsLoggedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var log strings.Builder
		s := &sink{}
		now := func() time.Time { return testNow }
		d, err := decode.New(decode.Options{
			Apps: directory{plainApp}, Journal: late{s}, Pictures: s, Now: now, Outcomes: outcome.NewCounter(now), Healthy: s.healthy, Intake: newIntake(),
			Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
				if a.Key == slog.MessageKey {
					return a
				}
				return slog.Attr{}
			}})),
		})
		if err != nil {
			t.Fatal(err)
		}
		var all sync.WaitGroup
		send := func(wait time.Duration) {
			all.Go(func() {
				ctx := context.WithValue(t.Context(), lateness{}, wait)
				d.ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx, http.MethodGet, "/i?app_key=K&device_id=d", nil))
			})
			synctest.Wait()
		}
		for range 2 {
			send(3 * time.Second) // written before the disk is full, answered in the middle of the outage
			s.fill(errors.New("no space left on device"))
			send(0)
			time.Sleep(2 * time.Second)
			send(0)
			send(5 * time.Second) // refused, answered after the end of the outage
			time.Sleep(2 * time.Second)
			send(0)
			s.fill(nil)
			send(0)
			time.Sleep(6 * time.Second)
			send(0)
			all.Wait()
		}
		want := strings.Repeat("msg=\"ingestion refuses data\"\nmsg=\"ingestion accepts data again\"\n", 2)
		if got := log.String(); got != want {
			t.Errorf("got\n%swant\n%s", got, want)
		}
	})
}

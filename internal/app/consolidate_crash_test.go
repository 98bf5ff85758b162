package app_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"quipu/internal/app"
	"quipu/internal/store/events"
	"quipu/internal/testkit"
)

// deadline lets a number of writes happen and none after them, as when the server is killed.
type deadline struct {
	mu    sync.Mutex
	armed bool
	left  int
	dead  chan struct{} // closed by the first write that does not happen
}

// arm lets n more writes happen.
func (d *deadline) arm(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.armed, d.left, d.dead = true, n, make(chan struct{})
}

// disarm lets all writes happen, and reports whether one was refused.
func (d *deadline) disarm() (fired bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	fired = d.left < 0
	d.armed = false
	return fired
}

// write accounts for one write.
func (d *deadline) write() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.armed {
		return nil
	}
	if d.left == 0 {
		close(d.dead)
	}
	if d.left--; d.left < 0 {
		return errors.New("injected: the server is dead")
	}
	return nil
}

// dying is an event store whose commits end with the deadline: before they happen, or after it without an answer.
type dying struct {
	events.Writer
	at *deadline
}

func (e dying) Commit(ctx context.Context, b *events.Batch) error {
	if err := e.at.write(); err != nil {
		return err
	}
	if err := e.Writer.Commit(ctx, b); err != nil {
		return err
	}
	return e.at.write()
}

// TestConsolidateSurvivesACrash ends the server after each of the writes that a few requests cause. What the next server
// has of them it has in their own app and in each app that its data flow into; after all were sent once more, each is
// there once.
func TestConsolidateSurvivesACrash(t *testing.T) {
	at := &deadline{}
	inj := errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind.ReadOrWrite() == errorfs.OpIsWrite {
			return at.write()
		}
		return nil
	})
	r := newRig(t, nil, app.Process{
		StateFS: errorfs.Wrap(vfs.Default, inj),
		Drain:   time.Second / 2, // a dead server has nothing to wait for
		Events:  func(w events.Writer) events.Writer { return dying{w, at} },
	})
	b, all, half := r.create("b", "UTC"), r.create("all", "Asia/Kolkata"), r.create("half", "America/St_Johns")
	for into, from := range map[string]string{all: `"` + r.id + `","` + b + `"`, half: `"` + r.id + `"`} {
		args := `{"consolidate":{"selectedApps":[` + from + `],"initialApps":[]}}`
		if status, body, _ := r.get("/i/apps/update/plugins", "app_id", into, "args", args); status != http.StatusOK {
			t.Fatalf("consolidate: %d %s", status, body)
		}
	}

	const most = 200 // writes; a round causes some twenty
	rounds, fired := 0, true
	for ; fired && rounds < most; rounds++ {
		base := time.Now().Add(-24*time.Hour).UnixMilli()/1000*1000 + int64(rounds)*10
		send := func() {
			one := []string{"app_key", "k", "device_id", fmt.Sprint("one", rounds), "timestamp", fmt.Sprint(base + 1), "begin_session", "1", "events", `[{"key":"e"}]`}
			many := fmt.Sprintf(`[{"device_id":"m%[1]d","timestamp":%[2]d,"events":[{"key":"e","count":2}]},{"app_key":"b","device_id":"m%[1]d","timestamp":%[2]d,"begin_session":1,"events":[{"key":"e","count":3}]}]`, rounds, base+2)
			for path, pairs := range map[string][]string{"/i": one, "/i/bulk": {"app_key", "k", "requests", many}} {
				if status, body := r.try(path, pairs...); status != 0 && status != http.StatusOK && status != http.StatusServiceUnavailable {
					t.Errorf("%s: %d %s", path, status, body)
				}
			}
		}
		at.arm(rounds)
		send()
		r.projected(at.dead)
		r.end()
		fired = at.disarm()
		r.start()
		if k, sum := r.eventsOf(r.id), r.eventsOf(r.id)+r.eventsOf(b); r.eventsOf(half) != k || r.eventsOf(all) != sum {
			t.Errorf("events before anything is sent again: %d of %d, and %d of %d", r.eventsOf(half), k, r.eventsOf(all), sum)
		}
		send()
		n := rounds + 1
		for id, c := range map[string]int{r.id: 3 * n, b: 3 * n, all: 6 * n, half: 3 * n} {
			if got := r.eventsOf(id); got != c {
				t.Errorf("events of %s: %d, want %d", id, got, c)
			}
		}
		for id, users := range map[string]int{r.id: n, b: n, all: 2 * n, half: n} {
			_, body, _ := r.get("/o", "app_id", id, "method", "total_users", "period", "30days")
			if !strings.Contains(body, fmt.Sprintf(`"u":%d,`, users)) && !strings.Contains(body, fmt.Sprintf(`"u":%d}`, users)) {
				t.Errorf("users of %s: %s, want %d", id, body, users)
			}
		}
		if t.Failed() {
			t.Fatalf("ended after %d writes", rounds)
		}
	}
	if fired || rounds < 5 {
		t.Errorf("%d rounds, the last one ended by a crash: %v; want every write to be tried", rounds, fired)
	}
	t.Logf("%d writes tried", rounds-1)
}

// try sends a request of a client; the status is 0 when the server is gone.
func (r *rig) try(path string, pairs ...string) (int, string) {
	r.t.Helper()
	req, err := http.NewRequestWithContext(r.t.Context(), http.MethodGet, r.srv.URL+path+"?"+testkit.Query(pairs...), nil)
	if err != nil {
		r.t.Fatal(err)
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return 0, err.Error()
	}
	body, err := io.ReadAll(res.Body)
	if err := errors.Join(err, res.Body.Close()); err != nil {
		return 0, err.Error()
	}
	return res.StatusCode, string(body)
}

// create makes an app whose key is its name.
func (r *rig) create(name, zone string) string {
	r.t.Helper()
	_, body, _ := r.get("/i/apps/create", "args", fmt.Sprintf(`{"name":%q,"key":%q,"timezone":%q}`, name, name, zone))
	return body[strings.Index(body, `"_id":"`)+7:][:24]
}

// projected waits until everything is projected or nothing can be written any more.
func (r *rig) projected(dead <-chan struct{}) {
	r.t.Helper()
	ctx, stop := context.WithCancel(r.t.Context())
	done := make(chan error, 1)
	go func() { done <- r.app.Flush(ctx) }()
	select {
	case err := <-done:
		stop()
		if err != nil {
			r.t.Logf("flush: %v", err)
		}
	case <-dead:
		stop()
		if err := <-done; err == nil {
			r.t.Log("everything was projected before the server died")
		}
	}
}

// eventsOf returns how many events of an app the reads show.
func (r *rig) eventsOf(id string) int {
	r.t.Helper()
	if err := r.app.Flush(r.t.Context()); err != nil {
		r.t.Fatalf("flush: %v", err)
	}
	var read struct {
		All []struct{ C int }
	}
	_, body, _ := r.get("/o/analytics/events", "app_id", id, "period", "30days")
	testkit.Decode(r.t, body, &read)
	sum := 0
	for _, e := range read.All {
		sum += e.C
	}
	return sum
}

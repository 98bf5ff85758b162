package jetstream_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	nats "github.com/nats-io/nats.go/jetstream"

	"quipu/internal/store/journal"
	"quipu/internal/store/journal/jetstream"
	"quipu/internal/store/journal/jetstream/natstest"
	"quipu/internal/store/journal/journaltest"
)

// TestExisting reads, follows and trims a journal that stays as it is, and refuses one that is not there.
func TestExisting(t *testing.T) {
	t.Parallel()
	c := natstest.Start(t, natstest.Options{MaxPayload: 1 << 20})
	js, err := nats.New(c.Connect())
	if err != nil {
		t.Fatal(err)
	}
	streams := func() (configs []nats.StreamConfig) {
		t.Helper()
		list := js.ListStreams(t.Context())
		for s := range list.Info() {
			configs = append(configs, s.Config)
		}
		if err := list.Err(); err != nil {
			t.Fatal(err)
		}
		return configs
	}
	refused := func(what string, o jetstream.Options, want string) {
		t.Helper()
		o.Existing = true
		j, err := jetstream.Open(t.Context(), c.Connect(), o)
		if err == nil {
			t.Errorf("%s: it is opened", what)
			err = j.Close()
		} else if !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %q is not in %v", what, want, err)
		}
		if err != nil && want == "" {
			t.Error(err)
		}
	}
	refused("no journal", jetstream.Options{Partitions: 2}, "the servers have no journal quipu")
	if got := streams(); len(got) != 0 {
		t.Errorf("streams were made: %v", got)
	}
	node := open(t, c.Connect(), jetstream.Options{Partitions: 2, Replicas: 1, MaxBytes: 64 << 20, MaxAppend: 512 << 10})
	made := streams()
	add := func(payload string) {
		t.Helper()
		for routing := range uint64(2) {
			if _, err := node.Append(t.Context(), journal.Entries(routing, []byte(payload))...); err != nil {
				t.Fatal(err)
			}
		}
	}
	add("before")
	// The options that do not count are others than those of the journal.
	j := open(t, c.Connect(), jetstream.Options{Partitions: 2, Replicas: 3, MaxBytes: 32 << 20, Existing: true})
	if diff := cmp.Diff(made, streams(), cmpopts.SortSlices(func(a, b nats.StreamConfig) bool { return a.Name < b.Name })); diff != "" {
		t.Errorf("streams were changed:\n%s", diff)
	}
	if _, err := j.Append(t.Context(), journal.Entries(0, []byte("x"))...); err == nil {
		t.Error("it appends")
	}
	from := j.End()
	add("after")
	if err := j.Wait(t.Context(), from); err != nil {
		t.Error(err)
	}
	for end := time.Now().Add(30 * time.Second); j.End().Total() < 4 && time.Now().Before(end); {
		time.Sleep(time.Millisecond) // the other partition's frame arrives
	}
	var got []string
	for _, r := range journaltest.All(t, j, from) {
		got = append(got, string(r.Payload))
	}
	if diff := cmp.Diff([]string{"after", "after"}, got); diff != "" {
		t.Error(diff)
	}
	add(string(bytes.Repeat([]byte("x"), 400<<10)))
	add(string(bytes.Repeat([]byte("y"), 400<<10)))
	add(string(bytes.Repeat([]byte("z"), 400<<10)))
	for end := time.Now().Add(30 * time.Second); j.End().Total() < 10 && time.Now().Before(end); {
		time.Sleep(time.Millisecond)
	}
	if err := j.Trim(t.Context(), j.End()); err != nil {
		t.Fatal(err)
	}
	again := open(t, c.Connect(), jetstream.Options{Partitions: 2, Existing: true})
	if left := journaltest.All(t, again, nil); len(left) != 0 || again.End().Total() != 10 {
		t.Errorf("after a trim: %d records, ends at %v", len(left), again.End())
	}
	refused("another number of partitions", jetstream.Options{Partitions: 3}, "has 2 partitions, not 3")
	if err := js.DeleteStream(t.Context(), "quipu-journal-1"); err != nil {
		t.Fatal(err)
	}
	refused("a stream is missing", jetstream.Options{Partitions: 2}, "stream quipu-journal-1: ")
	if got := streams(); len(got) != len(made)-1 {
		t.Errorf("%d streams, want %d", len(got), len(made)-1)
	}
}

package move_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/move"
	"quipu/internal/store/journal"
)

// TestDrain makes entries of a folder's journal of records of a cluster's.
func TestDrain(t *testing.T) {
	app := model.AppID{1, 2, 3}
	at := journal.Watermark{0: 10, 3: 20}
	place := func(partition uint16, offset uint64) uint64 {
		return journal.Position{Partition: partition, Offset: offset}.Place()
	}
	record := func(r request.Record) []byte { // a copy is what is wanted
		r.App, r.Received = app, 1_700_000_000_000
		return request.Append(nil, &r)
	}
	profile := model.ProfileID{9}
	ended := func(session uint64) []byte {
		return record(request.Record{Kind: request.SessionTimeout, Profile: profile, Session: session})
	}
	client := record(request.Record{Kind: request.Client, UserAgent: "phone", Params: []request.Param{{Name: "device_id", Value: []byte("a")}}, Print: [16]byte{7}})
	deletion := record(request.Record{Kind: request.DeleteUsers, UIDs: []uint32{3, 4}})
	d := move.Drain{At: at}
	for _, c := range []struct {
		name     string
		in, want []byte // nil = it is left out
	}{
		{"a client", client, client},
		{"a command", deletion, deletion},
		{"a session of partition 0", ended(place(0, 10)), ended(10)},
		{"a session of another partition", ended(place(3, 20)), ended(20)},
		{"a session that began afterwards", ended(place(3, 21)), nil},
		{"a session that began afterwards in partition 0", ended(place(0, 11)), nil},
		{"a session of a partition that had nothing", ended(place(5, 1)), nil},
		{"settings", record(request.Record{Kind: request.SetSettings, JSON: []byte(`{}`)}), nil},
		{"a client again", client, client},
		{"nothing", nil, nil},
		{"no record", []byte("x"), nil},
		{"a record that breaks off", client[:len(client)-1], nil},
	} {
		before := string(c.in)
		e, ok := d.Entry(journal.Record{Partition: 3, Offset: 30, Payload: c.in})
		if ok != (c.want != nil) {
			t.Errorf("%s: it is left out: %v", c.name, !ok)
		}
		if string(c.in) != before {
			t.Errorf("%s: the record itself was changed", c.name)
		}
		if !ok {
			continue
		}
		if diff := cmp.Diff(c.want, e.Payload); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
		if e.Routing != journal.Routing(app) {
			t.Errorf("%s: routing %d", c.name, e.Routing)
		}
	}
}

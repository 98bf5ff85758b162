package request_test

import (
	"bytes"
	"encoding/hex"
	"flag"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"quipu/internal/ingest/request"
	"quipu/internal/model"
)

var update = flag.Bool("update", false, "rewrite golden files")

var cmpRecord = cmp.Options{
	cmp.Comparer(func(a, b netip.Addr) bool { return a == b }),
	cmpopts.EquateEmpty(),
}

var records = []struct {
	name string
	rec  request.Record
}{
	{"client", request.Record{
		Kind: request.Client, App: model.AppID{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, Received: 1936515600123,
		IP: netip.MustParseAddr("203.0.113.9"), UserAgent: "UA/1", Picture: "abcd",
		Params: []request.Param{
			{Name: "app_key", Value: []byte("K")},
			{Name: "events", Value: []byte(`[{"key":"a"}]`), JSON: true},
			{Name: "x", Value: nil},
			{Name: "bin\x00ary", Value: []byte{0, 0xff, '\n'}},
		},
	}},
	{"client_print", request.Record{
		Kind: request.Client, App: model.AppID{1}, Received: 5, Params: []request.Param{{Name: "x", Value: []byte("1")}},
		Print: [16]byte{0xf0, 0, 15: 0x0f},
	}},
	{"client_ipv6", request.Record{Kind: request.Client, IP: netip.MustParseAddr("2001:db8::5"), Received: -1}},
	{"picture_left_out", request.Record{Kind: request.Client, Picture: "abcd", PictureLeftOut: true}},
	{"session_timeout", request.Record{Kind: request.SessionTimeout, App: model.AppID{9}, Received: 5, Profile: model.ProfileID{1, 2, 3}, Session: 1 << 40}},
	{"reset_app", request.Record{Kind: request.ResetApp, App: model.AppID{9}}},
	{"delete_app", request.Record{Kind: request.DeleteApp, App: model.AppID{9}}},
	{"delete_events", request.Record{Kind: request.DeleteEvents, Names: []string{"a", "", "b c"}}},
	{"omit_segments", request.Record{Kind: request.OmitSegments, Event: "e", Names: []string{"s"}}},
	{"create_user", request.Record{Kind: request.CreateUser, JSON: []byte(`{"did":"D"}`)}},
	{"update_users", request.Record{Kind: request.UpdateUsers, UIDs: []uint32{1, 0, 1<<32 - 1}, JSON: []byte(`{}`)}},
	{"delete_users", request.Record{Kind: request.DeleteUsers, UIDs: []uint32{7}}},
	{"rebuild_cells", request.Record{Kind: request.RebuildCells}},
	{"feature_users", request.Record{Kind: request.FeatureUsers, Event: "ratings", UIDs: []uint32{1, 300}, JSON: []byte(`{"a":1}`)}},
	{"delete_views", request.Record{Kind: request.DeleteSubjects, Names: []string{"Home", "/a b"}}},
	{"set_settings", request.Record{Kind: request.SetSettings, JSON: []byte(`{"timezone":"UTC"}`)}},
	{"zero", request.Record{}},
}

// TestGolden holds the byte form still: records written by one version are read by the next.
func TestGolden(t *testing.T) {
	for _, tt := range records {
		t.Run(tt.name, func(t *testing.T) {
			b := request.Append([]byte("prefix"), &tt.rec)[len("prefix"):]
			path := filepath.Join("testdata", "v1_"+tt.name+".hex")
			got := hex.EncodeToString(b) + "\n"
			if *update {
				if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("bytes = %s, want %s", got, want)
			}
			back := request.Record{Params: []request.Param{{Name: "stale"}}, UIDs: []uint32{9}}
			if err := request.Decode(b, &back); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.rec, back, cmpRecord); diff != "" {
				t.Errorf("decoded (-want +got):\n%s", diff)
			}
		})
	}
}

// TestDecodeRefuses cuts and lengthens every record at every byte.
func TestDecodeRefuses(t *testing.T) {
	for _, tt := range records {
		b := request.Append(nil, &tt.rec)
		var rec request.Record
		for n := range b {
			if err := request.Decode(b[:n], &rec); err == nil {
				t.Errorf("%s: the first %d of %d bytes are accepted", tt.name, n, len(b))
			}
		}
		if err := request.Decode(append(bytes.Clone(b), 0), &rec); err == nil {
			t.Errorf("%s: a byte too many is accepted", tt.name)
		}
		b[0] = 2
		if err := request.Decode(b, &rec); err == nil {
			t.Errorf("%s: version 2 is accepted", tt.name)
		}
	}
	huge := append([]byte{1, 1}, make([]byte, 13)...)
	huge = append(huge, 8, 0xff, 0xff, 0xff, 0xff, 0x0f) // a count of parameters far beyond the bytes
	var rec request.Record
	if err := request.Decode(huge, &rec); err == nil {
		t.Error("a huge count is accepted")
	}
}

func FuzzDecode(f *testing.F) {
	for _, tt := range records {
		f.Add(request.Append(nil, &tt.rec))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var rec request.Record
		if err := request.Decode(b, &rec); err != nil {
			return
		}
		if again := request.Append(nil, &rec); !bytes.Equal(again, b) {
			t.Errorf("%x decodes and encodes to %x", b, again)
		}
	})
}

func param(name, value string) request.Param {
	return request.Param{Name: name, Value: []byte(value)}
}

// TestDocumentedExample holds the example of docs/format/journal.md.
func TestDocumentedExample(t *testing.T) {
	got := request.Append(nil, &request.Record{Kind: request.Client, App: model.AppID{1}, Received: 5, Params: []request.Param{param("x", "1")}})
	want := []byte{1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x0a, 8, 1, 2, 'x', 1, '1'}
	if !bytes.Equal(got, want) {
		t.Errorf("record = % x, want % x", got, want)
	}
}

// TestSize compares what Append adds with what Size says.
func TestSize(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 1, 127, 128, 70_000} {
		r := request.Record{
			Kind: request.Client, Received: 1 << 50, IP: netip.MustParseAddr("2001:db8::1"), UserAgent: strings.Repeat("u", n), Picture: strings.Repeat("p", 64),
			Params: []request.Param{{Name: strings.Repeat("n", n)}, {Name: "device_id", Value: []byte("D")}, {Name: "events", Value: bytes.Repeat([]byte("v"), n), JSON: true}},
		}
		got, size := len(request.Append(nil, &r)), request.Size(&r)
		if got > size || got < size-128 {
			t.Errorf("with texts of %d bytes: %d bytes, Size is %d", n, got, size)
		}
	}
}

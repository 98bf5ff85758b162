package systemutility_test

import (
	"archive/tar"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"

	"quipu/internal/testkit"
)

type part struct {
	Overall struct {
		Usage *float64 `json:"usage"`
	} `json:"overall"`
	Details []struct {
		ID                       string
		Usage, Total, Used, Free *float64
		Units                    string
	} `json:"details"`
}

func (p part) check(t *testing.T, name string) {
	t.Helper()
	if p.Overall.Usage == nil || *p.Overall.Usage < 0 || *p.Overall.Usage > 100 || len(p.Details) == 0 {
		t.Fatalf("%s: %+v lacks its usage or details", name, p)
	}
	for _, d := range p.Details {
		for _, n := range []*float64{d.Usage, d.Total, d.Used, d.Free} {
			if n == nil || *n < 0 {
				t.Fatalf("%s: %+v lacks a number", name, d)
			}
		}
		if diff := *d.Total - *d.Used - *d.Free; d.ID == "" || d.Units == "" || *d.Usage > 100 || diff > 1 || diff < -1 {
			t.Errorf("%s: %+v does not add up: %v", name, d, diff)
		}
	}
}

func TestParts(t *testing.T) {
	s := testkit.New(t)
	for _, name := range []string{"memory", "cpu", "disks", "database"} {
		var got struct{ Result part }
		testkit.Decode(t, s.Admin("/o/system/"+name), &got)
		got.Result.check(t, name)
	}
	var all struct {
		Result struct {
			ID, Platform                 string
			CPU, Memory, Disks, Database part
		}
	}
	testkit.Decode(t, s.Admin("/o/system/overall"), &all)
	for name, p := range map[string]part{"cpu": all.Result.CPU, "memory": all.Result.Memory, "disks": all.Result.Disks, "database": all.Result.Database} {
		p.check(t, "overall "+name)
	}
	if all.Result.ID == "" || all.Result.Platform == "" {
		t.Errorf("overall names no machine: %+v", all.Result)
	}
	for _, spelling := range []string{"dbCheck", "dbcheck"} {
		if got := s.Admin("/o/system/" + spelling); got != `{"result":true}` {
			t.Errorf("%s: %s", spelling, got)
		}
	}
}

func TestHealth(t *testing.T) {
	s := testkit.New(t)
	for _, c := range []struct {
		test   string
		status int
	}{
		{`{"cpu.overall.usage":{"$lte":100},"memory.memory.free":{"$gt":0}}`, 200},
		{`{"$and":[{"disks.overall.usage":{"$gte":0}},{"platform":{"$exists":true}}]}`, 200},
		{`{"cpu.overall.usage":{"$gt":100}}`, 500},
		{`{"cpu.overall.usage":{"$lte":100},"nothing.such":{"$lt":5}}`, 500},
		{`{}`, 200},
		{``, 200},
		{`{`, 400},
	} {
		body := map[int]string{200: `{"result":true}`, 400: `{"result":"Invalid parameter: test"}`, 500: `{"result":false}`}[c.status]
		if r := s.Get("/o/system/healthcheck", "api_key", s.Key, "test", c.test); r.Status != c.status || r.Body != body {
			t.Errorf("test=%s: %d %s, want %d %s", c.test, r.Status, r.Body, c.status, body)
		}
	}
}

func TestProfiler(t *testing.T) {
	s := testkit.New(t)
	ask := func(path string, status int, want string) testkit.Response {
		t.Helper()
		r := s.Post(path, "api_key", s.Key)
		if r.Status != status || want != "" && r.Body != `{"result":"`+want+`"}` {
			t.Errorf("%s: %d %.200s, want %d %s", path, r.Status, r.Body, status, want)
		}
		return r
	}
	ask("/i/profiler/list-files", 404, "Profiler files couldn't be found")
	ask("/i/profiler/download-all", 404, "Profiler files couldn't be found")
	ask("/i/profiler/stop", 400, "Error: Profiler needs to be started")
	ask("/i/profiler/start", 200, "Starting profiler for all processes")
	ask("/i/profiler/start", 400, "Error: Already started")
	ask("/i/profiler/stop", 200, "Stoping profiler for all processes")
	heap := ask("/i/profiler/take-heap-snapshot", 200, "")
	if !strings.HasPrefix(heap.Body, "\x1f\x8b") {
		t.Errorf("heap snapshot begins %q, want a gzip file", heap.Body[:2])
	}
	var list struct{ Result []string }
	testkit.Decode(t, ask("/i/profiler/list-files", 200, "").Body, &list)
	if len(list.Result) != 2 {
		t.Errorf("files %v, want 2", list.Result)
	}
	zip, err := gzip.NewReader(strings.NewReader(ask("/i/profiler/download-all", 200, "").Body))
	if err != nil {
		t.Fatal(err)
	}
	packed := tar.NewReader(zip)
	for n := 0; ; n++ {
		h, err := packed.Next()
		if errors.Is(err, io.EOF) {
			if n != len(list.Result) {
				t.Errorf("%d files in the archive, want %d", n, len(list.Result))
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if h.Name != list.Result[n] || h.Size == 0 {
			t.Errorf("file %s of %d bytes in the archive, want %s", h.Name, h.Size, list.Result[n])
		}
	}
}

func TestInspector(t *testing.T) {
	s := testkit.New(t)
	read := func() int { return s.Get("/o/inspector/goroutine", "api_key", s.Key).Status }
	if got := read(); got != http.StatusBadRequest {
		t.Errorf("not started: %d", got)
	}
	if got := s.Admin("/i/inspector/start"); !strings.Contains(got, "/o/inspector/goroutine") {
		t.Errorf("start: %s", got)
	}
	if r := s.Get("/i/inspector/start", "api_key", s.Key); r.Body != `{"result":"Error: Already started"}` {
		t.Errorf("start again: %s", r.Body)
	}
	if got := read(); got != http.StatusOK {
		t.Errorf("started: %d", got)
	}
	if r := s.Get("/o/inspector/nothing", "api_key", s.Key); r.Status != http.StatusNotFound {
		t.Errorf("unknown profile: %d %s", r.Status, r.Body)
	}
	if got := s.Admin("/i/inspector/stop"); got != `{"result":"Stoping inspector for all processes"}` {
		t.Errorf("stop: %s", got)
	}
	if got := read(); got != http.StatusBadRequest {
		t.Errorf("stopped: %d", got)
	}
}

// TestStatus reads what an installation without Kafka has to tell of its services.
func TestStatus(t *testing.T) {
	s := testkit.New(t)
	a := s.CreateApp("a", "UTC")
	s.Ingest(a, "d", "begin_session", "1") // behind the record with the app's settings
	s.Flush()
	for path, want := range map[string]string{
		"/o/system/observability":     `[{"service":"ingestion","status":"ok","lag":0},{"service":"documents","status":"ok","lag":0}]`,
		"/o/system/aggregator":        `[{"name":"pipeline","last_cd":null,"drill":"2","last_id":"2","diff":0,"diffDrill":0}]`,
		"/o/system/kafka":             `{"summary":{},"partitions":[],"consumers":[],"lagHistory":[],"connectStatus":{}}`,
		"/o/system/kafka/events":      `{"iTotalRecords":0,"iTotalDisplayRecords":0,"aaData":[]}`,
		"/o/system/kafka/events/meta": `{"eventTypes":[],"groupIds":[],"topics":[],"clusterIds":[]}`,
	} {
		if got := s.Admin(path); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	if got, want := s.Admin("/o/system/kafka/events", "sEcho", "3"), `{"sEcho":"3","iTotalRecords":0,"iTotalDisplayRecords":0,"aaData":[]}`; got != want {
		t.Errorf("kafka events %s, want %s", got, want)
	}
	var v struct {
		Result struct {
			Mongo, Pkg string
			FS, DB     []struct{ Version string }
		}
	}
	testkit.Decode(t, s.Admin("/o/countly_version"), &v)
	if r := v.Result; r.Mongo == "" || r.Pkg == "" || len(r.FS) != 1 || r.FS[0].Version != r.Pkg || len(r.DB) != 1 {
		t.Errorf("versions %+v", r)
	}
}

package export_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/testkit"
)

// resident returns the memory of this process in bytes.
func resident(tb testing.TB) int64 {
	tb.Helper()
	text, err := os.ReadFile("/proc/self/status")
	if err != nil {
		tb.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			if err != nil {
				tb.Fatal(err)
			}
			return kb << 10
		}
	}
	tb.Fatal("no VmRSS")
	return 0
}

// fill sends events, many in a request.
func fill(tb testing.TB, s *testkit.Server, a testkit.TestApp, rows int) {
	tb.Helper()
	const perRequest, perBulk = 250, 40
	n := 0
	for n < rows {
		var requests []string
		for range perBulk {
			var list []string
			for range min(perRequest, rows-n) {
				list = append(list, fmt.Sprintf(`{"key":"Buy","count":1,"sum":%d,"segmentation":{"item":"item number %d","price":%d}}`, n%100, n%1000, n%97))
				n++
			}
			requests = append(requests, fmt.Sprintf(`{"device_id":"d%d","timestamp":%d,"events":[%s]}`, n%1000, 1_900_000_000_000+n, strings.Join(list, ",")))
		}
		r := s.Post("/i/bulk", "app_key", a.Key, "requests", "["+strings.Join(requests, ",")+"]")
		if r.Status != http.StatusOK {
			tb.Fatalf("/i/bulk: %d %s", r.Status, r.Body)
		}
	}
	s.Flush()
}

// peak follows the memory of the process until stop is called, which returns the most.
func peak(tb testing.TB) (stop func() int64) {
	tb.Helper()
	done, result := make(chan struct{}), make(chan int64)
	go func() {
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		var most int64
		for {
			most = max(most, resident(tb))
			select {
			case <-done:
				result <- most
				return
			case <-tick.C:
			}
		}
	}()
	return func() int64 {
		close(done)
		return <-result
	}
}

// TestMemory exports a table as all formats and measures what that takes beyond idle. QUIPU_EXPORT_ROWS
// sets the number of rows; a million is what is promised.
func TestMemory(t *testing.T) {
	rows := memoryRows
	if text := os.Getenv("QUIPU_EXPORT_ROWS"); text != "" {
		n, err := strconv.Atoi(text)
		if err != nil {
			t.Fatal(err)
		}
		rows = n
	}
	s := testkit.New(t, testkit.WithConfig(func(c *app.Config) { c.Memory, c.Tasks.RequestThreshold = "256MiB", time.Hour }))
	a := s.CreateApp("many", "UTC")
	fill(t, s, a, rows)
	// The export is measured against a server that idles after a start.
	s.Stop()
	s.Start()
	for _, format := range []string{"csv", "json", "xlsx"} {
		debug.FreeOSMemory()
		idle := resident(t)
		stop, begin := peak(t), time.Now()
		lines, size := download(t, s, "/o/export/db?"+testkit.Query("api_key", s.Key, "collection", "drill_events", "app_id", a.ID, "type", format))
		took, most := time.Since(begin), stop()
		t.Logf("%s: %d rows, %.1f MB in %v, %.1f MB above idle", format, rows, float64(size)/1e6, took.Round(time.Millisecond), float64(most-idle)/1e6)
		if want := rows; format == "json" && lines != want || format == "csv" && lines != want+1 {
			t.Errorf("%s has %d lines for %d rows", format, lines, want)
		}
		if format == "xlsx" && size < int64(rows)*8 {
			t.Errorf("%s has %d bytes", format, size)
		}
		if most-idle > memoryBudget {
			t.Errorf("%s takes %.1f MB above idle", format, float64(most-idle)/1e6)
		}
	}
}

// download reads an answer without keeping it, and counts its lines.
func download(t *testing.T, s *testkit.Server, path string) (lines int, size int64) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL()+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := (&http.Client{}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if res.StatusCode != http.StatusOK {
		t.Fatalf("status %d", res.StatusCode)
	}
	r := bufio.NewReaderSize(res.Body, 64<<10)
	var last byte
	for {
		chunk, err := r.ReadSlice('\n')
		lines += bytes.Count(chunk, []byte("\n"))
		size += int64(len(chunk))
		if len(chunk) > 0 {
			last = chunk[len(chunk)-1]
		}
		switch err {
		case nil, bufio.ErrBufferFull: //nolint:errorlint // they are returned as they are
		case io.EOF:
			if last != '\n' {
				lines++
			}
			return lines, size
		default:
			t.Fatalf("read: %v", err)
		}
	}
}

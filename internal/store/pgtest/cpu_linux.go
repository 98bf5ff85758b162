package pgtest

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"
)

// tickOf is the unit of the kernel's figures of processor time, on all machines that Go runs on.
const tickOf = 10 * time.Millisecond

// CPU returns the processor time of the server's processes, those that have ended among them.
func (s *Server) CPU(tb testing.TB) (sum time.Duration) {
	tb.Helper()
	list, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		tb.Fatal(err)
	}
	pid := strconv.Itoa(s.cmd.Process.Pid)
	for _, path := range list {
		b, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		// What follows the name, which may hold anything: state, parent, …; the times are the 12th to 15th of these.
		fields := bytes.Fields(b[bytes.LastIndexByte(b, ')')+1:])
		own := filepath.Base(filepath.Dir(path)) == pid
		if len(fields) < 15 || !own && string(fields[1]) != pid {
			continue
		}
		times := fields[11:13]
		if own {
			times = fields[11:15] // with those of children that have ended
		}
		for _, f := range times {
			n, err := strconv.ParseInt(string(f), 10, 64)
			if err != nil {
				tb.Fatal(err)
			}
			sum += time.Duration(n) * tickOf
		}
	}
	return sum
}

package verify

import (
	"fmt"
	"io"
)

// Write prints the report.
func (r *Report) Write(w io.Writer) {
	fmt.Fprintf(w, "read %d keys, %d files; compared %d apps: %d cells, %d profiles with %d rows, %d requests, %d states\n",
		r.Keys, r.Files, r.Apps, r.Cells, r.Profiles, r.Rows, r.Requests, r.States)
	for _, n := range r.Notes {
		fmt.Fprintln(w, "note:", n)
	}
	for _, d := range r.Differences {
		fmt.Fprintln(w, "differs:", d)
	}
	if more := r.Total - int64(len(r.Differences)); more > 0 {
		fmt.Fprintf(w, "and %d more\n", more)
	}
	if r.OK() {
		fmt.Fprintln(w, "everything is as the rows give it")
		return
	}
	fmt.Fprintf(w, "%d differences\n", r.Total)
	if !r.Whole {
		fmt.Fprintln(w, "the comparison broke off; the rest is unknown")
	}
}

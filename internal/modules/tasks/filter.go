package tasks

import (
	"fmt"
	"strings"

	"quipu/internal/filter"
)

// stored puts a filter on tasks as the wire shows them in terms of tasks as they are stored. Nothing else of
// a task can be asked for than what is shown of it.
func stored(f filter.Expr) (filter.Expr, error) {
	if f.IsZero() {
		return f, nil
	}
	f = f.Rename(func(path string) string {
		head, rest, nested := strings.Cut(path, ".")
		if nested {
			rest = "." + rest
		}
		name, shown := names()[head]
		if !shown {
			return unknown
		}
		return name + rest
	})
	for path, cases := range map[string]map[any]string{
		computed + "status": {
			"running": `{"state":{"$in":["queued","running"]},"rerun":{"$ne":true}}`, "rerunning": `{"state":{"$in":["queued","running"]},"rerun":true}`,
			"completed": `{"state":"completed"}`, "errored": `{"state":"errored"}`,
		},
		computed + "hasData": {
			true:  `{"$or":[{"result.data":{"$exists":true}},{"result.file":{"$exists":true}}]}`,
			false: `{"result.data":{"$exists":false},"result.file":{"$exists":false}}`,
		},
	} {
		var list []filter.Case
		for value, text := range cases {
			when, err := filter.Parse(text)
			if err != nil {
				return f, fmt.Errorf("filter of tasks by %s: %w", path, err)
			}
			list = append(list, filter.Case{Value: value, When: when})
		}
		f = f.Replace(path, list...)
	}
	return f, nil
}

// Paths that no stored task has.
const (
	unknown  = "-"
	computed = "-shown-"
)

// names are the fields that the wire shows, and where they are stored.
func names() map[string]string {
	out := map[string]string{
		"status": computed + "status", "hasData": computed + "hasData", "manually_create": "manual", "autoRefresh": "refresh", "errormsg": "error", "errorcode": "code",
		"file": "result.file",
	}
	for _, same := range []string{"_id", "type", "app_id", "creator", "report_name", "report_desc", "period_desc", "name", "view", "global", "ts", "start", "end"} {
		out[same] = same
	}
	return out
}

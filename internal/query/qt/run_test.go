// Package qt_test runs the query tests of ../testdata: what a server received, and what each query has to answer of it, on
// all engines of event rows.
package qt_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"quipu/internal/app"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/events/clickhouse/chdbtest"
	"quipu/internal/store/events/eventstest"
	"quipu/internal/testkit"
)

// TestScripts runs every script on a server of its own.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("../testdata/*.qt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	rows := openClickHouse(t)
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".qt"), func(t *testing.T) {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, problem := range run(t, rows, filepath.Base(file), string(text)) {
				t.Error(problem)
			}
		})
	}
}

// openClickHouse returns ClickHouse's engine, nil where its library is missing and need not be there.
func openClickHouse(t *testing.T) (s *chdbtest.Store) {
	t.Helper()
	if !chdbtest.Found() && os.Getenv("CI") == "" {
		t.Log("without ClickHouse's engine: npm ci in e2e")
		return nil
	}
	store := chdbtest.NewStore(t, chdbtest.Open(t))
	return &store
}

// run runs a script and returns what is wrong.
func run(t *testing.T, clickhouse *chdbtest.Store, name, text string) []string {
	t.Helper()
	return (&world{clickhouse: clickhouse}).run(t, name, text)
}

func (w *world) run(t *testing.T, name, text string) []string {
	t.Helper()
	s, err := parse(name, text)
	if err != nil {
		return []string{err.Error()}
	}
	w.server, w.apps = testkit.New(t, testkit.At(time.Date(2031, 1, 1, 0, 0, 0, 0, time.UTC))), map[string]testkit.TestApp{}
	evals := 0
	for _, st := range s.steps {
		switch err := w.step(t.Context(), st); {
		case err != nil && len(st.words) > 0 && strings.HasPrefix(st.words[0].value, "eval"):
			w.problems = append(w.problems, fmt.Sprintf("%s: %v", st.at, err))
		case err != nil: // what follows stands on it
			return append(w.problems, fmt.Sprintf("%s: %v", st.at, err))
		}
		if strings.HasPrefix(st.words[0].value, "eval") {
			evals++
		}
	}
	if evals == 0 {
		w.problems = append(w.problems, name+": nothing is evaluated")
	}
	return w.problems
}

// world is what a script has loaded.
type world struct {
	server     *testkit.Server
	apps       map[string]testkit.TestApp
	clickhouse *chdbtest.Store
	engines    []engine // nil = to be loaded
	problems   []string
	spoil      func([]engine) // of tests of the runner
}

// engine is a store of rows under test.
type engine struct {
	name string
	rows query.Rows
}

func (w *world) step(ctx context.Context, st step) error {
	switch st.words[0].value {
	case "app":
		name := st.words[1].value
		if _, ok := w.apps[name]; ok {
			return fmt.Errorf("app %s twice", name)
		}
		if _, err := time.LoadLocation(st.words[2].value); err != nil {
			return err
		}
		w.apps[name] = w.server.CreateApp(name, st.words[2].value) //nolint:contextcheck // it lives with its test
		return nil
	case "load":
		return w.load(st) //nolint:contextcheck // as above
	case "eval":
		want, err := tableOf(st.below)
		if err != nil {
			return err
		}
		return w.eval(ctx, st, func(got *result, err error) error {
			if err != nil {
				return err
			}
			return compare(want, got)
		})
	default:
		return w.eval(ctx, st, func(_ *result, err error) error {
			if want := st.below[0].text; err == nil || !strings.Contains(err.Error(), want) {
				return fmt.Errorf("the error is %v, want one with %q", err, want) //nolint:errorlint // text is meant
			}
			return nil
		})
	}
}

func (w *world) app(name string) (testkit.TestApp, error) {
	a, ok := w.apps[name]
	if !ok {
		return a, fmt.Errorf("no app %s", name)
	}
	return a, nil
}

// eval runs a query on every engine, and notes what check finds wrong.
func (w *world) eval(ctx context.Context, st step, check func(*result, error) error) error {
	a, err := w.app(st.words[2].value)
	if err != nil {
		return err
	}
	id, err := model.ParseID(a.ID)
	if err != nil {
		return err
	}
	fn, ok := evals[st.words[1].value]
	if !ok {
		return fmt.Errorf("no query %s: there are %s", st.words[1].value, strings.Join(evalNames(), ", "))
	}
	if err := w.loadEngines(ctx); err != nil {
		return err
	}
	data := w.server.App().(*app.App).Data()
	var found []string // problems, and the engines that have them
	names := map[string][]string{}
	for _, e := range w.engines {
		args := arguments{words: map[string]string{}, used: map[string]bool{}, app: id, now: w.server.Clock().Now()}
		for _, arg := range st.words[3:] {
			args.words[cmp.Or(arg.name, arg.value)] = withMoments(arg.value)
		}
		if args.zone, err = w.zone(id); err != nil {
			return err
		}
		rows := query.Knowing(e.rows, query.Lookups{Cohorts: args.cohorts()})
		got, err := fn(ctx, reader{query.NewTables(rows, data.Schema).Defining(args.definitions()), query.NewPeople(rows), data.Query, data.Schema}, &args)
		if err := args.unused(); err != nil {
			return err
		}
		if err := check(got, err); err != nil {
			if names[err.Error()] == nil {
				found = append(found, err.Error())
			}
			names[err.Error()] = append(names[err.Error()], e.name)
		}
	}
	for _, problem := range found {
		w.problems = append(w.problems, fmt.Sprintf("%s: %s: %s", st.at, strings.Join(names[problem], ", "), problem))
	}
	return nil
}

func (w *world) zone(id model.AppID) (*time.Location, error) {
	for _, a := range w.server.App().(*app.App).Apps() {
		if a.ID == id {
			return time.LoadLocation(a.Timezone)
		}
	}
	return nil, fmt.Errorf("the app is gone")
}

// loadEngines copies the rows of the server's event store to the other engines.
func (w *world) loadEngines(ctx context.Context) error {
	if w.engines != nil {
		return nil
	}
	own := w.server.App().(*app.App).Data().Events
	all := map[model.AppID]eventstest.Tables{}
	if w.clickhouse != nil {
		if err := w.clickhouse.Clear(); err != nil {
			return err
		}
	}
	for name, a := range w.apps {
		id, err := model.ParseID(a.ID)
		if err != nil {
			return err
		}
		tables, err := eventstest.ReadTables(ctx, own, id)
		if err != nil {
			return fmt.Errorf("rows of %s: %w", name, err)
		}
		if all[id] = tables; w.clickhouse != nil {
			if err := w.clickhouse.Load(id, tables); err != nil {
				return err
			}
		}
	}
	w.engines = []engine{{"duckdb", own}, {"naive", eventstest.NewNaive(all)}}
	if w.clickhouse != nil {
		w.engines = append(w.engines, engine{"clickhouse", w.clickhouse})
	}
	if w.spoil != nil {
		w.spoil(w.engines)
	}
	return nil
}

// load sends what the lines of a step say, in their order.
func (w *world) load(st step) error {
	a, err := w.app(st.words[1].value)
	if err != nil {
		return err
	}
	w.engines = nil
	for _, l := range st.below {
		if err := w.send(a, l); err != nil {
			return fmt.Errorf("%s: %w", l.at, err)
		}
	}
	w.server.Flush()
	return nil
}

// send does what one line of a load says: time, device, verb and what belongs to it.
func (w *world) send(a testkit.TestApp, l line) error {
	if len(l.words) < 3 {
		return fmt.Errorf("a line of a load is: TIME DEVICE VERB …")
	}
	now, err := momentOf(l.words[0].value)
	if err != nil {
		return err
	}
	w.server.Clock().Set(now)
	device, verb, rest := l.words[1].value, l.words[2].value, l.words[3:]
	if verb == "call" {
		return w.call(a, rest)
	}
	pairs, err := pairsOf(verb, rest, now)
	if err != nil {
		return err
	}
	r := w.server.Post("/i", append([]string{"app_key", a.Key, "device_id", device, "timestamp", fmt.Sprint(now.UnixMilli())}, pairs...)...)
	if r.Status != 200 || r.Body != `{"result":"Success"}` {
		return fmt.Errorf("refused: %d %s", r.Status, r.Body)
	}
	return nil
}

// call is a call of the management API by a global admin, with $app for the app's id.
func (w *world) call(a testkit.TestApp, rest []word) error {
	if len(rest) == 0 || rest[0].name != "" {
		return fmt.Errorf("a call is: call /PATH NAME=VALUE…")
	}
	w.server.Flush()
	pairs := []string{"api_key", w.server.Key, "app_id", a.ID}
	for _, p := range rest[1:] {
		pairs = append(pairs, p.name, strings.ReplaceAll(p.value, "$app", a.ID))
	}
	if r := w.server.Post(rest[0].value, pairs...); r.Status != 200 {
		return fmt.Errorf("refused: %d %s", r.Status, r.Body)
	}
	w.server.Flush()
	return nil
}

// pairsOf returns the parameters of an SDK's request.
func pairsOf(verb string, rest []word, now time.Time) ([]string, error) {
	first := func(what string) (string, error) {
		if len(rest) == 0 {
			return "", fmt.Errorf("%s what? say %s %s", verb, verb, what)
		}
		return rest[0].value, nil
	}
	switch verb {
	case "begin":
		if len(rest) == 0 {
			return []string{"begin_session", "1"}, nil
		}
		return []string{"begin_session", "1", "metrics", rest[0].value}, nil
	case "duration":
		seconds, err := first("SECONDS")
		return []string{"session_duration", seconds}, err
	case "end":
		return []string{"end_session", "1"}, nil
	case "user":
		details, err := first("JSON")
		return []string{"user_details", details}, err
	case "becomes": // the device goes by another id from now on
		old, err := first("the device it was before")
		return []string{"old_device_id", old}, err
	case "event":
		_, err := first("KEY")
		if err != nil {
			return nil, err
		}
		list, err := eventOf(rest, now)
		return []string{"events", list}, err
	case "view":
		name, err := first("NAME")
		segments := map[string]any{"name": name, "visit": 1}
		for _, r := range rest[min(1, len(rest)):] {
			if json.Unmarshal([]byte(r.value), &segments) != nil {
				return nil, fmt.Errorf("%s is no JSON object", r.value)
			}
		}
		return []string{"events", quote([]any{map[string]any{"key": "[CLY]_view", "count": 1, "timestamp": now.UnixMilli(), "segmentation": segments}})}, err
	case "request":
		var pairs []string
		for _, r := range rest {
			pairs = append(pairs, r.name, r.value)
		}
		return pairs, nil
	}
	return nil, fmt.Errorf("no verb %q: there are begin, duration, end, user, becomes, event, view, request and call", verb)
}

// eventOf writes an event: KEY count= sum= dur= at= {properties}.
func eventOf(rest []word, now time.Time) (string, error) {
	ev := map[string]any{"key": rest[0].value, "count": 1, "timestamp": now.UnixMilli()}
	for _, r := range rest[1:] {
		switch r.name {
		case "count", "sum", "dur":
			ev[r.name] = json.Number(r.value)
		case "at":
			at, err := momentOf(r.value)
			if err != nil {
				return "", err
			}
			ev["timestamp"] = at.UnixMilli()
		case "":
			if !json.Valid([]byte(r.value)) {
				return "", fmt.Errorf("%s is no JSON", r.value)
			}
			ev["segmentation"] = json.RawMessage(r.value)
		default:
			return "", fmt.Errorf("an event has no %s", r.name)
		}
	}
	return quote([]any{ev}), nil
}

// result is what a query returned.
type result struct {
	columns []string
	rows    [][]any
}

func (r *result) add(values ...any) { r.rows = append(r.rows, values) }

// compare compares the columns that want names.
func compare(want table, got *result) error {
	places := make([]int, len(want.columns))
	for i, name := range want.columns {
		if places[i] = slices.IndexFunc(got.columns, func(c string) bool { return cell(c) == name }); places[i] < 0 {
			return fmt.Errorf("no column %s: there are %s", name, strings.Join(got.columns, ", "))
		}
	}
	if want.columns == nil {
		for i := range got.columns {
			places = append(places, i)
		}
		want.columns = got.columns
	}
	rows := [][]string{}
	for _, r := range got.rows {
		var row []string
		for _, p := range places {
			row = append(row, cell(r[p]))
		}
		rows = append(rows, row)
	}
	if slices.EqualFunc(want.rows, rows, slices.Equal[[]string]) {
		return nil
	}
	where := "at the end"
	for i := range want.rows {
		if i >= len(rows) || !slices.Equal(want.rows[i], rows[i]) {
			where = "at " + want.at[i]
			break
		}
	}
	return fmt.Errorf("another answer, first %s. Want\n%sgot\n%s", where, drawn(want.columns, want.rows), drawn(want.columns, rows))
}

// drawn writes a table as scripts have it.
func drawn(columns []string, rows [][]string) string {
	if len(rows) == 0 {
		return "  nothing\n"
	}
	var b strings.Builder
	all := append([][]string{columns}, rows...)
	for _, row := range all {
		for i, c := range row {
			width := 0
			for _, other := range all {
				width = max(width, len([]rune(other[i])))
			}
			if i > 0 {
				b.WriteString(" |")
			}
			b.WriteString(strings.TrimRight(fmt.Sprintf(" %-*s", width, c), map[bool]string{true: " ", false: ""}[i == len(row)-1]))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

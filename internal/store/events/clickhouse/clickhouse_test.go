package clickhouse_test

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/clickhouse"
	"quipu/internal/store/events/clickhouse/chdbtest"
	"quipu/internal/store/events/eventstest"
	"quipu/internal/store/events/plan"
)

// TestPlans runs random plans on ClickHouse's engine.
func TestPlans(t *testing.T) {
	e := chdbtest.Open(t)
	run := func(t *testing.T, statement string) {
		t.Helper()
		if _, err := e.Query(statement); err != nil {
			t.Fatalf("%v: %s", err, statement)
		}
	}
	for _, statement := range clickhouse.Schema() {
		run(t, statement)
	}
	eventstest.Plans(t, 500, func(t *testing.T, w eventstest.World) func(*plan.Query) ([][]any, error) {
		t.Helper()
		for _, other := range []model.AppID{w.App, {0xee}} { // rows of another app must not show
			for table, rows := range rowsOf(w) {
				for _, row := range rows {
					row["app"] = other.String()
					b, err := json.Marshal(row)
					if err != nil {
						t.Fatal(err)
					}
					run(t, "INSERT INTO "+table+" FORMAT JSONEachRow "+string(b))
				}
			}
		}
		return func(q *plan.Query) ([][]any, error) { return answer(e, q) }
	})
}

// rowsOf returns the rows of a world by table.
func rowsOf(w eventstest.World) map[string][]map[string]any {
	out := map[string][]map[string]any{}
	add := func(table string, row map[string]any) {
		for name, v := range row {
			if v == "" && name != "did" && name != "e" {
				row[name] = nil
			}
		}
		out[table] = append(out[table], row)
	}
	for _, r := range w.Rows {
		row := map[string]any{
			"off": r.Offset, "item": r.Item, "ts": r.TS, "received": r.Received, "e": r.Key, "n": r.Name, "uid": r.UID, "session": r.Session, "state": r.State,
			"c": r.Count, "s": r.Sum, "dur": r.Dur, "hour": r.Hour, "dow": r.Dow, "extra": r.Extra,
		}
		add("events", row)
		for i, p := range r.Text {
			row[fmt.Sprintf("s%d", i+1)] = p
		}
		for i, p := range r.Num {
			row[fmt.Sprintf("n%d", i+1)] = p
		}
	}
	for _, r := range w.Requests {
		add("requests", map[string]any{"off": r.Offset, "item": r.Item, "ts": r.TS, "received": r.Received, "uid": r.UID, "flags": r.Flags, "dur": r.Dur})
	}
	for _, s := range w.States {
		add("states", map[string]any{"state": s.Number, "off": s.Offset, "uid": s.UID, "props": s.JSON})
	}
	for version, name := range []string{"before", ""} { // of a user the last row counts
		for _, u := range w.Profiles {
			row := map[string]any{"uid": u.UID, "_id": u.ID.String(), "did": u.DID, "cc": u.Country, "name": name + u.Name, "version": version}
			if u.Sessions != 0 {
				row["sc"] = u.Sessions
			}
			if u.Custom != nil {
				row["custom"] = events.JSONText(u.Custom)
			}
			add("users", row)
		}
	}
	return out
}

// answer runs a plan, with the arguments written into its statement.
func answer(e *chdbtest.Engine, q *plan.Query) ([][]any, error) {
	statement, args, err := clickhouse.Compile(q)
	if err != nil {
		return nil, err
	}
	rows, err := e.Query(bound(statement, args) + ", output_format_json_quote_64bit_integers = 0")
	if err != nil {
		return nil, fmt.Errorf("%w\n%s", err, bound(statement, args))
	}
	for _, row := range rows {
		for i, v := range row {
			n, ok := v.(json.Number)
			if !ok {
				continue
			}
			if whole, err := n.Int64(); err == nil {
				row[i] = whole
			} else if row[i], err = n.Float64(); err != nil {
				return nil, err
			}
		}
	}
	return rows, nil
}

// bound puts arguments in the places of a statement's placeholders, outside of literals.
func bound(statement string, args []any) string {
	var b strings.Builder
	quoted := false
	for i := 0; i < len(statement); i++ {
		switch c := statement[i]; {
		case quoted && c == '\\':
			b.WriteByte(c)
			i++
			b.WriteByte(statement[i])
		case c == '\'':
			quoted = !quoted
			b.WriteByte(c)
		case c == '?' && !quoted:
			b.WriteString(literal(args[0]))
			args = args[1:]
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}

func literal(v any) string {
	switch v := v.(type) {
	case string:
		return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\x00", `\0`).Replace(v) + "'"
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	default:
		return fmt.Sprint(v)
	}
}

// TestStatement has the SQL of a plan.
func TestStatement(t *testing.T) {
	f, err := filter.Parse(`{"cc":"it's"}`)
	if err != nil {
		t.Fatal(err)
	}
	q := &plan.Query{
		App: model.AppID{0xab}, From: plan.Users, Select: []plan.Expr{plan.Us("uid")}, Limit: 3,
		Where: plan.Matching(f, func(string) (plan.Typed, bool) { return plan.Typed{Expr: plan.Us("cc"), Type: filter.Text}, true }),
	}
	got, args, err := clickhouse.Compile(q)
	const want = "SELECT u.`uid` FROM users AS u WHERE u.app = 'ab0000000000000000000000' AND (((u.`cc`) IS NOT NULL AND (u.`cc`) = ?)) LIMIT 3 SETTINGS join_use_nulls = 1, cast_keep_nullable = 1, final = 1"
	if err != nil || got != want || len(args) != 1 || args[0] != "it's" {
		t.Errorf("got  %s %v, %v\nwant %s", got, args, err, want)
	}
}

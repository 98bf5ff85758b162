package clickhouse_test

import (
	"fmt"
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

// TestPlans runs random plans on ClickHouse's engine with rows that chdbtest.Store loads; TestConformance runs more, with rows that the store itself wrote.
func TestPlans(t *testing.T) {
	e := chdbtest.Open(t)
	s := chdbtest.NewStore(t, e)
	eventstest.Plans(t, 80, func(t *testing.T, w eventstest.World) func(*plan.Query) ([][]any, error) {
		t.Helper()
		for _, other := range []model.AppID{w.App, {0xee}} { // rows of another app must not show
			if err := s.Load(other, rowsOf(w)); err != nil {
				t.Fatal(err)
			}
		}
		return func(q *plan.Query) (out [][]any, err error) {
			err = s.Run(t.Context(), q, func(row events.Scanner) error {
				values, ok := row.(eventstest.Row)
				if !ok {
					return fmt.Errorf("a %T", row)
				}
				out = append(out, values)
				return nil
			})
			return out, err
		}
	})
}

// rowsOf returns the rows of a world by table.
func rowsOf(w eventstest.World) eventstest.Tables {
	out := eventstest.Tables{}
	add := func(table plan.Table, row map[string]any) {
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
		add(plan.Events, row)
		for i, p := range r.Text {
			row[fmt.Sprintf("s%d", i+1)] = p
		}
		for i, p := range r.Num {
			row[fmt.Sprintf("n%d", i+1)] = p
		}
	}
	for _, r := range w.Requests {
		add(plan.Requests, map[string]any{"off": r.Offset, "item": r.Item, "ts": r.TS, "received": r.Received, "uid": r.UID, "flags": r.Flags, "dur": r.Dur})
	}
	for _, s := range w.States {
		add(plan.States, map[string]any{"state": s.Number, "off": s.Offset, "uid": s.UID, "props": s.JSON})
	}
	for version, name := range []string{"before", ""} { // of a user the last row counts
		for _, u := range w.Profiles {
			row := map[string]any{"uid": u.UID, "_id": u.ID.String(), "did": u.DID, "cc": u.Dims[model.Country], "name": name + u.Name, "version": version}
			if u.Sessions != 0 {
				row["sc"] = u.Sessions
			}
			if u.Custom != nil {
				row["custom"] = events.JSONText(u.Custom)
			}
			add(plan.Users, row)
		}
	}
	return out
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

// TestDetailReads has a question with all details read the rows of events twice, whatever its parts: ClickHouse computes what has a name each time it is read.
func TestDetailReads(t *testing.T) {
	country := plan.Do(plan.Text, plan.Member{Of: plan.St("props"), Path: []string{"cc"}})
	for _, unit := range []plan.Expr{plan.Ev("uid"), plan.St("uid")} { // gathered by the number of the state, and by what it stands for
		q := &plan.Query{
			App: model.AppID{0xab}, From: plan.Events, Select: []plan.Expr{plan.Agg{Fn: plan.Distinct, Of: unit}, plan.Agg{Fn: plan.Groups}, country},
			Limit: 3, Detail: &plan.Detail{Whole: true, By: plan.Do(plan.Div, plan.Ev("ts"), plan.Is(86400000)), Rest: true},
		}
		got, _, err := clickhouse.Compile(q)
		if n := strings.Count(got, " FROM events "); err != nil || n != 2 {
			t.Errorf("reads events %d times: %s, %v", n, got, err)
		}
	}
}

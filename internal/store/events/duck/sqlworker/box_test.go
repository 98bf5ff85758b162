package sqlworker_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"quipu/internal/store/events"
	"quipu/internal/store/events/duck/sqlworker"
	"quipu/internal/store/events/sqlbox"
)

// worker is the argument that makes this test binary the process of a statement, boaster that of one that promises the most there can be
// and never ends.
const (
	worker  = "sql-worker"
	boaster = "sql-boaster"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == worker {
		os.Exit(sqlworker.Work(os.Stdin, os.Stdout))
	}
	if len(os.Args) > 1 && os.Args[1] == boaster {
		boast()
	}
	os.Exit(m.Run())
}

// boast answers a statement of no view with the head of a frame that nobody may send, and then with nothing.
func boast() {
	out := bufio.NewWriter(os.Stdout)
	err := errors.Join(sqlbox.WriteFrame(out, sqlbox.FrameNeeds, []byte("{}")), sqlbox.WriteFrame(out, sqlbox.FrameColumns, []byte("[]")))
	_, werr := out.Write([]byte{sqlbox.FrameValues, 0, 0, 0xf0, 3})
	if errors.Join(err, werr, out.Flush()) == nil {
		time.Sleep(time.Minute)
	}
	os.Exit(1)
}

// TestBoast refuses a result for the length that it promises, before it is read.
func TestBoast(t *testing.T) {
	t.Parallel()
	b := boxes(t, func(o *sqlbox.Options) { o.Program[1], o.Bytes, o.Time = boaster, 1<<20, 5*time.Second })
	if r, err := run(t, b, "SELECT 1"); kindOf(err) != string(sqlbox.Large) {
		t.Errorf("got %v, %v, want it refused as too large", r, err)
	}
}

// TestPlace says where a statement cannot be read.
func TestPlace(t *testing.T) {
	t.Parallel()
	b := boxes(t, nil)
	for statement, want := range map[string]struct{ line, character int }{
		"SELECT 1 FORM events":                 {1, 15},
		"SELECT 'ä€',\n  'ö' x y\nFROM events": {2, 9},
	} {
		_, err := run(t, b, statement)
		var own *sqlbox.Error
		if !errors.As(err, &own) || own.Line != want.line || own.Character != want.character {
			t.Errorf("%q: got %#v, want line %d, character %d", statement, err, want.line, want.character)
		} else if said := fmt.Sprintf("(line %d, character %d)", want.line, want.character); !strings.Contains(own.Msg, said) {
			t.Errorf("%q: the text %q does not say %s", statement, own.Msg, said)
		}
	}
}

// boxes run statements in processes of this binary.
func boxes(tb testing.TB, change func(*sqlbox.Options)) *sqlbox.Boxes {
	tb.Helper()
	program, err := os.Executable()
	if err != nil {
		tb.Fatal(err)
	}
	o := sqlbox.Options{Program: []string{program, worker}, Time: 10 * time.Second, Memory: 128 << 20}
	if change != nil {
		change(&o)
	}
	return sqlbox.New(o)
}

func col(name string, t sqlbox.Type) sqlbox.Column { return sqlbox.Column{Name: name, Type: t} }

// views are those of an app with three events of two users.
var views = []sqlbox.View{
	{Name: "events", Columns: []sqlbox.Column{
		col("time", sqlbox.Time), col("event", sqlbox.Text), col("user_id", sqlbox.Whole), col("amount", sqlbox.Number), col("paid", sqlbox.Truth), col("Größe \"x\"", sqlbox.Text),
	}},
	{Name: "users", Columns: []sqlbox.Column{col("user_id", sqlbox.Whole), col("country", sqlbox.Text)}},
}

var data = map[string]map[string]events.Column{
	"events": {
		"time":        {Whole: []int64{1_780_000_000_000, 1_780_000_060_000, 1_780_086_400_000}},
		"event":       {Text: []string{"pay", "view", "pay"}},
		"user_id":     {Whole: []int64{1, 1, 2}},
		"amount":      {Number: []float64{2.5, 0, 4}, Null: []bool{false, true, false}},
		"paid":        {Whole: []int64{1, 0, 1}},
		"Größe \"x\"": {Text: []string{"it's", "a longer text than twelve bytes", "\""}},
	},
	"users": {"user_id": {Whole: []int64{1, 2}}, "country": {Text: []string{"DE", ""}, Null: []bool{false, true}}},
}

func feed(_ context.Context, view string, columns []string, put func(*events.Columns) error) error {
	c := &events.Columns{Len: 3}
	if view == "users" {
		c.Len = 2
	}
	for _, name := range columns {
		col, ok := data[view][name]
		if !ok {
			return errors.New("column " + name)
		}
		c.List = append(c.List, col)
	}
	return put(c)
}

func run(tb testing.TB, b *sqlbox.Boxes, statement string) (*sqlbox.Result, error) {
	tb.Helper()
	return b.Run(tb.Context(), sqlbox.Job{Statement: statement, Zone: "Europe/Berlin", Views: views, Rows: 100}, feed)
}

func lines(r *sqlbox.Result) string {
	var out []string
	for _, row := range r.Rows {
		out = append(out, string(row))
	}
	return strings.Join(out, " ")
}

func TestRun(t *testing.T) {
	t.Parallel()
	b := boxes(t, nil)
	tests := []struct{ name, statement, want string }{
		{"count", "SELECT count(*) FROM events", "[3]"},
		{"all columns", "FROM users ORDER BY user_id", `[1,"DE"] [2,null]`},
		{"sum", "SELECT event, sum(amount) AS s FROM events GROUP BY ALL ORDER BY 1;", `["pay",6.5] ["view",null]`},
		{"join", "SELECT u.country, count(*) FROM events e JOIN users u USING (user_id) GROUP BY 1 ORDER BY 2", `[null,1] ["DE",2]`},
		{"time in the zone", "SELECT date_trunc('day', time) AS day, time FROM events ORDER BY time LIMIT 1 -- first", `["2026-05-28T00:00:00+02:00","2026-05-28T22:26:40+02:00"]`},
		{"date", "SELECT time::DATE FROM events ORDER BY 1 DESC LIMIT 1", `["2026-05-29"]`},
		{"truth", "SELECT paid FROM events ORDER BY time", "[true] [false] [true]"},
		{"quoted column", `SELECT "Größe ""x""" FROM events ORDER BY time`, `["it's"] ["a longer text than twelve bytes"] ["\""]`},
		{"CTE", "WITH pay AS (SELECT * FROM events WHERE event = 'pay') SELECT count(*) FROM pay", "[2]"},
		{"CTE over the view of its name", "WITH events AS (SELECT * FROM events WHERE event = 'pay') SELECT count(*) FROM events", "[2]"},
		{"window", "SELECT user_id, row_number() OVER (PARTITION BY user_id ORDER BY time) FROM events ORDER BY 1, 2", "[1,1] [1,2] [2,1]"},
		{"row as value", "SELECT u FROM users u WHERE user_id = 1", `[{"country":"DE","user_id":1}]`},
		{"columns by place", "SELECT b FROM users AS u(a, b) WHERE a = 1", `["DE"]`},
		{"place", "SELECT #2 FROM users ORDER BY 1 LIMIT 1", `["DE"]`},
		{"list", "SELECT [x * 2 FOR x IN [1, 2]], list_transform([1], lambda x: x + 1)", "[[2,4],[2]]"},
		{"recursive", "WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 4) SELECT sum(n) FROM t", "[10]"},
		{"union", "SELECT 1 UNION ALL SELECT 2", "[1] [2]"},
		{"values", "SELECT * FROM (VALUES (1, 'a'), (2, 'b')) v(x, y) WHERE x = 2", `[2,"b"]`},
		{"large numbers", "SELECT 9007199254740993::BIGINT, 170141183460469231731687303715884105727::HUGEINT, 1.50::DECIMAL(9,2)", `["9007199254740993","170141183460469231731687303715884105727",1.5]`},
		{"no numbers", "SELECT 'nan'::DOUBLE, 'inf'::DOUBLE, NULL", `["NaN","+Inf",null]`},
		{"columns of one name", "SELECT 1 AS a, 2 AS a", "[1,2]"},
		{"json", `SELECT json_extract('{"a":[1]}', '$.a')`, "[[1]]"},
		{"quantile", "SELECT median(amount), quantile_cont(amount, 0.9) FROM events", "[3.25,3.85]"},
		{"filter and having", "SELECT user_id, count(*) FILTER (WHERE paid) FROM events GROUP BY 1 HAVING count(*) > 1", "[1,1]"},
		{"case, in, between, like", "SELECT CASE WHEN event LIKE 'p%' AND amount BETWEEN 2 AND 3 THEN 'x' ELSE 'y' END FROM events WHERE event IN ('pay') ORDER BY time", `["x"] ["y"]`},
		{"exists", "SELECT user_id FROM users u WHERE EXISTS (SELECT 1 FROM events e WHERE e.user_id = u.user_id AND e.event = 'view')", "[1]"},
		{"series", "SELECT count(*) FROM range(1000), generate_series(1, 3)", "[3000]"},
		{"pivot", "SELECT * FROM (SELECT event, user_id FROM events) PIVOT (count(*) FOR event IN ('pay', 'view')) ORDER BY user_id", "[1,1,1] [2,1,0]"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			r, err := run(t, b, tt.statement)
			if err != nil {
				t.Fatal(err)
			}
			if got := lines(r); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// BenchmarkFeed hands a million rows of four columns to a statement.
func BenchmarkFeed(b *testing.B) {
	const some, times = 2000, 500
	block := &events.Columns{Len: some, List: make([]events.Column, 4)}
	for i := range some {
		block.List[0].Whole = append(block.List[0].Whole, 1_780_000_000_000+int64(i))
		block.List[1].Text = append(block.List[1].Text, []string{"pay", "view", "a longer name of an event"}[i%3])
		block.List[2].Whole = append(block.List[2].Whole, int64(i))
		block.List[3].Number = append(block.List[3].Number, float64(i)/2)
	}
	boxes := boxes(b, func(o *sqlbox.Options) { o.Memory = 256 << 20 })
	for b.Loop() {
		r, err := boxes.Run(b.Context(), sqlbox.Job{Statement: "SELECT event, count(DISTINCT user_id), sum(amount), max(time) FROM events GROUP BY 1", Zone: "Europe/Berlin", Views: views, Rows: 100},
			func(_ context.Context, _ string, _ []string, put func(*events.Columns) error) error {
				for range times {
					if err := put(block); err != nil {
						return err
					}
				}
				return nil
			})
		if err != nil || r.Read != some*times {
			b.Fatal(err)
		}
	}
}

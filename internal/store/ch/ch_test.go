package ch_test

import (
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"

	"quipu/internal/fault"
	"quipu/internal/store/ch"
	"quipu/internal/store/ch/chtest"
	"quipu/internal/store/events/clickhouse/chdbtest"
)

// TestClient has what needs the engine, which a process has one of at a time.
func TestClient(t *testing.T) {
	e := chdbtest.Open(t)
	for _, tt := range []struct {
		name string
		run  func(t *testing.T, e *chdbtest.Engine)
	}{
		{"values come back", values},
		{"sets of numbers come back", sets},
		{"literals are what they say", literals},
		{"a token is sent once", token},
		{"another address is used", failOver},
		{"faults of an answer", answers},
		{"deadlines", deadlines},
		{"only what reads is read-only", readOnly},
		{"abandoned statements end", abandoned},
		{"memory of reads", memoryOfReads},
		{"rows read", rowsRead},
		{"rights and TLS", rights},
		{"what is held is bounded and charged", bounded},
		{"migrations", migrations},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.run(t, e) })
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// all returns the rows of a result as texts.
func all(t *testing.T, c *ch.Client, sql string, args ...any) (out []string) {
	t.Helper()
	must(t, c.Each(t.Context(), ch.Statement{SQL: sql, Args: args}, func(b *ch.Block, row int) error {
		var cells []string
		for i := range b.Columns {
			col := &b.Columns[i]
			switch {
			case col.Absent(row):
				cells = append(cells, "NULL")
			case strings.Contains(col.Type, "String"):
				cells = append(cells, col.Text[row])
			case strings.Contains(col.Type, "Float"):
				cells = append(cells, fmt.Sprint(col.Number[row]))
			default:
				cells = append(cells, fmt.Sprint(col.Whole[row]))
			}
		}
		out = append(out, strings.Join(cells, "|"))
		return nil
	}))
	return out
}

func values(t *testing.T, e *chdbtest.Engine) {
	t.Helper()
	c := chtest.Start(t, e).Client(t)
	must(t, c.Exec(t.Context(), ch.Statement{SQL: "CREATE TABLE t (i Int64, u UInt64, f Float64, s String, l LowCardinality(Nullable(String)), n Nullable(Int64), d Nullable(Float64), b Nullable(Bool)) ENGINE = MergeTree ORDER BY i"}))
	b := ch.NewBuilder([]ch.Spec{
		{Name: "i", Type: "Int64"},
		{Name: "u", Type: "UInt64"},
		{Name: "f", Type: "Float64"},
		{Name: "s", Type: "String"},
		{Name: "l", Type: "Nullable(String)"},
		{Name: "n", Type: "Nullable(Int64)"},
		{Name: "d", Type: "Nullable(Float64)"},
		{Name: "b", Type: "Nullable(Bool)"},
	})
	long := strings.Repeat("é\x00'\\", 300_000)
	var least int64 = math.MinInt64
	b.Whole(0, uint64(least)) // its bits
	b.Whole(1, math.MaxUint64)
	b.Number(2, math.MaxFloat64)
	b.Text(3, long)
	b.Text(4, "")
	b.Whole(5, 7)
	b.Number(6, -0.5)
	b.Whole(7, 1)
	b.End()
	b.Whole(0, 1)
	b.Whole(1, 2)
	b.Number(2, math.SmallestNonzeroFloat64)
	b.Text(3, "")
	for i := 4; i < 8; i++ {
		b.Null(i)
	}
	b.End()
	must(t, c.Insert(t.Context(), ch.Statement{SQL: "INSERT INTO t " + b.Names()}, b))
	want := []string{"-9223372036854775808|-1|1.7976931348623157e+308|" + long + "||7|-0.5|1", "1|2|5e-324||NULL|NULL|NULL|NULL"}
	if diff := cmp.Diff(want, all(t, c, "SELECT * FROM t ORDER BY i")); diff != "" {
		t.Error(diff[:min(len(diff), 2000)])
	}
	if at, err := c.Clock(t.Context()); err != nil || time.Since(at).Abs() > time.Minute {
		t.Errorf("clock %v, %v", at, err)
	}
	few := all(t, c, "SELECT toInt8(-1), toUInt16(65535), toInt32(-5), toUInt32(4294967295), toFloat32(0.5), NULL, 1 = 1, true")
	if diff := cmp.Diff([]string{"-1|65535|-5|4294967295|0.5|NULL|1|1"}, few); diff != "" {
		t.Error(diff)
	}
	few = all(t, c, "SELECT DISTINCT l FROM (SELECT CAST(if(number % 700 = 0, NULL, toString(number % 700)), 'LowCardinality(Nullable(String))') AS l FROM numbers(20000))")
	if len(few) != 700 || !slices.Contains(few, "NULL") || !slices.Contains(few, "699") {
		t.Errorf("%d texts of a dictionary", len(few))
	}
	if got := all(t, c, "SELECT toLowCardinality('a')"); got[0] != "a" {
		t.Error(got)
	}
	if n := len(all(t, c, "SELECT number, toString(number) FROM numbers(100000)")); n != 100_000 {
		t.Errorf("%d rows of many blocks", n)
	}
}

// sets has sets of numbers in both of their forms, there and back, and merged by the server.
func sets(t *testing.T, e *chdbtest.Engine) {
	t.Helper()
	c := chtest.Start(t, e).Client(t)
	must(t, c.Exec(t.Context(), ch.Statement{SQL: "CREATE TABLE t (i Int64, u AggregateFunction(groupBitmap, UInt32)) ENGINE = MergeTree ORDER BY i"}))
	b := ch.NewBuilder([]ch.Spec{{Name: "i", Type: "Int64"}, {Name: "u", Type: ch.UserSet}})
	many := roaring.New()
	many.AddRange(70_000, 140_000)
	portable, err := many.ToBytes()
	must(t, err)
	for i, few := range [][]uint32{nil, {1, 4294967295}, nil} {
		b.Whole(0, uint64(i)) // few
		if i == 2 {
			b.UserSet(1, nil, portable)
		} else {
			b.UserSet(1, few, nil)
		}
		b.End()
	}
	must(t, c.Insert(t.Context(), ch.Statement{SQL: "INSERT INTO t " + b.Names()}, b))
	if diff := cmp.Diff([]string{"0|0", "1|2", "2|70000"}, all(t, c, "SELECT i, bitmapCardinality(u) FROM t ORDER BY i")); diff != "" {
		t.Error(diff)
	}
	var got []string
	must(t, c.Each(t.Context(), ch.Statement{SQL: "SELECT u FROM t ORDER BY i"}, func(b *ch.Block, row int) error {
		got = append(got, b.Columns[0].Text[row])
		return nil
	}))
	back := roaring.New()
	if _, err := back.FromBuffer([]byte(got[2][1:])); err != nil || got[2][0] != 1 || !back.Equals(many) {
		t.Errorf("%d numbers of %d, %v", back.GetCardinality(), many.GetCardinality(), err)
	}
	if got[0] != "\x00" || got[1] != "\x00\x01\x00\x00\x00\xff\xff\xff\xff" {
		t.Errorf("%q", got[:2])
	}
}

func literals(t *testing.T, e *chdbtest.Engine) {
	t.Helper()
	c := chtest.Start(t, e).Client(t)
	for _, s := range []string{"", "it's", `\`, `\'; DROP TABLE x; --`, "a\x00b\x000", "?", "日本\n\t\r\b\f", `\\x41\N`, strings.Repeat("x'", 500_000)} {
		got := all(t, c, "SELECT ?, `a?` FROM (SELECT '?\\'' AS `a?`)", s)
		if diff := cmp.Diff([]string{s + "|?'"}, got); diff != "" {
			t.Errorf("%.40q: %.300s", s, diff)
		}
	}
	got := all(t, c, "SELECT ? = 1.5, ? = -9223372036854775808, ? = 18446744073709551615, 'b' IN (?), 3 IN (?), ?", 1.5, int64(math.MinInt64), uint64(math.MaxUint64), []string{"a", "b"}, []uint32{1, 2}, true)
	if diff := cmp.Diff([]string{"1|1|1|1|0|1"}, got); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []struct {
		sql  string
		args []any
	}{{"?", nil}, {"1", []any{1}}, {"'?", nil}, {"?", []any{math.NaN()}}, {"?", []any{struct{}{}}}, {`'\`, nil}} {
		if text, err := ch.Bind(bad.sql, bad.args); err == nil {
			t.Errorf("%q %v is bound: %s", bad.sql, bad.args, text)
		}
	}
}

// numbers returns a builder of one column with numbers.
func numbers(list ...uint64) *ch.Builder {
	b := ch.NewBuilder([]ch.Spec{{Name: "a", Type: "Int64"}})
	for _, v := range list {
		b.Whole(0, v)
		b.End()
	}
	return b
}

func token(t *testing.T, e *chdbtest.Engine) {
	t.Helper()
	s := chtest.Start(t, e)
	c := s.Client(t)
	must(t, c.Exec(t.Context(), ch.Statement{SQL: "CREATE TABLE t (a Int64) ENGINE = MergeTree ORDER BY a SETTINGS non_replicated_deduplication_window = 100"}))
	send := func(name string) error {
		b := numbers(1, 2, 3)
		return c.Insert(t.Context(), ch.Statement{SQL: "INSERT INTO t " + b.Names(), Settings: map[string]string{"insert_deduplication_token": name}}, b)
	}
	s.Faults(func(r chtest.Request) chtest.Fault { return map[int]chtest.Fault{1: chtest.Lost}[r.Number] })
	if err := send("x"); fault.CodeOf(err) != "clickhouse.unreachable" {
		t.Errorf("an answer that is lost: %v", err)
	}
	must(t, send("x"))
	must(t, send("y"))
	if got := all(t, c, "SELECT count() FROM t"); got[0] != "6" {
		t.Errorf("%s rows of two blocks, one of them sent twice", got[0])
	}
}

func failOver(t *testing.T, e *chdbtest.Engine) {
	t.Helper()
	first, second := chtest.Start(t, e), chtest.Start(t, e)
	c := first.Client(t, func(o *ch.Options) { o.Addresses = append(o.Addresses, second.Address()) })
	first.Stop()
	for range 3 {
		if got := all(t, c, "SELECT 1"); got[0] != "1" {
			t.Error(got)
		}
	}
	first.Resume(t)
	second.Stop()
	if got := all(t, c, "SELECT 2"); got[0] != "2" {
		t.Error(got)
	}
	first.Faults(func(chtest.Request) chtest.Fault { return chtest.Overload })
	second.Resume(t)
	if got := all(t, c, "SELECT 3"); got[0] != "3" {
		t.Error(got)
	}
	first.Stop()
	second.Stop()
	if err := c.Exec(t.Context(), ch.Statement{SQL: "SELECT 1"}); fault.CodeOf(err) != "clickhouse.unreachable" || fault.KindOf(err) != fault.Unavailable {
		t.Errorf("without servers: %v", err)
	}
}

func answers(t *testing.T, e *chdbtest.Engine) {
	t.Helper()
	s := chtest.Start(t, e)
	c := s.Client(t)
	for f, want := range map[chtest.Fault]string{chtest.Cut: "clickhouse.unreachable", chtest.Half: "clickhouse.answer", chtest.Midway: "clickhouse.memory", chtest.Overload: "clickhouse.busy"} {
		s.Faults(func(chtest.Request) chtest.Fault { return f })
		rows := 0
		err := c.Query(t.Context(), ch.Statement{SQL: "SELECT number, 'text' FROM numbers(50000)"}, func(b *ch.Block) error { rows += b.Rows; return nil })
		if fault.CodeOf(err) != want || rows >= 50_000 {
			t.Errorf("fault %d: %d rows, %v", f, rows, err)
		}
		// At the border of a block, too, where the answer seems to end well.
		err = c.Query(t.Context(), ch.Statement{SQL: "SELECT 1 LIMIT 0"}, func(*ch.Block) error { return nil })
		if fault.CodeOf(err) != want {
			t.Errorf("fault %d of an empty answer: %v", f, err)
		}
	}
	s.Faults(nil)
	for sql, want := range map[string]string{"SELECT nothing": "clickhouse.refused", "SELECT * FROM nowhere": "clickhouse.missing", "SELECT throwIf(number = 3) FROM numbers(10)": "clickhouse.refused", "SELECT [1]": "clickhouse.answer"} {
		err := c.Query(t.Context(), ch.Statement{SQL: sql}, func(*ch.Block) error { return nil })
		if fault.CodeOf(err) != want {
			t.Errorf("%s: %v", sql, err)
		}
	}
	stop := errors.New("stop")
	if err := c.Query(t.Context(), ch.Statement{SQL: "SELECT 1"}, func(*ch.Block) error { return stop }); err != stop { //nolint:errorlint // itself
		t.Errorf("the caller's error: %v", err)
	}
}

func deadlines(t *testing.T, e *chdbtest.Engine) {
	t.Helper()
	s := chtest.Start(t, e)
	c := s.Client(t, func(o *ch.Options) { o.Timeout = 50 * time.Millisecond })
	s.Slow(time.Minute)
	if err := c.Exec(t.Context(), ch.Statement{SQL: "SELECT 1"}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a slow server: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := c.Exec(ctx, ch.Statement{SQL: "SELECT 1"}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled call: %v", err)
	}
}

func rights(t *testing.T, e *chdbtest.Engine) {
	t.Helper()
	s := chtest.StartTLS(t, e)
	s.User, s.Password = "quipu", "secret"
	dir := t.TempDir()
	ca, password := filepath.Join(dir, "ca.pem"), filepath.Join(dir, "password")
	must(t, os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.HTTP().Certificate().Raw}), 0o600))
	must(t, os.WriteFile(password, []byte("secret\n"), 0o600))
	t.Setenv("QUIPU_TEST_CLICKHOUSE", "secret")
	for name, o := range map[string]struct {
		change func(*ch.Options)
		want   string
	}{
		"password":           {func(o *ch.Options) { o.CAFile = ca }, ""},
		"password file":      {func(o *ch.Options) { o.CAFile, o.Password, o.PasswordFile = ca, "", password }, ""},
		"password variable":  {func(o *ch.Options) { o.CAFile, o.Password, o.PasswordVariable = ca, "", "QUIPU_TEST_CLICKHOUSE" }, ""},
		"another password":   {func(o *ch.Options) { o.CAFile, o.Password = ca, "wrong" }, "clickhouse.denied"},
		"unknown authority":  {func(*ch.Options) {}, "clickhouse.unreachable"},
		"no TLS where it is": {func(o *ch.Options) { o.Addresses[0] = strings.Replace(o.Addresses[0], "https", "http", 1) }, "clickhouse.refused"},
	} {
		err := s.Client(t, o.change).Exec(t.Context(), ch.Statement{SQL: "SELECT 1"})
		if fault.CodeOf(err) != o.want {
			t.Errorf("%s: %v", name, err)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: the error has the password", name)
		}
	}
}

// meter is a claim that counts.
type meter struct {
	held, most *int64
	limit      int64
}

func (m meter) Grow(_ context.Context, n int64) error {
	if *m.held+n > m.limit {
		return errors.New("no room")
	}
	*m.held += n
	*m.most = max(*m.most, *m.held)
	return nil
}

func (m meter) Leave() { *m.held = 0 }

func bounded(t *testing.T, e *chdbtest.Engine) {
	t.Helper()
	s := chtest.Start(t, e)
	var held, most int64
	limit := int64(4 << 20)
	c := s.Client(t, func(o *ch.Options) {
		o.BlockBytes = 2 << 20
		o.Room = func() ch.Claim { return meter{&held, &most, limit} }
	})
	must(t, c.Query(t.Context(), ch.Statement{SQL: "SELECT number, repeat('x', 50) FROM numbers(300000)"}, func(*ch.Block) error { return nil }))
	if held != 0 || most == 0 || most > 2<<20 {
		t.Errorf("%d bytes were held of 20 MB, %d are", most, held)
	}
	err := c.Query(t.Context(), ch.Statement{SQL: "SELECT repeat(repeat('x', 1000), 4000)"}, func(*ch.Block) error { return nil })
	if fault.CodeOf(err) != "clickhouse.too_large" {
		t.Errorf("a large row: %v", err)
	}
	limit = 128 << 10
	err = c.Query(t.Context(), ch.Statement{SQL: "SELECT repeat('x', 1000) FROM numbers(5000)"}, func(*ch.Block) error { return nil })
	if err == nil || !strings.Contains(err.Error(), "no room") {
		t.Errorf("without room: %v", err)
	}
	if held != 0 {
		t.Errorf("%d bytes are held", held)
	}
}

func migrations(t *testing.T, e *chdbtest.Engine) {
	t.Helper()
	c := chtest.Start(t, e).Client(t)
	first := ch.Step{What: "make tables", SQL: []string{"CREATE TABLE IF NOT EXISTS format (version UInt64) ENGINE = MergeTree ORDER BY version", "CREATE TABLE IF NOT EXISTS t (a Int64) ENGINE = MergeTree ORDER BY a"}}
	second := ch.Step{What: "add a column", SQL: []string{"ALTER TABLE t ADD COLUMN IF NOT EXISTS b Int64"}}
	tables := func(steps ...ch.Step) *ch.Tables {
		return &ch.Tables{Format: "format", Names: []string{"t"}, Steps: steps}
	}
	for range 2 {
		must(t, tables(first).Migrate(t.Context(), c))
	}
	steps, err := tables(first, second).Plan(t.Context(), c)
	if err != nil || len(steps) != 1 || steps[0].What != second.What {
		t.Errorf("plan: %v, %v", steps, err)
	}
	must(t, tables(first, second).Migrate(t.Context(), c))
	if got := all(t, c, "SELECT count() FROM system.columns WHERE database = ? AND table = 't'", c.Database()); got[0] != "2" {
		t.Errorf("%s columns", got)
	}
	if err := tables(first).Migrate(t.Context(), c); fault.CodeOf(err) != "clickhouse.newer_format" {
		t.Errorf("tables of a newer program: %v", err)
	}
	must(t, c.Exec(t.Context(), ch.Statement{SQL: "DROP TABLE format"}))
	if err := tables(first).Migrate(t.Context(), c); fault.CodeOf(err) != "clickhouse.foreign" {
		t.Errorf("tables of another program: %v", err)
	}
}

// TestOptions has what is refused before anything is sent.
func TestOptions(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]ch.Options{
		"no addresses":           {Database: "d"},
		"no scheme":              {Addresses: []string{"host:8123"}, Database: "d"},
		"a password in it":       {Addresses: []string{"http://u:hidden@host:8123"}, Database: "d"},
		"a path":                 {Addresses: []string{"http://host:8123/x"}, Database: "d"},
		"a database with quotes": {Addresses: []string{"http://host:8123"}, Database: "d; DROP"},
		"two passwords":          {Addresses: []string{"http://host:8123"}, Database: "d", Password: "hidden", PasswordVariable: "X"},
		"no such file":           {Addresses: []string{"http://host:8123"}, Database: "d", PasswordFile: "/nowhere"},
		"no certificates":        {Addresses: []string{"http://host:8123"}, Database: "d", CAFile: "/dev/null"},
	} {
		if _, err := ch.New(o); fault.CodeOf(err) != "clickhouse.options" || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// readOnly has statements that read, and no others, be known as such to the server.
func readOnly(t *testing.T, e *chdbtest.Engine) {
	t.Helper()
	c := chtest.Start(t, e).Client(t)
	must(t, c.Exec(t.Context(), ch.Statement{SQL: "CREATE TABLE t (i Int64) ENGINE = MergeTree ORDER BY i"}))
	b := ch.NewBuilder([]ch.Spec{{Name: "i", Type: "Int64"}})
	b.Whole(0, 1)
	b.End()
	must(t, c.Insert(t.Context(), ch.Statement{SQL: "INSERT INTO t " + b.Names()}, b))
	if got := all(t, c, "SELECT getSetting('readonly'), i FROM t"); !slices.Equal(got, []string{"2|1"}) {
		t.Errorf("got %q", got)
	}
	err := c.Query(t.Context(), ch.Statement{SQL: "INSERT INTO t SELECT 2"}, func(*ch.Block) error { return nil })
	if ex, ok := errors.AsType[*ch.Exception](err); !ok || ex.Code != 164 {
		t.Errorf("a statement that writes among those that read: %v", err)
	}
	must(t, c.Exec(t.Context(), ch.Statement{SQL: "INSERT INTO t SELECT 2"}))
}

// abandoned has the engine end a statement when its caller no longer waits, long before it would be done or its time be over.
func abandoned(t *testing.T, e *chdbtest.Engine) {
	t.Helper()
	c := chtest.Start(t, e).Client(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	done := make(chan error, 1)
	go func() {
		done <- c.Query(ctx, ch.Statement{SQL: "SELECT sum(sipHash64(number)) FROM numbers(1000000000000)"}, func(*ch.Block) error { return nil })
	}()
	again := time.NewTicker(5 * time.Millisecond)
	defer again.Stop()
	for running := ""; running != "[[1]]"; <-again.C {
		rows, err := e.Beside("SELECT count() FROM system.processes WHERE query LIKE '%sipHash64%' AND query NOT LIKE '%processes%' AND read_rows > 0")
		must(t, err)
		running = fmt.Sprint(rows)
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	soon, stop := context.WithTimeout(t.Context(), 20*time.Second) // the engine does one thing after the other
	defer stop()
	if err := c.Query(soon, ch.Statement{SQL: "SELECT 1"}, func(*ch.Block) error { return nil }); err != nil {
		t.Errorf("the statement goes on: %v", err)
	}
}

// memoryOfReads has statements that read take no more than they may, and write to the disk of the server what does not fit.
func memoryOfReads(t *testing.T, e *chdbtest.Engine) {
	t.Helper()
	server := chtest.Start(t, e)
	found := func(memory int64) *ch.Client {
		c := server.Client(t, func(o *ch.Options) { o.ReadMemory = memory })
		must(t, c.Find(t.Context()))
		return c
	}
	const (
		set    = "SELECT uniqExact(number) FROM numbers(20000000)" // of one group, which is no use on the disk
		groups = "SELECT count() FROM (SELECT number, count() FROM numbers(10000000) GROUP BY number)"
		sorted = "SELECT count(s) FROM (SELECT leftPad(toString(sipHash64(number)), 600) AS s FROM numbers(700000) ORDER BY s LIMIT 699999)"
	)
	// written is how many files the server wrote of what statements grouped and sorted.
	written := func() (n [2]int64) {
		rows, err := e.Query("SELECT sumIf(value, event = 'ExternalAggregationWritePart'), sumIf(value, event = 'ExternalSortWritePart') FROM system.events")
		must(t, err)
		for i := range n {
			n[i], _ = rows[0][i].(int64)
		}
		return n
	}
	large, small := found(0), found(256<<20)
	all(t, large, groups) // now the server knows how large its hash tables are
	before := written()
	if got := all(t, small, groups); !slices.Equal(got, []string{"10000000"}) || written()[0] == before[0] {
		t.Errorf("grouped %q, files %v and %v", got, before, written())
	}
	if got := all(t, small, sorted); !slices.Equal(got, []string{"699999"}) || written()[1] == before[1] {
		t.Errorf("sorted %q, files %v and %v", got, before, written())
	}
	err := small.Query(t.Context(), ch.Statement{SQL: set}, func(*ch.Block) error { return nil })
	if fault.CodeOf(err) != "clickhouse.memory" || fault.KindOf(err) != fault.Unavailable || !ch.NoMemory(err) {
		t.Errorf("what does not fit: %v", err)
	}
	const bounds = "SELECT getSetting('max_memory_usage'), getSetting('max_bytes_before_external_group_by'), getSetting('max_bytes_before_external_sort')"
	rows, err := e.Query("SELECT toInt64(value) FROM system.server_settings WHERE name = 'max_server_memory_usage'")
	must(t, err)
	whole, _ := rows[0][0].(int64)
	server.Faults(func(r chtest.Request) chtest.Fault {
		if strings.Contains(r.Text, "server_settings") {
			return chtest.Denied
		}
		return chtest.None
	})
	unknown := found(0)
	server.Faults(nil)
	for name, tt := range map[string]struct {
		of *ch.Client
		n  int64
	}{"as the options say": {small, 256 << 20}, "a quarter of the server's": {large, whole / 4}, "which the user may not know": {unknown, 4 << 30}} {
		if got, want := all(t, tt.of, bounds), fmt.Sprintf("%d|%d|%d", tt.n, tt.n/5, tt.n/2); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: got %q, want %s", name, got, want)
		}
	}
	server.Profile = url.Values{"max_memory_usage": {"123456789"}}
	if got := all(t, found(0), bounds); !strings.HasPrefix(got[0], "123456789|") {
		t.Errorf("as the profile says: got %q", got)
	}
}

// rowsRead asks for the number of rows that statements read, of one that succeeds and of one that fails.
func rowsRead(t *testing.T, e *chdbtest.Engine) {
	t.Helper()
	c := chtest.Start(t, e).Client(t)
	read := int64(7)
	ask := func(c *ch.Client, sql string) error {
		return c.Query(t.Context(), ch.Statement{SQL: sql, Read: &read}, func(*ch.Block) error { return nil })
	}
	if err := ask(c, "SELECT sum(number) FROM numbers(100000)"); err != nil || read != 100_000 {
		t.Errorf("read %d rows, %v", read, err)
	}
	var sent url.Values
	head := `{"read_rows":"12","read_bytes":"96"}`
	one := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent = r.URL.Query()
		if head != "" {
			w.Header().Set("X-ClickHouse-Summary", head)
		}
		w.Header().Set("X-ClickHouse-Exception-Code", "395")
		http.Error(w, "Code: 395. DB::Exception: too many. (FUNCTION_THROW_IF_VALUE_IS_NON_ZERO)", http.StatusInternalServerError)
	}))
	defer one.Close()
	other, err := ch.New(ch.Options{Addresses: []string{one.URL}, Database: "d"})
	must(t, err)
	if err := ask(other, "SELECT 1"); fault.CodeOf(err) != "clickhouse.refused" || read != 12 || sent.Get("wait_end_of_query") != "1" {
		t.Errorf("a statement that failed: read %d rows, %v, %v", read, err, sent)
	}
	for _, head = range []string{"", "{}", "x", `{"read_rows":"x"}`} {
		if err := ask(other, "SELECT 1"); err == nil || read != -1 {
			t.Errorf("a server that says %q: read %d rows, %v", head, read, err)
		}
	}
	if err := other.Exec(t.Context(), ch.Statement{SQL: "SELECT 1"}); err == nil || sent.Has("wait_end_of_query") {
		t.Errorf("nobody asked: %v, %v", sent, err)
	}
	one.Close()
	if read = 7; ask(other, "SELECT 1") == nil || read != -1 {
		t.Errorf("without a server: read %d rows", read)
	}
}

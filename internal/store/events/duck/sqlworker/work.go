// Package sqlworker is the process of one statement of SQL, see package sqlbox: it parses the statement, compares it with what is permitted, and
// runs it over the rows that the server hands over, in a DuckDB database in memory.
package sqlworker

import (
	"bufio"
	"context"
	"database/sql"
	"database/sql/driver"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/duckdb/duckdb-go/v2"

	"quipu/internal/store/events"
	"quipu/internal/store/events/sqlbox"
)

// Work runs the one statement that comes over in and answers over out. It is the whole life of a process that sqlbox.Boxes starts; the
// process then ends with the status that is returned. It takes all rights from the process that it does not need.
func Work(in io.Reader, out io.Writer) int {
	limit, err := strconv.ParseInt(os.Getenv(sqlbox.MemoryVariable), 10, 64)
	threads, terr := strconv.Atoi(os.Getenv(sqlbox.ThreadsVariable))
	seconds, serr := strconv.Atoi(os.Getenv(sqlbox.TimeVariable))
	if err != nil || terr != nil || serr != nil {
		fmt.Fprintln(os.Stderr, "quipu: this command is for the server's own use")
		return 2
	}
	w := &worker{in: bufio.NewReaderSize(in, 256<<10), out: bufio.NewWriterSize(out, 64<<10), memory: limit, threads: threads}
	if err := bound(limit, seconds); err != nil {
		fmt.Fprintln(os.Stderr, "quipu:", err)
		return 1
	}
	err = w.work(context.Background())
	var own *sqlbox.Error
	if err != nil && !errors.As(err, &own) {
		own = explained(err)
	}
	if own != nil {
		if err := w.send(sqlbox.FrameError, own); err != nil {
			return 1
		}
	}
	return 0
}

type worker struct {
	in      *bufio.Reader
	out     *bufio.Writer
	memory  int64
	threads int
	job     sqlbox.Job
	zone    *time.Location
}

func (w *worker) send(kind byte, v any) error {
	payload, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write answer: %w", err)
	}
	if err := sqlbox.WriteFrame(w.out, kind, payload); err != nil {
		return fmt.Errorf("write answer: %w", err)
	}
	return w.out.Flush()
}

func (w *worker) work(ctx context.Context) error {
	kind, payload, err := sqlbox.ReadFrame(w.in, sqlbox.MaxFrame)
	if err != nil || kind != sqlbox.FrameJob || json.Unmarshal(payload, &w.job) != nil {
		return errors.New("no job")
	}
	if len(w.job.Statement) > maxStatement {
		return failed(sqlbox.Invalid, "a statement has at most %d bytes", maxStatement)
	}
	if w.zone, err = time.LoadLocation(w.job.Zone); err != nil { // now, as it may be a file
		w.zone = time.UTC
	}
	connector, err := duckdb.NewConnector(":memory:?autoinstall_known_extensions=false&autoload_known_extensions=false", nil)
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(1)
	conn, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	if err := w.prepare(ctx, conn); err != nil {
		return err
	}
	if err := confine(); err != nil { // from here on the process can compute, read its input and write its answer
		return err
	}
	statement, needs, err := w.parse(ctx, conn)
	if err != nil {
		return err
	}
	if err := w.send(sqlbox.FrameNeeds, needs); err != nil {
		return err
	}
	if err := w.load(ctx, conn, needs); err != nil {
		return err
	}
	go func() { // the server closes its end when nobody waits any longer, or is gone
		_, _ = io.Copy(io.Discard, w.in)
		os.Exit(1)
	}()
	return w.run(ctx, conn, statement)
}

// own is the schema of the tables behind the views.
const own = "own"

// prepare makes the database as the statement finds it, but for the views.
func (w *worker) prepare(ctx context.Context, conn *sql.Conn) error {
	for _, s := range []string{
		fmt.Sprintf("SET memory_limit='%dB'", w.memory),
		fmt.Sprintf("SET threads=%d", w.threads),
		"SET temp_directory=''",
		"SET enable_external_access=false",
		"SET allow_community_extensions=false",
		"SET enable_logging=false",
		"SET python_enable_replacements=false",
		"SET lambda_syntax='ENABLE_SINGLE_ARROW'",
		"SET TimeZone=" + literal(w.job.Zone),
		"CREATE SCHEMA " + own,
	} {
		if _, err := conn.ExecContext(ctx, s); err != nil && !strings.Contains(err.Error(), "unrecognized configuration parameter") {
			return err
		}
	}
	return nil
}

// parse has the database read the statement, compares it with what is permitted, and returns it as the database writes what it understood:
// what is run is what was looked at.
func (w *worker) parse(ctx context.Context, conn *sql.Conn) (statement string, needs sqlbox.Needs, err error) {
	var tree string
	if err := conn.QueryRowContext(ctx, "SELECT CAST(json_serialize_sql(CAST(? AS VARCHAR)) AS VARCHAR)", w.job.Statement).Scan(&tree); err != nil {
		return "", nil, err
	}
	needs, refused := check(w.job.Statement, []byte(tree), w.job.Views)
	if refused != nil {
		return "", nil, refused
	}
	err = conn.QueryRowContext(ctx, "SELECT json_deserialize_sql(CAST(? AS JSON))", tree).Scan(&statement)
	return statement, needs, err
}

// types are those of columns in the tables behind the views.
var types = map[sqlbox.Type]string{sqlbox.Text: "VARCHAR", sqlbox.Whole: "BIGINT", sqlbox.Number: "DOUBLE", sqlbox.Truth: "BOOLEAN", sqlbox.Time: "BIGINT"}

// load reads the rows into tables, makes the views over them, and ends all that may be set.
func (w *worker) load(ctx context.Context, conn *sql.Conn, needs sqlbox.Needs) error {
	tables := make([]*table, len(w.job.Views))
	for i, v := range w.job.Views {
		names, ok := needs[v.Name]
		if !ok {
			continue
		}
		t, err := newTable(ctx, conn, v, names)
		if err != nil {
			return err
		}
		tables[i] = t
	}
	for {
		kind, payload, err := sqlbox.ReadFrame(w.in, sqlbox.MaxFrame)
		if err != nil {
			return err
		}
		if kind == sqlbox.FrameRun {
			break
		}
		b := sqlbox.NewBlock(payload)
		at, n, ok := b.Head()
		if kind != sqlbox.FrameRows || !ok || at >= len(tables) || tables[at] == nil {
			return sqlbox.ErrBlock
		}
		if err := tables[at].add(b, n); err != nil {
			return err
		}
	}
	for _, t := range tables {
		if t == nil {
			continue
		}
		if err := t.appender.Close(); err != nil {
			return err
		}
	}
	_, err := conn.ExecContext(ctx, "SET lock_configuration=true")
	return err
}

// table is a table behind a view.
type table struct {
	appender *duckdb.Appender
	types    []sqlbox.Type
	columns  events.Columns
	row      []driver.Value
}

func newTable(ctx context.Context, conn *sql.Conn, v sqlbox.View, names []string) (*table, error) {
	t := &table{row: make([]driver.Value, len(names))}
	var stored, shown []string
	for _, name := range names {
		i := slices.IndexFunc(v.Columns, func(c sqlbox.Column) bool { return c.Name == name })
		typ := v.Columns[i].Type
		t.types = append(t.types, typ)
		stored = append(stored, identifier(name)+" "+types[typ])
		value := identifier(name)
		if typ == sqlbox.Time {
			value = "make_timestamptz(" + value + " * 1000) AS " + value
		}
		shown = append(shown, value)
	}
	for _, s := range []string{
		"CREATE TABLE " + own + "." + identifier(v.Name) + " (" + strings.Join(stored, ", ") + ")",
		"CREATE VIEW " + identifier(v.Name) + " AS SELECT " + strings.Join(shown, ", ") + " FROM " + own + "." + identifier(v.Name),
	} {
		if _, err := conn.ExecContext(ctx, s); err != nil {
			return nil, err
		}
	}
	err := conn.Raw(func(c any) (err error) {
		raw, ok := c.(driver.Conn)
		if !ok {
			return fmt.Errorf("a connection of type %T", c)
		}
		t.appender, err = duckdb.NewAppenderFromConn(raw, own, v.Name)
		return err
	})
	return t, err
}

// add adds the rows of a block.
func (t *table) add(b *sqlbox.Block, n int) error {
	if err := b.Columns(n, t.types, &t.columns); err != nil {
		return err
	}
	for i := range n {
		for j, typ := range t.types {
			col := &t.columns.List[j]
			switch {
			case col.Null != nil && col.Null[i]:
				t.row[j] = nil
			case typ == sqlbox.Text:
				t.row[j] = col.Text[i]
			case typ == sqlbox.Number:
				t.row[j] = col.Number[i]
			case typ == sqlbox.Truth:
				t.row[j] = col.Whole[i] == 1
			default:
				t.row[j] = col.Whole[i]
			}
		}
		if err := t.appender.AppendRow(t.row...); err != nil {
			return err
		}
	}
	return nil
}

// someRows is how many rows go in a frame, at most some more than someBytes of them.
const (
	someRows  = 500
	someBytes = 1 << 20
)

// run runs the statement and sends its result.
func (w *worker) run(ctx context.Context, conn *sql.Conn, statement string) error {
	// The result is kept as a table first, whose rows can be counted: a result that is read as it is made may end before its end, when
	// memory is short, and the driver does not tell.
	result := own + ".result"
	if _, err := conn.ExecContext(ctx, "CREATE TABLE "+result+" AS SELECT * FROM ("+statement+"\n) AS result LIMIT "+strconv.Itoa(w.job.Rows+1)); err != nil {
		return err
	}
	var want int
	if err := conn.QueryRowContext(ctx, "SELECT count(*) FROM "+result).Scan(&want); err != nil {
		return err
	}
	rows, err := conn.QueryContext(ctx, "SELECT * FROM "+result)
	if err != nil {
		return err
	}
	kinds, err := rows.ColumnTypes()
	if err != nil {
		return err
	}
	columns := make([]sqlbox.ResultColumn, len(kinds))
	for i, k := range kinds {
		columns[i] = sqlbox.ResultColumn{Name: k.Name(), Type: k.DatabaseTypeName()}
	}
	if err := w.send(sqlbox.FrameColumns, columns); err != nil {
		return err
	}
	values, dest := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		dest[i] = &values[i]
	}
	var some []json.RawMessage
	n, size := 0, 0
	for ; n < w.job.Rows && rows.Next(); n++ {
		if err := rows.Scan(dest...); err != nil {
			return err
		}
		row := make([]any, len(values))
		for i, v := range values {
			row[i] = shown(v, columns[i].Type, w.zone)
		}
		raw, err := json.Marshal(row)
		if err != nil {
			return err
		}
		some, size = append(some, raw), size+len(raw)
		if len(some) == someRows || size > someBytes {
			if err := w.send(sqlbox.FrameValues, some); err != nil {
				return err
			}
			some, size = some[:0], 0
		}
	}
	if err := rows.Err(); err != nil {
		return err
	}
	if n < min(want, w.job.Rows) {
		return failed(sqlbox.Memory, "the statement needs more memory than it may use")
	}
	if err := w.send(sqlbox.FrameValues, some); err != nil {
		return err
	}
	return w.send(sqlbox.FrameDone, want > w.job.Rows)
}

// exact is the largest whole number that every reader of JSON takes as it is.
const exact = 1 << 53

// shown is a value as an answer has it: null, a truth value, a number, a text, or a list or an object of these.
func shown(v any, typ string, zone *time.Location) any {
	switch v := v.(type) {
	case nil, bool, string, int8, int16, int32, uint8, uint16, uint32:
		return v
	case int64:
		if v > exact || v < -exact {
			return strconv.FormatInt(v, 10)
		}
		return v
	case uint64:
		if v > exact {
			return strconv.FormatUint(v, 10)
		}
		return v
	case float32:
		return finite(float64(v))
	case float64:
		return finite(v)
	case *big.Int:
		if v.IsInt64() {
			return shown(v.Int64(), typ, zone)
		}
		return v.String()
	case duckdb.Decimal:
		return json.Number(v.String())
	case time.Time:
		return moment(v, typ, zone)
	case []byte:
		return string(v)
	case duckdb.Interval:
		return fmt.Sprintf("%d months %d days %v", v.Months, v.Days, time.Duration(v.Micros)*time.Microsecond)
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = shown(e, "", zone)
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			out[k] = shown(e, "", zone)
		}
		return out
	case duckdb.Map:
		out := map[string]any{}
		for k, e := range v {
			out[fmt.Sprint(shown(k, "", zone))] = shown(e, "", zone)
		}
		return out
	case fmt.Stringer:
		return v.String()
	}
	return fmt.Sprint(v)
}

// finite is a number; what JSON has no number for is text.
func finite(f float64) any {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return f
}

func moment(t time.Time, typ string, zone *time.Location) string {
	switch {
	case typ == "DATE":
		return t.Format("2006-01-02")
	case typ == "TIME":
		return t.Format("15:04:05.999999")
	case strings.HasSuffix(typ, "TZ") || strings.Contains(typ, "WITH TIME ZONE"):
		return t.In(zone).Format("2006-01-02T15:04:05.999Z07:00")
	}
	return t.Format("2006-01-02T15:04:05.999999")
}

// maxMessage bounds what is said of an error, bytes.
const maxMessage = 2000

// explained says why the database has no result.
func explained(err error) *sqlbox.Error {
	msg := strings.ToValidUTF8(err.Error(), "�")
	if len(msg) > maxMessage {
		msg = strings.ToValidUTF8(msg[:maxMessage], "") + " …"
	}
	var de *duckdb.Error
	if errors.As(err, &de) && de.Type == duckdb.ErrorTypeOutOfMemory || strings.Contains(msg, "Out of Memory") || strings.Contains(msg, "bad_alloc") || strings.Contains(msg, "could not allocate") {
		return failed(sqlbox.Memory, "the statement needs more memory than it may use")
	}
	for _, rest := range []string{"\n\nLINE ", "\nCandidate bindings:", "\nDid you mean"} { // they show what the statement became, and name too few columns
		msg, _, _ = strings.Cut(msg, rest)
	}
	return &sqlbox.Error{Kind: sqlbox.Invalid, Msg: strings.ReplaceAll(msg, own+".", "")}
}

func identifier(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

func literal(text string) string { return "'" + strings.ReplaceAll(text, "'", "''") + "'" }

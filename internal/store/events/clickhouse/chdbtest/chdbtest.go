// Package chdbtest runs ClickHouse's engine in the process of a test: libchdb, which npm's package
// @chdb/lib-linux-x64-gnu brings, loaded at run time.
package chdbtest

/*
#cgo LDFLAGS: -ldl
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>

typedef void **connection;
typedef void *result;

static connection (*connect_fn)(int, char **);
static void (*close_fn)(connection);
static result (*query_fn)(void *, const char *, size_t, const char *, size_t);
static void (*free_fn)(result);
static char *(*buffer_fn)(result);
static size_t (*length_fn)(result);
static const char *(*error_fn)(result);
static uint64_t (*rows_fn)(result);
static void (*signals_fn)(_Bool);

static const char *load(const char *path) {
	void *lib = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	if (!lib) return dlerror();
	connect_fn = dlsym(lib, "chdb_connect");
	close_fn = dlsym(lib, "chdb_close_conn");
	query_fn = dlsym(lib, "chdb_query_n");
	free_fn = dlsym(lib, "chdb_destroy_query_result");
	buffer_fn = dlsym(lib, "chdb_result_buffer");
	length_fn = dlsym(lib, "chdb_result_length");
	error_fn = dlsym(lib, "chdb_result_error");
	rows_fn = dlsym(lib, "chdb_result_storage_rows_read");
	signals_fn = dlsym(lib, "chdb_set_signal_handlers_enabled");
	if (!connect_fn || !close_fn || !query_fn || !free_fn || !buffer_fn || !length_fn || !error_fn || !rows_fn) return "a function is missing";
	if (signals_fn) signals_fn(0);
	return NULL;
}

static connection do_connect(const char *path, const char *config) {
	char *args[] = {"clickhouse", (char *)config, "--path", (char *)path};
	return connect_fn(4, args);
}
static void do_close(connection c) { close_fn(c); }
static result do_query(connection c, const char *q, size_t n, const char *format, size_t length) {
	return query_fn(*c, q, n, format, length);
}
static void do_free(result r) { free_fn(r); }
static char *do_buffer(result r) { return buffer_fn(r); }
static size_t do_length(result r) { return length_fn(r); }
static const char *do_error(result r) { return error_fn(r); }
static uint64_t do_rows(result r) { return rows_fn(r); }
*/
import "C"

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"quipu/internal/testkit/need"
)

// Engine is an engine that keeps its tables in memory. Its calls take turns. A process has one.
type Engine struct {
	mu    sync.Mutex
	conn  C.connection
	noted map[string]string // see Together

	connect func() C.connection
	beside  struct {
		mu   sync.Mutex
		conn C.connection // nil until Beside is called
	}
}

// library is where npm puts the library, from the folder of a package two below internal/store.
const library = "e2e/node_modules/@chdb/lib-linux-x64-gnu/libchdb.so"

// Open starts the engine. Without the library the test is skipped, or, where CI is set, fails.
func Open(tb testing.TB) *Engine {
	tb.Helper()
	return OpenIn(tb, tb.TempDir())
}

// OpenIn is Open in a folder, where the engine finds what an earlier one left.
func OpenIn(tb testing.TB, folder string) *Engine {
	tb.Helper()
	path := find()
	if path == "" {
		need.Missing(tb, "ClickHouse's library is not there: run npm ci in e2e, on Linux for x64")
	}
	name := C.CString(path)
	defer C.free(unsafe.Pointer(name))
	if msg := C.load(name); msg != nil {
		tb.Fatalf("load %s: %s", path, C.GoString(msg))
	}
	file := filepath.Join(tb.TempDir(), "config.xml")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		tb.Fatal(err)
	}
	e := &Engine{noted: map[string]string{}, connect: func() C.connection {
		dir, settings := C.CString(folder), C.CString("--config-file="+file)
		defer C.free(unsafe.Pointer(dir))
		defer C.free(unsafe.Pointer(settings))
		return C.do_connect(dir, settings)
	}}
	if e.conn = e.connect(); e.conn == nil {
		tb.Fatal("the engine does not start")
	}
	// Tables of tests are small: neither threads nor compiled expressions pay.
	if _, err := e.Query("SET max_threads = 1, compile_expressions = 0, compile_aggregate_expressions = 0, compile_sort_description = 0"); err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		e.beside.mu.Lock()
		defer e.beside.mu.Unlock()
		if e.beside.conn != nil {
			C.do_close(e.beside.conn)
		}
		e.mu.Lock()
		defer e.mu.Unlock()
		C.do_close(e.conn)
	})
	return e
}

// The names of clusters that the engine knows: of one shard, and of two. All shards are the engine itself, which takes for itself what has the port that it would listen on;
// package chtest has each of two see its own rows only.
const (
	Cluster = "alone"
	Two     = "two"
)

const (
	shard  = "<shard><internal_replication>true</internal_replication><replica><host>127.0.0.1</host><port>9000</port></replica></shard>"
	config = "<clickhouse><tcp_port>9000</tcp_port><remote_servers><" + Cluster + ">" + shard + "</" + Cluster + "><" + Two + ">" + shard + shard + "</" + Two + "></remote_servers>" +
		"<macros><shard>1</shard><replica>one</replica></macros></clickhouse>\n"
)

// Found reports whether the library is there.
func Found() bool { return find() != "" }

// find looks for the library in the folders above.
func find() string {
	dir, err := os.Getwd()
	for err == nil {
		path := filepath.Join(dir, library)
		if _, err := os.Stat(path); err == nil {
			return path
		}
		above := filepath.Dir(dir)
		if above == dir {
			break
		}
		dir = above
	}
	return ""
}

// Answer is the result of a statement in a format, and how many rows were read for it.
type Answer struct {
	Data []byte
	Read int64
}

// Raw runs a statement and returns the result in a format. The statements of one call of Together are run without those of others between them.
func (e *Engine) Raw(statement []byte, format string) (out []byte, err error) {
	err = e.Together(func(raw func([]byte, string) (Answer, error), _ map[string]string) error {
		answer, err := raw(statement, format)
		out = answer.Data
		return err
	})
	return out, err
}

// Together calls fn with Raw, which is for fn only, and with what earlier calls noted of the settings that they left behind.
func (e *Engine) Together(fn func(raw func(statement []byte, format string) (Answer, error), noted map[string]string) error) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return fn(e.raw, e.noted)
}

func (e *Engine) raw(statement []byte, format string) (Answer, error) {
	return ask(e.conn, statement, format)
}

func ask(conn C.connection, statement []byte, format string) (Answer, error) {
	text, form := C.CBytes(statement), C.CString(format)
	defer C.free(text)
	defer C.free(unsafe.Pointer(form))
	r := C.do_query(conn, (*C.char)(text), C.size_t(len(statement)), form, C.size_t(len(format)))
	if r == nil {
		return Answer{}, errors.New("no result")
	}
	defer C.do_free(r)
	if msg := C.do_error(r); msg != nil {
		return Answer{}, fmt.Errorf("clickhouse: %s", C.GoString(msg))
	}
	return Answer{Data: C.GoBytes(unsafe.Pointer(C.do_buffer(r)), C.int(C.do_length(r))), Read: int64(C.do_rows(r))}, nil // there are not so many
}

// Query runs a statement and returns its rows: nil, bool, int64, float64, string and what JSON makes of other types.
func (e *Engine) Query(statement string) (rows [][]any, err error) {
	answer, err := e.Raw([]byte(statement), rowsFormat)
	if err != nil {
		return nil, err
	}
	return rowsOf(answer)
}

// Beside is Query while other calls are under way. It is for what concerns these: to look at them, and to end them.
func (e *Engine) Beside(statement string) ([][]any, error) {
	e.beside.mu.Lock()
	defer e.beside.mu.Unlock()
	if e.beside.conn == nil {
		if e.beside.conn = e.connect(); e.beside.conn == nil {
			return nil, errors.New("the engine takes no second connection")
		}
	}
	answer, err := ask(e.beside.conn, []byte(statement), rowsFormat)
	if err != nil {
		return nil, err
	}
	return rowsOf(answer.Data)
}

// rowsFormat is that of rowsOf.
const rowsFormat = "JSONCompactEachRowWithNamesAndTypes"

// rowsOf returns the rows of an answer.
func rowsOf(answer []byte) (rows [][]any, err error) {
	if len(answer) == 0 {
		return nil, nil
	}
	d := json.NewDecoder(bytes.NewReader(answer))
	d.UseNumber()
	var types []string
	for n := 0; d.More(); n++ {
		var row []any
		if err := d.Decode(&row); err != nil {
			return nil, fmt.Errorf("clickhouse: %w", err)
		}
		switch n {
		case 0: // names
		case 1:
			for _, typ := range row {
				types = append(types, fmt.Sprint(typ))
			}
		default:
			if err := numbers(row, types); err != nil {
				return nil, fmt.Errorf("clickhouse: %w", err)
			}
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// numbers gives the numbers of a row the types of their columns.
func numbers(row []any, types []string) (err error) {
	for i, v := range row {
		n, ok := v.(json.Number)
		switch {
		case !ok:
		case strings.Contains(types[i], "Int"):
			row[i], err = n.Int64()
		default:
			row[i], err = n.Float64()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

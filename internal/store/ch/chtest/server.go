// Package chtest serves ClickHouse's HTTP interface in the process of a test. Statements are run by ClickHouse's engine, libchdb; what the
// engine as a library lacks is here: the interface, its settings in the address, and faults that a test asks for.
package chtest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"quipu/internal/store/ch"
	"quipu/internal/store/events/clickhouse/chdbtest"
	"quipu/internal/testkit/need"
	"quipu/internal/testkit/respawn"
)

// Fault is what happens to a request.
type Fault uint8

// The faults.
const (
	None     Fault = iota
	Cut            // the connection ends before the statement is run
	Lost           // the statement is run, and the connection ends before the answer
	Half           // the connection ends in the middle of the answer
	Midway         // the server fails in the middle of the answer and says so, as ClickHouse does
	Overload       // the server refuses: too many statements at a time
	Denied         // the user lacks a right
	Away           // the statement is run, and the server says that a replica which is away will do it later
	Late           // the statement is run, and the server says that not all servers of the cluster did so in time
	Before         // the server refuses: another insert into the table has no quorum yet
)

// Request is one that came in.
type Request struct {
	Number int    // from 1, since the last call of Faults
	Text   string // of the statement, without the data of an insert
}

// Server is a server that can be stopped, cut and slowed down. Users and passwords are checked when there are some.
type Server struct {
	engine   *chdbtest.Engine
	dir      string
	handler  http.Handler
	listener string // its address, once it has one
	tls      bool

	// User and Password are wanted of clients, unless both are "". They are set before the first request.
	User, Password string
	// Profile has settings of that user which requests do not set.
	Profile url.Values

	mu     sync.Mutex
	shards map[string][]string // by database with tables on two shards: which rows of its tables each of them has
	server *httptest.Server
	plan   func(Request) Fault
	slow   time.Duration
	ahead  time.Duration
	seen   int
}

// Start serves an engine on loopback until the test ends.
func Start(tb testing.TB, e *chdbtest.Engine) *Server {
	tb.Helper()
	s := &Server{engine: e, dir: tb.TempDir()}
	s.begin(tb)
	return s
}

// Process is a server that is a process of its own, which can be killed and started again on what it left.
type Process struct {
	*respawn.Process
	spec spec
}

// spec is what the process is started with.
type spec struct {
	Address, Dir string
	Databases    []string
}

// Respawned is the name under which respawn.Main has Serve.
const Respawned = "clickhouse"

// Serve starts a server in this process, for respawn.Main.
func Serve(tb testing.TB, text []byte) {
	tb.Helper()
	var p spec
	if err := json.Unmarshal(text, &p); err != nil {
		tb.Fatal(err)
	}
	s := &Server{engine: chdbtest.OpenIn(tb, p.Dir), dir: tb.TempDir(), listener: p.Address}
	for _, database := range p.Databases {
		if _, err := s.engine.Query("CREATE DATABASE IF NOT EXISTS " + database); err != nil {
			tb.Fatal(err)
		}
	}
	s.begin(tb)
}

// StartApart starts a server that has a database, as a process of its own. The package's TestMain has to call respawn.Main.
func StartApart(tb testing.TB, database string) *Process {
	tb.Helper()
	if !chdbtest.Found() {
		need.Missing(tb, "ClickHouse's library is not there: run npm ci in e2e, on Linux for x64")
	}
	port, err := need.Port()
	if err != nil {
		tb.Fatal(err)
	}
	p := &Process{spec: spec{Address: net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), Dir: tb.TempDir(), Databases: []string{database}}}
	p.Process = respawn.Start(tb, Respawned, p.spec)
	return p
}

// Address is that of the server, which it keeps.
func (p *Process) Address() string { return "http://" + p.spec.Address }

// StartTLS is Start with TLS; the certificate is that of package httptest.
func StartTLS(tb testing.TB, e *chdbtest.Engine) *Server {
	tb.Helper()
	s := &Server{engine: e, dir: tb.TempDir(), tls: true}
	s.begin(tb)
	return s
}

func (s *Server) begin(tb testing.TB) {
	tb.Helper()
	s.handler = http.HandlerFunc(s.serve)
	s.Resume(tb)
	tb.Cleanup(s.Stop)
}

// Address is that of the server, which it keeps.
func (s *Server) Address() string {
	if s.tls {
		return "https://" + s.listener
	}
	return "http://" + s.listener
}

// HTTP is the server that runs now, for its certificate.
func (s *Server) HTTP() *httptest.Server {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.server
}

// Stop ends the server and all connections.
func (s *Server) Stop() {
	s.mu.Lock()
	h := s.server
	s.server = nil
	s.mu.Unlock()
	if h != nil {
		h.CloseClientConnections()
		h.Close()
	}
}

// Resume starts a server that was stopped, at the same address.
func (s *Server) Resume(tb testing.TB) {
	tb.Helper()
	address := s.listener
	if address == "" {
		address = "127.0.0.1:0"
	}
	l, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", address)
	if err != nil {
		tb.Fatal(err)
	}
	h := httptest.NewUnstartedServer(s.handler)
	_ = h.Listener.Close() // another one takes its place
	h.Listener = l
	if s.tls {
		h.StartTLS()
	} else {
		h.Start()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.server, s.listener = h, l.Addr().String()
}

// Faults has plan decide what happens to each request from now on; nil = nothing happens to any.
func (s *Server) Faults(plan func(Request) Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.plan, s.seen = plan, 0
}

// Slow has each request wait before it is served.
func (s *Server) Slow(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.slow = d
}

// Ahead has the server's clock, as clients read it, go ahead of that of the machine.
func (s *Server) Ahead(d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ahead = d
}

// databases counts those of a process.
var databases atomic.Int64 // an engine, which a process has one of, keeps them

// Client makes a database and returns a client of it.
func (s *Server) Client(tb testing.TB, more ...func(*ch.Options)) *ch.Client {
	tb.Helper()
	name := fmt.Sprintf("quipu_%d", databases.Add(1))
	if _, err := s.engine.Query("CREATE DATABASE " + name); err != nil {
		tb.Fatal(err)
	}
	o := ch.Options{Addresses: []string{s.Address()}, Database: name, User: s.User, Password: s.Password}
	for _, m := range more {
		m(&o)
	}
	c, err := ch.New(o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(c.Close)
	return c
}

// next returns what happens to a request.
func (s *Server) next(text string) (Fault, time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen++
	if s.plan == nil {
		return None, s.slow
	}
	return s.plan(Request{Number: s.seen, Text: text}), s.slow
}

// serve answers a request as ClickHouse's HTTP interface does.
func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return // the client is gone
	}
	params := r.URL.Query()
	text, data := params.Get("query"), body
	if text == "" {
		text, data = string(body), nil
	}
	fault, slow := s.next(text)
	if slow > 0 {
		select {
		case <-time.After(slow):
		case <-r.Context().Done():
			return
		}
	}
	switch {
	case fault == Cut:
		panic(http.ErrAbortHandler)
	case fault == Overload:
		fail(w, 202, "Code: 202. DB::Exception: Too many simultaneous queries. (TOO_MANY_SIMULTANEOUS_QUERIES)")
		return
	case fault == Denied:
		fail(w, 497, "Code: 497. DB::Exception: "+s.User+": Not enough privileges. To execute this query, it's necessary to have the grant CREATE TABLE. (ACCESS_DENIED)")
		return
	case fault == Before:
		fail(w, 286, "Code: 286. DB::Exception: Quorum for previous write has not been satisfied yet. (UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE)")
		return
	case r.Method != http.MethodPost:
		fail(w, 164, "Code: 164. DB::Exception: Only POST may change anything. (READONLY)")
		return
	case r.Header.Get("X-Clickhouse-User") != s.User || r.Header.Get("X-Clickhouse-Key") != s.Password:
		fail(w, 516, "Code: 516. DB::Exception: Authentication failed. (AUTHENTICATION_FAILED)")
		return
	}
	s.mu.Lock()
	ahead := s.ahead
	s.mu.Unlock()
	if ahead != 0 && data == nil {
		text = strings.ReplaceAll(text, "now64(3)", fmt.Sprintf("(now64(3) + INTERVAL %d SECOND)", int(ahead.Seconds())))
	}
	whole := params.Get(waits) == "1"
	params.Del(waits) // is no setting
	for key, values := range s.Profile {
		if !params.Has(key) {
			params[key] = values
		}
	}
	answer, err := s.run(r.Context(), params, text, data)
	switch {
	case fault == Lost:
		panic(http.ErrAbortHandler)
	case fault == Away && err == nil:
		fail(w, 341, "Code: 341. DB::Exception: Mutation is not finished because some replicas are inactive right now: r2. Mutation will be done asynchronously. (UNFINISHED)")
		return
	case fault == Late && err == nil:
		fail(w, 159, "Code: 159. DB::Exception: Watching task is executing longer than distributed_ddl_task_timeout. (TIMEOUT_EXCEEDED)")
		return
	}
	if err != nil {
		message := strings.TrimPrefix(err.Error(), "clickhouse: ")
		code := 0
		if m := codeForm().FindStringSubmatch(message); m != nil {
			code, _ = strconv.Atoi(m[1])
		}
		fail(w, code, message)
		return
	}
	// The head of an answer says what was read when it left: without being told to wait, a server may have sent it before it read anything.
	read := int64(0)
	if whole {
		read = answer.Read
	}
	w.Header().Set("X-Clickhouse-Summary", fmt.Sprintf(`{"read_rows":"%d","written_rows":"0","total_rows_to_read":"0"}`, read))
	give(w, fault, answer.Data)
}

// onCluster finds what has a statement run on all servers of a cluster, for which they need a keeper that the library lacks.
func onCluster() *regexp.Regexp {
	return regexp.MustCompile("^((?:CREATE|ALTER|DROP) (?:TABLE|DATABASE) (?:IF (?:NOT )?EXISTS )?\\w+) ON CLUSTER `\\w+`")
}

func codeForm() *regexp.Regexp { return regexp.MustCompile(`Code: (\d+)`) }

// fail answers with an exception.
func fail(w http.ResponseWriter, code int, message string) {
	w.Header().Set("X-Clickhouse-Exception-Code", strconv.Itoa(code))
	status := http.StatusInternalServerError
	switch code {
	case 516:
		status = http.StatusForbidden
	case 60, 81, 47, 62:
		status = http.StatusNotFound
	}
	http.Error(w, message, status)
}

// give writes an answer, or the part of it that the fault lets through.
func give(w http.ResponseWriter, fault Fault, answer []byte) {
	w.Header().Set("X-Clickhouse-Format", "Native")
	if fault == Half || fault == Midway {
		answer = answer[:len(answer)/2]
	}
	for len(answer) > 0 { // in chunks, so that the head says nothing about the length
		n := min(len(answer), 1<<20)
		if _, err := w.Write(answer[:n]); err != nil {
			return
		}
		answer = answer[n:]
	}
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
	if fault == Half {
		panic(http.ErrAbortHandler)
	}
	if fault == Midway {
		_, _ = io.WriteString(w, "\r\n__exception__\r\nabcdefghijklmnop\r\nCode: 241. DB::Exception: Query memory limit exceeded: would use 1.00 GiB. (MEMORY_LIMIT_EXCEEDED) (version 26.5)\n93 abcdefghijklmnop\r\n__exception__\r\n")
	}
}

// apart has the two shards of a cluster, which are the same engine and so the same tables, see different rows: those for which the key of the Distributed table, which is
// made, chooses a shard. Rows are then there once, but names of inserts cannot be told apart.
func (s *Server) apart(params url.Values, text string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	database := params.Get("database")
	if strings.HasPrefix(text, "CREATE TABLE") && strings.Contains(text, " ON CLUSTER `"+chdbtest.Two+"`") {
		if m := distributed().FindStringSubmatch(text); m != nil {
			if s.shards == nil {
				s.shards = map[string][]string{}
			}
			s.shards[database] = append(s.shards[database], fmt.Sprintf("'%s.%s': '%s + 1 = shardNum()'", database, m[1], m[2]))
		}
		return strings.Replace(text, "deduplication_window = 100000", "deduplication_window = 0", 1)
	}
	if list := s.shards[database]; len(list) > 0 && (strings.HasPrefix(text, "SELECT") || strings.HasPrefix(text, "WITH")) {
		params.Set("additional_table_filters", "{"+strings.Join(list, ", ")+"}")
	}
	return text
}

func distributed() *regexp.Regexp {
	return regexp.MustCompile("ENGINE = Distributed\\(`\\w+`, \\w+, (\\w+), (.+)\\)$")
}

// The settings by which a server knows that it may end a statement whose client is gone. Both are needed.
const (
	readonly  = "readonly"
	cancelled = "cancel_http_readonly_queries_on_client_close"
)

// waits is the parameter with which a server answers when it has the whole result.
const waits = "wait_end_of_query"

// statements counts those that only read.
var statements atomic.Int64 // an engine, which a process has one of, runs them

// readOnly gives a statement of a request what it has to have of its own, as the engine's only session would stay as it is: that it may not write. As a server does, it ends the statement when ctx is done,
// which it is when the client is gone, if the request says so. ended is to be called afterwards.
func (s *Server) readOnly(ctx context.Context, params url.Values, text string) (_ string, ended func()) {
	only, cancels := params.Get(readonly), params.Get(cancelled) == "1"
	params.Del(readonly)
	params.Del(cancelled)
	if only == "" || only == "0" {
		return text, func() {}
	}
	mark := fmt.Sprintf("'read %d'", statements.Add(1))
	text += " SETTINGS readonly = " + only + ", log_comment = " + mark
	if !cancels {
		return text, func() {}
	}
	done := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		again := time.NewTicker(10 * time.Millisecond) // a server looks for its client when the statement has read something more
		defer again.Stop()
		for {
			_, _ = s.engine.Beside("KILL QUERY WHERE Settings['log_comment'] = " + mark + " AND read_rows > 0 ASYNC") // again
			select {
			case <-done:
				return
			case <-again.C:
			}
		}
	})
	return text, func() {
		stop()
		close(done)
	}
}

// refusedReadOnly is what ClickHouse says to statements that write among those that read.
const refusedReadOnly = "Code: 164. DB::Exception: Cannot execute query in readonly mode. (READONLY)"

// run runs a statement in a database under settings.
func (s *Server) run(ctx context.Context, params url.Values, text string, data []byte) (answer chdbtest.Answer, err error) {
	text = s.apart(params, text)
	if params.Get(readonly) > "0" && !strings.HasPrefix(text, "SELECT") && !strings.HasPrefix(text, "WITH") {
		return answer, errors.New(refusedReadOnly) //nolint:staticcheck // as ClickHouse says it
	}
	text, ended := s.readOnly(ctx, params, text)
	defer ended()
	err = s.engine.Together(func(raw func([]byte, string) (chdbtest.Answer, error), noted map[string]string) error {
		for _, statement := range prepared(params, noted) {
			if _, err := raw([]byte(statement), "Null"); err != nil {
				clear(noted)
				return err
			}
		}
		if data != nil { // the library takes for the end of a statement what stands in the middle of its data
			path := filepath.Join(s.dir, "data")
			if err := os.WriteFile(path, data, 0o600); err != nil {
				return err
			}
			head, format, _ := strings.Cut(text, " FORMAT ")
			text = head + " FROM INFILE " + ch.Quote(path) + " COMPRESSION 'none' FORMAT " + format
		}
		answer, err = raw([]byte(onCluster().ReplaceAllString(text, "$1")), "Native")
		return err
	})
	return answer, err
}

// prepared are the statements that give the engine's only session the database and the settings of a request. What the one before left is noted.
func prepared(params url.Values, noted map[string]string) (out []string) {
	if database := params.Get("database"); noted["database"] != database {
		out, noted["database"] = append(out, "USE "+database), database
	}
	var set []string
	for key := range noted {
		if key != "database" && !params.Has(key) {
			set = append(set, key+" = DEFAULT")
			delete(noted, key)
		}
	}
	for key, values := range params {
		if key == "query" || key == "database" || noted[key] == values[0] {
			continue
		}
		value := ch.Quote(values[0])
		if strings.HasPrefix(values[0], "{") { // a map
			value = values[0]
		}
		set, noted[key] = append(set, key+" = "+value), values[0]
	}
	if len(set) > 0 {
		out = append(out, "SET "+strings.Join(set, ", "))
	}
	return out
}

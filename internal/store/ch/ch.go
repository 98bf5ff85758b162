// Package ch is a client of ClickHouse's HTTP interface, for the stores that lie there: statements, blocks of rows in the Native
// format in both directions, several addresses, and what a server's error means.
package ch

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"quipu/internal/fault"
)

// Options of New.
type Options struct {
	// Addresses are those of the servers, as https://host:8443. Each is a replica that has the same tables, and is tried when the
	// one before it cannot be used.
	Addresses []string
	// Database is the one that holds the tables; letters, digits and the underscore.
	Database string
	// Cluster says on which servers tables are.
	Cluster Cluster
	// User and Password are those of the server; "" = its default user, without a password.
	User, Password string
	// PasswordFile is a file that holds the password, PasswordVariable the name of a variable of the process's environment: instead of Password.
	PasswordFile, PasswordVariable string
	// CAFile has the certificates, in PEM, that sign those of the servers; "" = those of the system.
	CAFile string
	// Timeout bounds a statement whose context has no earlier deadline; 0 = 60 s.
	Timeout time.Duration
	// ReadMemory bounds what a statement that reads may take of a server's memory, bytes; 0 = what Find finds out. It holds after Find.
	ReadMemory int64
	// BlockBytes bounds what is held of a result at a time; 0 = 64 MiB. A row beyond it is clickhouse.too_large.
	BlockBytes int64
	// Room is asked before anything of a result is held; nil = nobody is.
	Room func() Claim
	// Dial makes connections; nil = a net.Dialer.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)
	// Logger is notified when another server is used; nil = nobody is.
	Logger *slog.Logger
}

// Claim is what a result holds of the memory.
type Claim interface {
	// Grow takes n bytes more, or fails.
	Grow(ctx context.Context, n int64) error
	// Leave gives everything back.
	Leave()
}

// Client sends statements. It is safe for concurrent use.
type Client struct {
	o     Options
	hosts []*url.URL
	at    atomic.Int64 // the address that is tried first
	http  *http.Client
	log   *slog.Logger

	shards atomic.Int64                      // of the cluster
	bounds atomic.Pointer[map[string]string] // settings that bound the memory of statements that read; nil before Find
}

// name is the form of a database's name, which needs no quotes.
var name = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]{0,63}$`)

// New checks the options and returns a client, which has not yet connected.
func New(o Options) (*Client, error) {
	var errs []error
	c := &Client{log: o.Logger}
	for i, a := range o.Addresses {
		u, err := url.Parse(a)
		// The address is not repeated, because it may hold a password.
		if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" || u.User != nil || u.RawQuery != "" || strings.Trim(u.Path, "/") != "" {
			errs = append(errs, fmt.Errorf("address %d must have the form https://HOST:PORT, without user, password and path", i+1))
			continue
		}
		u.Path = "/"
		c.hosts = append(c.hosts, u)
	}
	if len(o.Addresses) == 0 {
		errs = append(errs, errors.New("addresses are missing"))
	}
	if !name.MatchString(o.Database) {
		errs = append(errs, fmt.Errorf("database %q must consist of letters, digits and underscores", o.Database))
	}
	if o.Cluster.Name != "" && !name.MatchString(o.Cluster.Name) || o.Cluster.Name == "" && o.Cluster.Replicated {
		errs = append(errs, fmt.Errorf("cluster %q must consist of letters, digits and underscores", o.Cluster.Name))
	}
	if o.Timeout < 0 || o.ReadMemory < 0 || o.BlockBytes < 0 {
		errs = append(errs, errors.New("timeout, read memory and block bytes must not be negative"))
	}
	var err error
	if o.Password, err = o.password(); err != nil {
		errs = append(errs, err)
	}
	roots, err := o.roots()
	if err != nil {
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "clickhouse.options", "the ClickHouse settings are invalid")
	}
	if o.Timeout == 0 {
		o.Timeout = time.Minute
	}
	if o.BlockBytes == 0 {
		o.BlockBytes = 64 << 20
	}
	if c.log == nil {
		c.log = slog.New(slog.DiscardHandler)
	}
	c.o = o
	if o.Dial == nil {
		o.Dial = (&net.Dialer{Timeout: connectTimeout, KeepAlive: keepAlive}).DialContext
	}
	c.http = &http.Client{
		Transport: &http.Transport{
			DialContext: o.Dial, TLSHandshakeTimeout: connectTimeout, TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12},
			MaxIdleConnsPerHost: idleConns, IdleConnTimeout: idleTimeout, DisableCompression: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return c, nil
}

// The bounds of connections. A server closes one that is idle for ten seconds, in older versions for three.
const (
	connectTimeout = 5 * time.Second
	keepAlive      = 15 * time.Second
	idleConns      = 16
	idleTimeout    = 2 * time.Second
)

// password returns the password from wherever it is.
func (o *Options) password() (string, error) {
	given := 0
	for _, s := range []string{o.Password, o.PasswordFile, o.PasswordVariable} {
		if s != "" {
			given++
		}
	}
	switch {
	case given > 1:
		return "", errors.New("of password, password file and password variable only one can be given")
	case o.PasswordFile != "":
		text, err := os.ReadFile(o.PasswordFile)
		if err != nil {
			return "", fmt.Errorf("password file: %w", err)
		}
		return strings.TrimRight(string(text), "\r\n"), nil
	case o.PasswordVariable != "":
		text, ok := os.LookupEnv(o.PasswordVariable)
		if !ok {
			return "", fmt.Errorf("password variable %s is not set", o.PasswordVariable)
		}
		return text, nil
	}
	return o.Password, nil
}

// roots returns the certificates of CAFile, nil for those of the system.
func (o *Options) roots() (*x509.CertPool, error) {
	if o.CAFile == "" {
		return nil, nil // as crypto/tls has it
	}
	text, err := os.ReadFile(o.CAFile)
	if err != nil {
		return nil, fmt.Errorf("certificates: %w", err)
	}
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("certificates: none in %s", o.CAFile)
	}
	return pool, nil
}

// Close ends idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Database is that of the options.
func (c *Client) Database() string { return c.o.Database }

// Clock is the time of the server that answers.
func (c *Client) Clock(ctx context.Context) (at time.Time, err error) {
	err = c.Each(ctx, Statement{SQL: "SELECT toUnixTimestamp64Milli(now64(3))"}, func(b *Block, row int) error {
		at = time.UnixMilli(b.Columns[0].Whole[row])
		return nil
	})
	return at, err
}

// Statement is a statement with the values of its placeholders, each a ?. It may be run twice when an answer is lost.
type Statement struct {
	SQL      string
	Args     []any
	Settings map[string]string
	// Timeout is instead of that of the options; 0 = that one.
	Timeout time.Duration
	// Ordered is for tables of few rows by which it is decided what to do: on replicas, what is inserted comes in one order, and reads see all of it.
	Ordered bool
	// Read, if not nil, gets the number of rows that the server read, -1 if it does not say. The server then keeps the result until it is complete, on its disk if it is
	// large, and answers only then.
	Read *int64
}

// Exec runs a statement that returns nothing.
func (c *Client) Exec(ctx context.Context, st Statement) error {
	return c.do(ctx, st, nil, func(_ context.Context, body io.Reader) (bool, error) {
		text, err := io.ReadAll(io.LimitReader(body, exceptionBytes))
		if err == nil {
			err = midway(text)
		}
		return false, err
	})
}

// Insert adds the rows of a builder, which keeps them, in one block. The statement begins "INSERT INTO t (columns)".
func (c *Client) Insert(ctx context.Context, st Statement, b *Builder) error {
	if b.Rows() == 0 {
		return nil
	}
	st.SQL += " FORMAT Native"
	return c.do(ctx, st, b, func(_ context.Context, body io.Reader) (bool, error) {
		text, err := io.ReadAll(io.LimitReader(body, exceptionBytes))
		if err == nil {
			err = midway(text)
		}
		return false, err
	})
}

// Query runs a statement that reads, and calls fn for each block of its result, which is valid until fn returns. When ctx is done the server ends the statement.
func (c *Client) Query(ctx context.Context, st Statement, fn func(*Block) error) error {
	st.SQL += " FORMAT Native"
	st.Settings = with(c.reading(), st.Settings)
	claim := Claim(nobody{})
	if c.o.Room != nil {
		claim = c.o.Room()
	}
	defer claim.Leave()
	return c.do(ctx, st, nil, func(ctx context.Context, body io.Reader) (bool, error) {
		d := newDecoder(ctx, body, c.o.BlockBytes, claim)
		for given := false; ; given = true {
			b, err := d.next()
			if errors.Is(err, io.EOF) {
				return given, nil
			}
			if err != nil {
				return given, d.because(err)
			}
			if err := ctx.Err(); err != nil {
				return given, err
			}
			if err := fn(b); err != nil {
				return true, ours{err}
			}
		}
	})
}

// nobody is a claim where nobody is asked.
type nobody struct{}

func (nobody) Grow(context.Context, int64) error { return nil }
func (nobody) Leave()                            {}

// ours is an error of a caller's function, which is no fault of a server.
type ours struct{ error }

// timeout is how long a statement may take.
func (c *Client) timeout(st Statement) time.Duration { return cmp.Or(st.Timeout, c.o.Timeout) }

// maxQuery bounds the text of a statement, bytes.
const maxQuery = 256 << 20

// settings are those of every statement: results in blocks that are not large; inserts that are stored when they are answered.
func (c *Client) settings(st Statement) url.Values {
	v := url.Values{
		"database": {c.o.Database}, "max_query_size": {strconv.Itoa(maxQuery)}, "max_execution_time": {strconv.Itoa(int(c.timeout(st)/time.Second) + 1)},
		"max_block_size": {"8192"}, "async_insert": {"0"},
	}
	for key, value := range with(c.Place().settings(st.Ordered), st.Settings) {
		v.Set(key, value)
	}
	if st.Read != nil {
		v.Set("wait_end_of_query", "1") // what was read is in the head of the answer
	}
	return v
}

// reading are the settings of statements that read. A server ends a statement whose client is gone only where it knows that it writes nothing; with 2, unlike 1, such a statement may have settings.
func (c *Client) reading() map[string]string {
	out := map[string]string{"readonly": "2", "cancel_http_readonly_queries_on_client_close": "1"}
	if bounds := c.bounds.Load(); bounds != nil {
		maps.Copy(out, *bounds)
	}
	return out
}

// do sends a statement to one server after the other until one has done it. read reads the answer and says whether any of it was passed on: then
// it cannot be asked for again.
func (c *Client) do(ctx context.Context, st Statement, b *Builder, read func(context.Context, io.Reader) (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, c.timeout(st))
	defer cancel()
	for try := 1; ; try++ {
		err := c.anywhere(ctx, st, b, read)
		if !st.Ordered || try == orderTries || !contended(err) {
			return err
		}
		pause := time.NewTimer(orderPause)
		select {
		case <-ctx.Done():
			pause.Stop()
			return ctx.Err()
		case <-pause.C:
		}
	}
}

// anywhere sends a statement to one server after the other.
func (c *Client) anywhere(ctx context.Context, st Statement, b *Builder, read func(context.Context, io.Reader) (bool, error)) error {
	text, err := Bind(st.SQL, st.Args)
	if err != nil {
		return err
	}
	first := int(c.at.Load())
	for i := range c.hosts {
		host := c.hosts[(first+i)%len(c.hosts)]
		var given bool
		given, err = c.one(ctx, host, text, st, b, read)
		if mine, ok := errors.AsType[ours](err); ok {
			return mine.error
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err == nil || given || !elsewhere(err) {
			return err
		}
		if len(c.hosts) > 1 {
			c.at.Store(int64((first + i + 1) % len(c.hosts)))
			c.log.WarnContext(ctx, "a server of ClickHouse cannot be used, the next is tried", "host", host.Host, "error", err)
		}
	}
	return err
}

// one sends a statement to a server.
func (c *Client) one(ctx context.Context, host *url.URL, text string, st Statement, b *Builder, read func(context.Context, io.Reader) (bool, error)) (given bool, err error) {
	u, settings := *host, c.settings(st)
	if st.Read != nil {
		*st.Read = -1
	}
	var body io.Reader = strings.NewReader(text)
	size := int64(len(text))
	if b != nil {
		settings.Set("query", text)
		body, size = b.reader(), b.encoded()
	}
	u.RawQuery = settings.Encode()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, u.String(), body)
	if err != nil {
		return false, err
	}
	req.ContentLength = size
	if b != nil { // for a connection that turns out to be closed before anything was sent
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(b.reader()), nil }
	}
	if c.o.User != "" {
		req.Header.Set("X-Clickhouse-User", c.o.User)
	}
	if c.o.Password != "" {
		req.Header.Set("X-Clickhouse-Key", c.o.Password)
	}
	res, err := c.http.Do(req)
	if err != nil {
		if ue, ok := errors.AsType[*url.Error](err); ok {
			err = ue.Err // the address has the statement of an insert in it
		}
		return false, unreachable(err)
	}
	defer func() { _ = res.Body.Close() }() // what was read was checked
	if st.Read != nil {
		*st.Read = rowsRead(res.Header)
	}
	if res.StatusCode != http.StatusOK {
		text, err := io.ReadAll(io.LimitReader(res.Body, exceptionBytes))
		if err != nil {
			return false, unreachable(err)
		}
		code, _ := strconv.Atoi(res.Header.Get("X-Clickhouse-Exception-Code")) // 0 where it is not ClickHouse that answers
		return false, exception(code, string(text), res.StatusCode)
	}
	return read(ctx, res.Body)
}

// rowsRead is how many rows a server read for a statement, as the head of its answer says; -1 if it does not.
func rowsRead(h http.Header) int64 {
	var summary struct {
		ReadRows *int64 `json:"read_rows,string"`
	}
	if json.Unmarshal([]byte(h.Get("X-Clickhouse-Summary")), &summary) != nil || summary.ReadRows == nil {
		return -1
	}
	return *summary.ReadRows
}

package tracing

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
)

// maxAnswer bounds what is read of an answer, bytes.
const maxAnswer = 64 << 10

// client speaks OTLP over HTTP, in protobuf. That of OpenTelemetry brings gRPC into the binary.
type client struct {
	endpoint string
	headers  map[string]string
	http     *http.Client
}

func newClient(o Options) (*client, error) {
	t := &http.Transport{
		Proxy: http.ProxyFromEnvironment, DialContext: (&net.Dialer{Timeout: 10 * time.Second}).DialContext, TLSHandshakeTimeout: 10 * time.Second,
		MaxIdleConnsPerHost: 1, IdleConnTimeout: time.Minute, ForceAttemptHTTP2: true,
	}
	if o.CAFile != "" {
		roots, err := Roots(o.CAFile)
		if err != nil {
			return nil, err
		}
		t.TLSClientConfig = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	}
	return &client{endpoint: o.Endpoint, headers: o.Headers, http: &http.Client{
		Transport: t, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}, nil
}

// Roots reads certificates in PEM.
func Roots(path string) (*x509.CertPool, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(text) {
		return nil, fmt.Errorf("%s holds no certificate in PEM", path)
	}
	return roots, nil
}

// Start implements otlptrace.Client.
func (*client) Start(context.Context) error { return nil }

// Stop implements otlptrace.Client.
func (c *client) Stop(context.Context) error {
	c.http.CloseIdleConnections()
	return nil
}

// UploadTraces implements otlptrace.Client. The error is a *refusedError when the collector answered so, and a *partError when it took a part.
func (c *client) UploadTraces(ctx context.Context, spans []*tracepb.ResourceSpans) error {
	text, err := proto.Marshal(&tracepb.TracesData{ResourceSpans: spans}) // the same bytes as ExportTraceServiceRequest
	if err != nil {
		return fmt.Errorf("encode spans: %w", err)
	}
	var body bytes.Buffer
	z := gzip.NewWriter(&body)
	if _, err := z.Write(text); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.endpoint, &body)
	if err != nil {
		return err
	}
	for name, value := range c.headers {
		r.Header.Set(name, value)
	}
	r.Header.Set("Content-Type", "application/x-protobuf")
	r.Header.Set("Content-Encoding", "gzip")
	r.Header.Set("User-Agent", "quipu")
	res, err := c.http.Do(r)
	if err != nil {
		return err
	}
	answer, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer))
	if err = errors.Join(err, res.Body.Close()); err != nil {
		return err
	}
	if res.StatusCode/100 != 2 {
		after, _ := strconv.Atoi(res.Header.Get("Retry-After")) // a date is as good as none
		return &refusedError{status: res.StatusCode, after: time.Duration(max(after, 0)) * time.Second}
	}
	if n := rejected(answer); n > 0 {
		return &partError{n}
	}
	return nil
}

// refusedError says that the collector did not take a batch.
type refusedError struct {
	status int
	after  time.Duration // until it may be sent again, if the collector says so
}

// Error implements error.
func (e *refusedError) Error() string { return "the collector answered " + strconv.Itoa(e.status) }

// later reports whether the same batch may succeed later.
func (e *refusedError) later() bool {
	switch e.status {
	case http.StatusTooManyRequests, http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return true
	}
	return false
}

// wait is after; 0 for nil.
func (e *refusedError) wait() time.Duration {
	if e == nil {
		return 0
	}
	return e.after
}

// partError says that the collector rejected some spans of a batch, which are not to be sent again.
type partError struct{ rejected int64 }

// Error implements error.
func (e *partError) Error() string { return fmt.Sprintf("the collector rejected %d spans", e.rejected) }

// rejected reads how many spans an answer says were rejected: field 1 of field 1 of ExportTraceServiceResponse. What cannot be read is 0.
func rejected(answer []byte) int64 {
	partial, _ := field(answer, protowire.BytesType)
	_, n := field(partial, protowire.VarintType)
	return n
}

// field returns field 1 of a message.
func field(message []byte, want protowire.Type) (content []byte, number int64) {
	for len(message) > 0 {
		num, typ, n := protowire.ConsumeTag(message)
		if n < 0 {
			return nil, 0
		}
		message = message[n:]
		if num == 1 && typ == want {
			if typ == protowire.VarintType {
				v, _ := protowire.ConsumeVarint(message)
				return nil, int64(v) // a negative number is none
			}
			content, _ := protowire.ConsumeBytes(message)
			return content, 0
		}
		if n = protowire.ConsumeFieldValue(num, typ, message); n < 0 {
			return nil, 0
		}
		message = message[n:]
	}
	return nil, 0
}

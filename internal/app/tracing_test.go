package app_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	tracepb "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/protobuf/encoding/prototext"
	"google.golang.org/protobuf/proto"

	"quipu/internal/app"
)

// collector is a receiver of OTLP over HTTP.
type collector struct {
	*httptest.Server
	mu       sync.Mutex
	got      []*tracepb.ResourceSpans
	requests []*http.Request
	faults   []error
}

func newCollector(t *testing.T) *collector {
	t.Helper()
	c := &collector{}
	c.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var data tracepb.TracesData
		z, err := gzip.NewReader(r.Body)
		var text []byte
		if err == nil {
			text, err = io.ReadAll(z)
		}
		if err == nil {
			err = proto.Unmarshal(text, &data)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if err != nil {
			c.faults = append(c.faults, err)
		}
		c.got, c.requests = append(c.got, data.GetResourceSpans()...), append(c.requests, r)
		w.Header().Set("Content-Type", "application/x-protobuf")
	}))
	t.Cleanup(c.Close)
	return c
}

// spans returns what came.
func (c *collector) spans(t *testing.T) (out []*tracepb.Span) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, err := range c.faults {
		t.Error(err)
	}
	for _, r := range c.got {
		for _, s := range r.GetScopeSpans() {
			out = append(out, s.GetSpans()...)
		}
	}
	return out
}

// of returns the spans of a name.
func of(spans []*tracepb.Span, name string) (out []*tracepb.Span) {
	for _, s := range spans {
		if s.GetName() == name {
			out = append(out, s)
		}
	}
	return out
}

// about is an attribute of a span as text; "" = none.
func about(s *tracepb.Span, key string) string {
	for _, a := range s.GetAttributes() {
		if a.GetKey() == key {
			if v := a.GetValue().GetStringValue(); v != "" {
				return v
			}
			return strings.TrimSpace(prototext.MarshalOptions{}.Format(a.GetValue()))
		}
	}
	return ""
}

// TestTraces has a server send spans of everything that it does to a collector, and nothing of what clients sent.
func TestTraces(t *testing.T) {
	c := newCollector(t)
	r := newRig(t, func(cfg *app.Config) {
		cfg.MetricsListen = "127.0.0.1:0"
		cfg.Tracing.Endpoint, cfg.Tracing.Headers, cfg.Tracing.Attributes = c.URL, "x-key=a%20b", "deployment.environment.name=test"
	}, app.Process{})
	const trace, parent = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"
	ask := func(method, target, body, flags string) int {
		t.Helper()
		req := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
		if body != "" {
			req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		}
		if flags != "" {
			req.Header.Set("Traceparent", "00-"+trace+"-"+parent+"-"+flags)
		}
		w := httptest.NewRecorder()
		r.app.Handler().ServeHTTP(w, req)
		return w.Code
	}
	if status := ask("POST", "/i?app_key=k", "device_id=person-secret&events="+`[{"key":"e-secret","segmentation":{"s":"value-secret"}}]`, "01"); status != 200 {
		t.Fatalf("/i: %d", status)
	}
	if err := r.app.Flush(t.Context()); err != nil {
		t.Fatal(err)
	}
	if status, body, _ := r.get("/o", "method", "segmentation", "event", "e-secret", "period", "today", "bucket", "daily", "queryObject", `{"up.av":"1-secret"}`); status != 200 {
		t.Fatalf("drill: %d %s", status, body)
	}
	ask("GET", "/livez", "", "01")
	ask("GET", "/livez", "", "00") // not sampled by its caller
	ask("BREW-secret", "/o/nothing-secret?api_key=key-secret", "", "")
	r.end()

	spans := c.spans(t)
	for _, s := range spans {
		if text := prototext.Format(s); strings.Contains(text, "secret") || strings.Contains(text, r.id) {
			t.Errorf("a span holds what a client sent: %s", text)
		}
		if s.GetEndTimeUnixNano() < s.GetStartTimeUnixNano() {
			t.Errorf("%s ends before it begins", s.GetName())
		}
	}
	in := of(spans, "POST /i")
	if len(in) != 1 || hex.EncodeToString(in[0].GetTraceId()) != trace || hex.EncodeToString(in[0].GetParentSpanId()) != parent ||
		in[0].GetKind() != tracepb.Span_SPAN_KIND_SERVER || about(in[0], "http.route") != "/i" || about(in[0], "http.response.status_code") != "int_value:200" {
		t.Errorf("ingestion: %v", in)
	}
	batches := of(spans, "pipeline.batch")
	if len(batches) == 0 || about(batches[0], "quipu.records") == "" {
		t.Fatalf("batches: %v", batches)
	}
	for _, part := range []string{"pipeline.apply", "pipeline.commit"} {
		if got := of(spans, part); len(got) != len(batches) || !bytes.Equal(got[0].GetTraceId(), batches[0].GetTraceId()) {
			t.Errorf("%s: %v", part, got)
		}
	}
	if len(of(spans, "events.commit")) == 0 {
		t.Error("no commit of the event store")
	}
	asked, reads := of(spans, "GET /o/method/segmentation"), of(spans, "events.read drill")
	if len(asked) != 1 || len(reads) == 0 || !bytes.Equal(reads[0].GetTraceId(), asked[0].GetTraceId()) || about(reads[0], "quipu.operator") != "drill" {
		t.Errorf("a drill query %v reads %v", asked, reads)
	}
	if tasks := of(spans, "task read"); len(tasks) != 1 || !bytes.Equal(tasks[0].GetTraceId(), asked[0].GetTraceId()) {
		t.Errorf("a read that may become a task: %v", tasks)
	}
	if got := of(spans, "GET /livez"); len(got) != 1 {
		t.Errorf("%d spans of two requests, one of which is not sampled by its caller", len(got))
	}
	if got := of(spans, "_OTHER"); len(got) != 1 {
		t.Errorf("a request of no route: %v", got)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, req := range c.requests {
		if req.URL.Path != "/v1/traces" || req.Header.Get("X-Key") != "a b" || req.Header.Get("Content-Type") != "application/x-protobuf" {
			t.Errorf("request to the collector: %s %v", req.URL, req.Header)
		}
	}
	if text := prototext.Format(c.got[0].GetResource()); !strings.Contains(text, `"quipu"`) || !strings.Contains(text, "deployment.environment.name") {
		t.Errorf("resource: %s", text)
	}
}

// TestTracesToNobody has a collector that never answers, one that is gone, and one that refuses: ingestion goes on as without, what finds no
// room is counted, and the end of the server waits for a moment only.
func TestTracesToNobody(t *testing.T) {
	hang := make(chan struct{})
	stalled := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { <-hang }))
	t.Cleanup(stalled.Close)
	t.Cleanup(func() { close(hang) })
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	refuses := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }))
	t.Cleanup(refuses.Close)
	for name, endpoint := range map[string]string{"stalled": stalled.URL, "gone": gone.URL, "refuses": refuses.URL} {
		t.Run(name, func(t *testing.T) {
			r := newRig(t, func(cfg *app.Config) {
				cfg.MetricsListen = "127.0.0.1:0"
				cfg.Tracing.Endpoint, cfg.Tracing.Queue = endpoint, 16
			}, app.Process{})
			began := time.Now()
			for n := range 800 {
				if !r.send(n) {
					t.Fatal("not acknowledged")
				}
			}
			if d := time.Since(began); d > 20*time.Second {
				t.Errorf("800 requests took %v", d)
			}
			r.expect(800)
			w := newRecorder()
			r.app.MetricsHandler().ServeHTTP(w, newRequest(t, "/metrics"))
			lost := regexp.MustCompile(`quipu_trace_spans_total\{outcome="(dropped|failed)"\} [1-9]`)
			if !lost.MatchString(w.Body.String()) || !strings.Contains(w.Body.String(), `quipu_trace_spans_total{outcome="sent"} 0`) {
				t.Errorf("what was lost is not counted: %v", regexp.MustCompile(`quipu_trace_spans_total\S+ \S+`).FindAllString(w.Body.String(), -1))
			}
			began = time.Now()
			r.end()
			if d := time.Since(began); d > 10*time.Second {
				t.Errorf("the end of the server took %v", d)
			}
		})
	}
}

// TestTracesOff makes no span where there is no endpoint, and none of what is not sampled.
func TestTracesOff(t *testing.T) {
	c := newCollector(t)
	r := newRig(t, func(cfg *app.Config) { cfg.Tracing.Endpoint, cfg.Tracing.Sample = c.URL, 0 }, app.Process{})
	if !r.send(1) {
		t.Fatal("not acknowledged")
	}
	r.expect(1)
	r.end()
	if spans := c.spans(t); len(spans) > 0 {
		t.Errorf("%d spans of nothing", len(spans))
	}
}

// TestTracingConfig reads the standard variables below the keys of Quipu's own, and refuses what cannot be.
func TestTracingConfig(t *testing.T) {
	cfg, err := app.LoadConfig("", []string{
		"OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318/otel/", "OTEL_EXPORTER_OTLP_HEADERS=authorization=Bearer%20x", "OTEL_SERVICE_NAME=shop",
		"OTEL_RESOURCE_ATTRIBUTES=a=b,c=d", "OTEL_TRACES_SAMPLER=parentbased_traceidratio", "OTEL_TRACES_SAMPLER_ARG=0.25", "OTEL_EXPORTER_OTLP_TIMEOUT=5000",
		"OTEL_BSP_MAX_QUEUE_SIZE=77", "QUIPU_TRACING_SERVICE=own",
	}, nil)
	want := app.TracingConfig{
		Endpoint: "http://127.0.0.1:4318/otel/v1/traces", Headers: "authorization=Bearer%20x", Sample: 0.25, Service: "own", Attributes: "a=b,c=d", Queue: 77, Timeout: 5 * time.Second,
	}
	if err != nil || cfg.Tracing != want {
		t.Errorf("%+v, %v; want %+v", cfg.Tracing, err, want)
	}
	for name, env := range map[string][]string{
		"disabled": {"OTEL_EXPORTER_OTLP_ENDPOINT=http://a:1", "OTEL_SDK_DISABLED=true"}, "none": {"OTEL_EXPORTER_OTLP_ENDPOINT=http://a:1", "OTEL_TRACES_EXPORTER=none"},
		"no endpoint": {"OTEL_TRACES_SAMPLER=jaeger_remote", "OTEL_EXPORTER_OTLP_PROTOCOL=grpc"},
	} {
		if cfg, err := app.LoadConfig("", env, nil); err != nil || cfg.Tracing != app.DefaultConfig().Tracing {
			t.Errorf("%s: %+v, %v", name, cfg.Tracing, err)
		}
	}
	for want, env := range map[string][]string{
		"tracing.endpoint: is not of the form":               {"QUIPU_TRACING_ENDPOINT=127.0.0.1:4318"},
		"tracing.sample: 1.5 is not from 0 to 1":             {"QUIPU_TRACING_SAMPLE=1.5"},
		"tracing.sample: NaN is not from 0 to 1":             {"QUIPU_TRACING_SAMPLE=NaN"},
		"tracing.headers: is not of the form":                {"QUIPU_TRACING_HEADERS=secret"},
		"tracing.queue: 0 is not":                            {"QUIPU_TRACING_QUEUE=0"},
		"tracing.timeout: 1h0m0s is not":                     {"QUIPU_TRACING_TIMEOUT=1h"},
		"tracing.service: is empty":                          {"QUIPU_TRACING_SERVICE="},
		"OTEL_EXPORTER_OTLP_PROTOCOL: only http/protobuf":    {"OTEL_EXPORTER_OTLP_ENDPOINT=http://a:1", "OTEL_EXPORTER_OTLP_PROTOCOL=grpc"},
		`OTEL_TRACES_SAMPLER: "jaeger_remote" is not one of`: {"OTEL_EXPORTER_OTLP_ENDPOINT=http://a:1", "OTEL_TRACES_SAMPLER=jaeger_remote"},
		"tracing.attributes: is not of the form NAME=VALUE":  {"OTEL_EXPORTER_OTLP_ENDPOINT=http://a:1", "OTEL_RESOURCE_ATTRIBUTES=x"},
	} {
		if _, err := app.LoadConfig("", env, nil); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%v: %v, want %q", env, err, want)
		}
	}
	cfg = app.DefaultConfig()
	cfg.Data, cfg.Tracing.Endpoint, cfg.Tracing.CAFile = t.TempDir(), "https://a:1", "/nowhere/ca.pem"
	if err := app.CheckConfig(context.Background(), cfg); err == nil || !strings.Contains(err.Error(), "tracing.ca_file: open /nowhere/ca.pem") {
		t.Errorf("a file that is not there: %v", err)
	}
}

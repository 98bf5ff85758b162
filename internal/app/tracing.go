package app

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"quipu/internal/api"
	"quipu/internal/ingest/pipeline"
	evstore "quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/tracing"
)

// TracingConfig says where traces of OpenTelemetry go. Without an endpoint nothing is traced.
type TracingConfig struct {
	// Endpoint is the address of a collector that speaks OTLP over HTTP; without a path, spans go to /v1/traces.
	Endpoint string `koanf:"endpoint"`
	// Headers go with each request to it, as NAME=VALUE,NAME=VALUE.
	Headers string `koanf:"headers" secret:"true"`
	// CAFile holds the certificates, in PEM, by which the collector is known; "" = those of the system.
	CAFile string `koanf:"ca_file"`
	// Sample is the share of traces that are sent, from 0 to 1.
	Sample float64 `koanf:"sample"`
	// Service is the name of the server in traces, and Attributes what else is known of it, as NAME=VALUE,NAME=VALUE.
	Service    string `koanf:"service"`
	Attributes string `koanf:"attributes"`
	// Queue is how many spans wait for the collector at most.
	Queue int `koanf:"queue"`
	// Timeout bounds one request to the collector.
	Timeout time.Duration `koanf:"timeout"`
}

// tracesPath is where collectors take spans.
const tracesPath = "/v1/traces"

// target is the whole address for spans.
func (c TracingConfig) target() (string, error) {
	u, err := url.Parse(c.Endpoint)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return "", errors.New("is not of the form https://HOST:PORT or https://HOST:PORT/PATH")
	}
	if strings.Trim(u.Path, "/") == "" {
		u.Path = tracesPath
	}
	return u.String(), nil
}

// pairs reads NAME=VALUE,NAME=VALUE, whose values may have percent signs as in addresses.
func pairs(text string) (map[string]string, error) {
	out := map[string]string{}
	for part := range strings.SplitSeq(text, ",") {
		if strings.TrimSpace(part) == "" {
			continue
		}
		name, value, ok := strings.Cut(part, "=")
		name = strings.TrimSpace(name)
		value, err := url.PathUnescape(strings.TrimSpace(value))
		if !ok || name == "" || strings.ContainsAny(name, " \t\r\n:;\"") || strings.ContainsAny(value, "\r\n\x00") || err != nil {
			return nil, errors.New("is not of the form NAME=VALUE,NAME=VALUE") // without the text, which may be secret
		}
		out[name] = value
	}
	return out, nil
}

// faults lists what is wrong with it, as key and text.
func (c TracingConfig) faults() (out [][2]string) {
	bad := func(key, text string) { out = append(out, [2]string{"tracing." + key, text}) }
	if c.Endpoint != "" {
		if _, err := c.target(); err != nil {
			bad("endpoint", err.Error())
		}
	}
	if _, err := pairs(c.Headers); err != nil {
		bad("headers", err.Error())
	}
	if _, err := pairs(c.Attributes); err != nil {
		bad("attributes", err.Error())
	}
	if !(c.Sample >= 0 && c.Sample <= 1) { // NaN is neither
		bad("sample", fmt.Sprintf("%v is not from 0 to 1", c.Sample))
	}
	if c.Service == "" {
		bad("service", "is empty")
	}
	if c.Queue < 1 || c.Queue > 1_000_000 {
		bad("queue", fmt.Sprintf("%d is not from 1 to 1000000", c.Queue))
	}
	if c.Timeout < 100*time.Millisecond || c.Timeout > 5*time.Minute {
		bad("timeout", fmt.Sprintf("%v is not from 100ms to 5m", c.Timeout))
	}
	return out
}

// options are what a tracer is made of.
func (c TracingConfig) options() (o tracing.Options, err error) {
	o = tracing.Options{CAFile: c.CAFile, Sample: c.Sample, Queue: c.Queue, Timeout: c.Timeout}
	if o.Endpoint, err = c.target(); err != nil {
		return o, fmt.Errorf("tracing.endpoint: %w", err)
	}
	if o.Headers, err = pairs(c.Headers); err != nil {
		return o, fmt.Errorf("tracing.headers: %w", err)
	}
	if o.Resource, err = pairs(c.Attributes); err != nil {
		return o, fmt.Errorf("tracing.attributes: %w", err)
	}
	o.Resource["service.name"], o.Resource["service.version"] = c.Service, Version()
	return o, nil
}

// otelLayer reads the standard variables of OpenTelemetry as keys of tracing.*. The configuration of Quipu's own stands above them.
func otelLayer(environ []string) (map[string]any, error) {
	env := map[string]string{}
	for _, entry := range environ {
		if name, value, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "OTEL_") && value != "" {
			env[name] = strings.TrimSpace(value)
		}
	}
	out := map[string]any{}
	if strings.EqualFold(env["OTEL_SDK_DISABLED"], "true") || env["OTEL_TRACES_EXPORTER"] == "none" {
		return out, nil
	}
	first := func(names ...string) (name, value string) {
		for _, name := range names {
			if env[name] != "" {
				return name, env[name]
			}
		}
		return "", ""
	}
	name, endpoint := first("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "OTEL_EXPORTER_OTLP_ENDPOINT")
	if endpoint == "" {
		return out, nil // the others mean nothing then
	}
	if name == "OTEL_EXPORTER_OTLP_ENDPOINT" {
		endpoint = strings.TrimRight(endpoint, "/") + tracesPath
	}
	out["tracing.endpoint"] = endpoint
	var errs []error
	if name, protocol := first("OTEL_EXPORTER_OTLP_TRACES_PROTOCOL", "OTEL_EXPORTER_OTLP_PROTOCOL"); protocol != "" && protocol != "http/protobuf" {
		errs = append(errs, fmt.Errorf("%s: only http/protobuf is spoken, not %s", name, protocol))
	}
	for key, names := range map[string][]string{
		"tracing.headers": {"OTEL_EXPORTER_OTLP_TRACES_HEADERS", "OTEL_EXPORTER_OTLP_HEADERS"},
		"tracing.ca_file": {"OTEL_EXPORTER_OTLP_TRACES_CERTIFICATE", "OTEL_EXPORTER_OTLP_CERTIFICATE"},
		"tracing.service": {"OTEL_SERVICE_NAME"}, "tracing.attributes": {"OTEL_RESOURCE_ATTRIBUTES"}, "tracing.queue": {"OTEL_BSP_MAX_QUEUE_SIZE"},
	} {
		if _, value := first(names...); value != "" {
			out[key] = value
		}
	}
	if _, ms := first("OTEL_EXPORTER_OTLP_TRACES_TIMEOUT", "OTEL_EXPORTER_OTLP_TIMEOUT"); ms != "" {
		out["tracing.timeout"] = ms + "ms"
	}
	switch share := env["OTEL_TRACES_SAMPLER_ARG"]; strings.TrimPrefix(env["OTEL_TRACES_SAMPLER"], "parentbased_") {
	case "", "always_on":
	case "always_off":
		out["tracing.sample"] = "0"
	case "traceidratio":
		if share != "" {
			out["tracing.sample"] = share
		}
	default:
		errs = append(errs, fmt.Errorf("OTEL_TRACES_SAMPLER: %q is not one of always_on, always_off, traceidratio, with or without parentbased_", env["OTEL_TRACES_SAMPLER"]))
	}
	return out, errors.Join(errs...)
}

// openTracing makes the tracer, if there is an endpoint.
func (a *App) openTracing(ctx context.Context) error {
	if a.cfg.Tracing.Endpoint == "" || a.keyless {
		return nil
	}
	o, err := a.cfg.Tracing.options()
	if err != nil {
		return err
	}
	o.Log = a.log
	if a.tracer, err = tracing.New(ctx, o); err != nil {
		return fmt.Errorf("open traces: %w", err)
	}
	return nil
}

// traceFlush is how long the end of the server waits for the collector of traces.
const traceFlush = 2 * time.Second

func (a *App) closeTracing() error {
	if a.tracer == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), traceFlush)
	defer cancel()
	return a.tracer.Close(ctx)
}

// declareTraces declares what becomes of spans.
func (a *App) declareTraces(m *metrics) {
	for i, outcome := range []string{"sent", "dropped", "failed"} {
		m.registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{
			Namespace: "quipu", Name: "trace_spans_total", Help: "Spans of traces, by what became of them.", ConstLabels: prometheus.Labels{"outcome": outcome},
		}, func() float64 {
			if a.tracer == nil {
				return 0
			}
			sent, dropped, failed := a.tracer.Counts()
			return float64([]int64{sent, dropped, failed}[i])
		}))
	}
}

// observing returns what is notified of batches; nil when nobody asks.
func (a *App) observing() func(pipeline.Observation) {
	var observe []func(pipeline.Observation)
	if a.metrics != nil {
		observe = append(observe, a.metrics.observe)
	}
	if a.tracer != nil {
		observe = append(observe, a.traceBatch)
	}
	if len(observe) == 0 {
		return nil
	}
	return func(o pipeline.Observation) {
		for _, one := range observe {
			one(o)
		}
	}
}

// traceBatch makes spans of a batch that was committed: it and the next overlap, so that they are traces of their own.
func (a *App) traceBatch(o pipeline.Observation) {
	if o.Records == 0 {
		return
	}
	ends := o.Committing.Add(o.Commit)
	a.tracer.Add(context.Background(), tracing.Past{
		Name: "pipeline.batch", Began: o.Began, Ends: ends,
		About: []tracing.Attribute{
			tracing.Number("quipu.records", o.Records), tracing.Number("quipu.requests", o.Requests), tracing.Number("quipu.rows", o.Rows),
		},
		Parts: []tracing.Past{
			{Name: "pipeline.apply", Began: o.Began, Ends: o.Began.Add(o.Apply)}, {Name: "pipeline.commit", Began: o.Committing, Ends: ends},
		},
	})
}

// tracedRows makes a span of each commit of the event store.
type tracedRows struct {
	evstore.Writer
	tracer *tracing.Tracer
}

// Commit implements events.Writer.
func (w tracedRows) Commit(ctx context.Context, b *evstore.Batch) error {
	rows, requests := 0, 0
	for _, app := range b.Apps {
		rows, requests = rows+len(app.Rows), requests+len(app.Requests)
	}
	ctx, end := w.tracer.Start(ctx, "events.commit", tracing.Number("quipu.rows", rows), tracing.Number("quipu.requests", requests))
	err := w.Writer.Commit(ctx, b)
	end(err)
	return err
}

// traceRead begins the span of a read of event rows.
func (a *App) traceRead(ctx context.Context) func(error) {
	operator := string(plan.OperatorOf(ctx))
	_, end := a.tracer.Start(ctx, "events.read "+operator, tracing.Text("quipu.operator", operator))
	return end
}

// traceTask begins the span of a run of a task.
func (a *App) traceTask(ctx context.Context, kind string) (context.Context, func(error)) {
	return a.tracer.Start(ctx, "task "+kind, tracing.Text("quipu.task", kind))
}

// traceJob begins the span of a run of a job.
func (a *App) traceJob(ctx context.Context, name string) (context.Context, func(error)) {
	return a.tracer.Start(ctx, "job "+name, tracing.Text("quipu.job", name))
}

// routed names spans of requests by the API's routes; nil when nothing is traced.
func (a *App) routed() func(*http.Request, *api.Route) {
	if a.tracer == nil {
		return nil
	}
	return func(r *http.Request, route *api.Route) {
		tracing.Route(r.Context(), r.Method, api.PathOf(route))
	}
}

// namesRoutes names spans of requests by the patterns of a mux; those that it hands to the API get their names there.
func (a *App) namesRoutes(mux *http.ServeMux) http.Handler {
	if a.tracer == nil {
		return mux
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer nameRoute(r)
		mux.ServeHTTP(w, r)
	})
}

// nameRoute names the span of a request by the pattern that a mux has found for it.
func nameRoute(r *http.Request) {
	pattern := r.Pattern
	if _, path, ok := strings.Cut(pattern, " "); ok {
		pattern = path
	}
	if pattern != "" && pattern != "/" {
		tracing.Route(r.Context(), r.Method, pattern)
	}
}

// Package tracing sends spans of what the server does to a collector of OpenTelemetry, by OTLP over HTTP. Nothing that is traced ever waits
// for the collector: spans that find the queue full are dropped and counted. Spans have names and numbers, never what clients sent.
package tracing

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// scope names who makes the spans.
const scope = "quipu"

// Options of New. Endpoint and Log are required.
type Options struct {
	// Endpoint is where spans go, a whole URL such as http://127.0.0.1:4318/v1/traces.
	Endpoint string
	// Headers go with each request to it.
	Headers map[string]string
	// CAFile holds the certificates, in PEM, by which the endpoint is known; "" = those of the system.
	CAFile string
	// Sample is the share of traces that are sent, from 0 to 1, by their ids.
	Sample float64
	// Resource says who the spans are from.
	Resource map[string]string
	// Queue is how many spans wait at most; 0 = 2048.
	Queue int
	// Timeout bounds one request to the endpoint; 0 = 10 s.
	Timeout time.Duration
	Log     *slog.Logger
}

// Attribute is what is known of a span, beside its name.
type Attribute = attribute.KeyValue

// Text is an attribute. Its value must be one of a known set, or an id: never what a client sent.
func Text(key, value string) Attribute { return attribute.String(key, value) }

// Number is an attribute.
func Number(key string, value int) Attribute { return attribute.Int(key, value) }

// Tracer makes spans and sends them until it is closed. It is safe for concurrent use.
type Tracer struct {
	provider *sdktrace.TracerProvider
	tracer   trace.Tracer
	queue    *queue
}

// New returns a tracer that sends from now on. The endpoint is not asked yet.
func New(ctx context.Context, o Options) (*Tracer, error) {
	c, err := newClient(o)
	if err != nil {
		return nil, err
	}
	var attributes []attribute.KeyValue
	for key, value := range o.Resource {
		attributes = append(attributes, attribute.String(key, value))
	}
	if o.Queue <= 0 {
		o.Queue = 2048
	}
	if o.Timeout <= 0 {
		o.Timeout = 10 * time.Second
	}
	q := newQueue(ctx, otlptrace.NewUnstarted(c), o)
	t := &Tracer{queue: q, provider: sdktrace.NewTracerProvider(
		sdktrace.WithSpanProcessor(q), sdktrace.WithSampler(sampler{sdktrace.TraceIDRatioBased(o.Sample)}),
		sdktrace.WithResource(resource.NewSchemaless(attributes...)),
		sdktrace.WithRawSpanLimits(sdktrace.SpanLimits{
			AttributeValueLengthLimit: 256, AttributeCountLimit: 32, EventCountLimit: 8, LinkCountLimit: 8, AttributePerEventCountLimit: 8, AttributePerLinkCountLimit: 8,
		}),
	)}
	t.tracer = t.provider.Tracer(scope)
	return t, nil
}

// Close sends what waits, as long as ctx allows, and ends.
func (t *Tracer) Close(ctx context.Context) error { return t.provider.Shutdown(ctx) }

// Counts returns how many spans were sent, found the queue full, and could not be sent, since the start.
func (t *Tracer) Counts() (sent, dropped, failed int64) {
	return t.queue.sent.Load(), t.queue.dropped.Load(), t.queue.failed.Load()
}

// sampler decides by the share of traces; what belongs to a span goes with it, and what a caller does not sample is not sampled here. That a
// caller does is no reason: anybody could fill the queue.
type sampler struct{ share sdktrace.Sampler }

// ShouldSample implements sdktrace.Sampler.
func (s sampler) ShouldSample(p sdktrace.SamplingParameters) sdktrace.SamplingResult {
	parent := trace.SpanContextFromContext(p.ParentContext)
	switch {
	case !parent.IsValid():
	case !parent.IsSampled():
		return sdktrace.SamplingResult{Decision: sdktrace.Drop, Tracestate: parent.TraceState()}
	case !parent.IsRemote():
		return sdktrace.SamplingResult{Decision: sdktrace.RecordAndSample, Tracestate: parent.TraceState()}
	}
	return s.share.ShouldSample(p)
}

// Description implements sdktrace.Sampler.
func (s sampler) Description() string { return "Quipu{" + s.share.Description() + "}" }

// Start begins a span, below that of ctx if there is one. The function that is returned ends it.
func (t *Tracer) Start(ctx context.Context, name string, about ...Attribute) (context.Context, func(error)) {
	ctx, span := t.tracer.Start(ctx, name, trace.WithAttributes(about...))
	return ctx, ending(span)
}

// Start begins a span below that of ctx. Without one nothing happens.
func Start(ctx context.Context, name string, about ...Attribute) (context.Context, func(error)) {
	parent := trace.SpanFromContext(ctx)
	if !parent.IsRecording() {
		return ctx, func(error) {}
	}
	ctx, span := parent.TracerProvider().Tracer(scope).Start(ctx, name, trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(about...))
	return ctx, ending(span)
}

// ending returns what ends a span. Texts of errors may hold what clients sent, so that they are left out.
func ending(span trace.Span) func(error) {
	return func(err error) {
		if err != nil {
			span.SetStatus(codes.Error, "")
		}
		span.End()
	}
}

// Past is a span that has ended before it is made.
type Past struct {
	Name        string
	Began, Ends time.Time
	About       []Attribute
	Parts       []Past // below it
}

// Add adds a trace of a span that has ended.
func (t *Tracer) Add(ctx context.Context, p Past) {
	ctx, span := t.tracer.Start(ctx, p.Name, trace.WithTimestamp(p.Began), trace.WithAttributes(p.About...))
	for _, part := range p.Parts {
		t.Add(ctx, part)
	}
	span.End(trace.WithTimestamp(p.Ends))
}

// carrier is the one form in which traces are handed from process to process: W3C's traceparent and tracestate.
func carrier() propagation.TextMapPropagator { return propagation.TraceContext{} }

// Handler makes a span of each request, in the trace of its caller if that names one. Its name is the method until Route says more.
func (t *Tracer) Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		method := methodOf(r.Method)
		ctx := carrier().Extract(r.Context(), propagation.HeaderCarrier(r.Header))
		ctx, span := t.tracer.Start(ctx, method, trace.WithSpanKind(trace.SpanKindServer), trace.WithAttributes(attribute.String("http.request.method", method)))
		s := &statusWriter{ResponseWriter: w, status: http.StatusOK}
		defer func() {
			span.SetAttributes(attribute.Int("http.response.status_code", s.status))
			if s.status >= http.StatusInternalServerError {
				span.SetStatus(codes.Error, "")
			}
			span.End()
		}()
		next.ServeHTTP(s, r.WithContext(ctx))
	})
}

// Route names the span of a request by the pattern of its route, which must hold nothing of the request.
func Route(ctx context.Context, method, pattern string) {
	if span := trace.SpanFromContext(ctx); span.IsRecording() {
		span.SetName(methodOf(method) + " " + pattern)
		span.SetAttributes(attribute.String("http.route", pattern))
	}
}

// methodOf is a method of HTTP, or _OTHER: clients may send any word.
func methodOf(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions, http.MethodConnect, http.MethodTrace:
		return method
	}
	return "_OTHER"
}

// statusWriter remembers the status of an answer.
type statusWriter struct {
	http.ResponseWriter
	status int
}

// WriteHeader implements http.ResponseWriter.
func (s *statusWriter) WriteHeader(status int) {
	s.status = status
	s.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController reach what is below.
func (s *statusWriter) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// Transport makes a span of each request that is part of a trace, and hands the trace on. Others pass as they are.
func Transport(next http.RoundTripper) http.RoundTripper { return transport{next} }

type transport struct{ next http.RoundTripper }

// RoundTrip implements http.RoundTripper. The span ends with the header of the answer.
func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	parent := trace.SpanFromContext(r.Context())
	if !parent.SpanContext().IsValid() {
		return t.next.RoundTrip(r)
	}
	method := methodOf(r.Method)
	ctx, span := parent.TracerProvider().Tracer(scope).Start(r.Context(), method+" "+r.URL.Hostname(), trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(
		attribute.String("http.request.method", method), attribute.String("server.address", r.URL.Hostname()),
	))
	defer span.End()
	out := r.Clone(ctx)
	carrier().Inject(ctx, propagation.HeaderCarrier(out.Header))
	res, err := t.next.RoundTrip(out)
	if err != nil {
		span.SetStatus(codes.Error, "")
		return nil, err
	}
	span.SetAttributes(attribute.Int("http.response.status_code", res.StatusCode))
	if res.StatusCode >= http.StatusBadRequest {
		span.SetStatus(codes.Error, "")
	}
	return res, nil
}

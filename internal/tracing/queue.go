package tracing

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

const (
	maxBatch  = 512             // spans of one request
	batchWait = 2 * time.Second // how long a span waits for others
	maxTries  = 4               // requests for one batch
	firstWait = time.Second     // before the second of them; each further one waits twice as long
	maxWait   = 30 * time.Second
)

// queue holds spans until they are sent.
type queue struct {
	spans    chan sdktrace.ReadOnlySpan
	exporter sdktrace.SpanExporter
	timeout  time.Duration
	log      *slog.Logger

	sent, dropped, failed atomic.Int64
	troubled              bool // of run: the last batch was not sent, which the log says

	stop    sync.Once
	closing chan struct{} // closed when no more spans come
	cut     context.CancelFunc
	ended   chan struct{}
}

// newQueue returns a queue that sends, until Shutdown.
func newQueue(ctx context.Context, exporter sdktrace.SpanExporter, o Options) *queue {
	q := &queue{
		spans: make(chan sdktrace.ReadOnlySpan, o.Queue), exporter: exporter, timeout: o.Timeout, log: o.Log,
		closing: make(chan struct{}), ended: make(chan struct{}),
	}
	ctx, q.cut = context.WithCancel(context.WithoutCancel(ctx))
	go q.run(ctx)
	return q
}

// OnStart implements sdktrace.SpanProcessor.
func (*queue) OnStart(context.Context, sdktrace.ReadWriteSpan) {}

// OnEnd implements sdktrace.SpanProcessor. It never waits.
func (q *queue) OnEnd(s sdktrace.ReadOnlySpan) {
	if !s.SpanContext().IsSampled() {
		return
	}
	select {
	case q.spans <- s:
	default:
		q.dropped.Add(1)
	}
}

// ForceFlush implements sdktrace.SpanProcessor; it does nothing.
func (*queue) ForceFlush(context.Context) error { return nil }

// Shutdown implements sdktrace.SpanProcessor: it sends what waits, until ctx is done.
func (q *queue) Shutdown(ctx context.Context) error {
	q.stop.Do(func() { close(q.closing) })
	select {
	case <-q.ended:
	case <-ctx.Done():
		q.cut()
		<-q.ended
	}
	return nil
}

// run sends batches until Shutdown.
func (q *queue) run(ctx context.Context) {
	defer close(q.ended)
	defer q.cut()
	var batch []sdktrace.ReadOnlySpan
	t := time.NewTimer(batchWait)
	defer t.Stop()
	for {
		select {
		case s := <-q.spans:
			if batch = append(batch, s); len(batch) < maxBatch {
				continue
			}
		case <-t.C:
		case <-q.closing:
			for len(q.spans) > 0 || len(batch) > 0 {
				for len(q.spans) > 0 && len(batch) < maxBatch {
					batch = append(batch, <-q.spans)
				}
				q.send(ctx, batch)
				batch = batch[:0]
			}
			return
		}
		q.send(ctx, batch)
		clear(batch)
		batch = batch[:0]
		t.Reset(batchWait)
	}
}

// send sends a batch. What cannot be sent is counted; the log says once that it goes wrong, and once that it works again.
func (q *queue) send(ctx context.Context, batch []sdktrace.ReadOnlySpan) {
	if len(batch) == 0 {
		return
	}
	wait := firstWait
	for try := 1; ; try++ {
		err := q.export(ctx, batch)
		if err == nil {
			q.sent.Add(int64(len(batch)))
			if q.troubled {
				q.troubled = false
				q.log.InfoContext(ctx, "traces are sent again")
			}
			return
		}
		if part, ok := errors.AsType[*partError](err); ok {
			rejected := min(part.rejected, int64(len(batch)))
			q.sent.Add(int64(len(batch)) - rejected)
			q.failed.Add(rejected)
			q.log.WarnContext(ctx, "the collector of traces rejected spans", slog.Int64("spans", rejected))
			return
		}
		refused, answered := errors.AsType[*refusedError](err)
		if try == maxTries || answered && !refused.later() || !q.pause(ctx, max(wait, refused.wait())) {
			q.failed.Add(int64(len(batch)))
			if !q.troubled {
				q.troubled = true
				q.log.WarnContext(ctx, "traces are not sent; it is tried again with the next ones", slog.Any("error", err))
			}
			return
		}
		wait = min(2*wait, maxWait)
	}
}

func (q *queue) export(ctx context.Context, batch []sdktrace.ReadOnlySpan) error {
	ctx, cancel := context.WithTimeout(ctx, q.timeout)
	defer cancel()
	return q.exporter.ExportSpans(ctx, batch)
}

// pause reports whether there is a next try: not when the server stops.
func (q *queue) pause(ctx context.Context, d time.Duration) bool {
	t := time.NewTimer(min(d, maxWait))
	defer t.Stop()
	select {
	case <-t.C:
		return true
	case <-q.closing:
		return false
	case <-ctx.Done():
		return false
	}
}

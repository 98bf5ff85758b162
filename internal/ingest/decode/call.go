package decode

import (
	"net/http"
	"time"

	"quipu/internal/fault"
	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
)

// Reply is the answer to a client whose request need not be sent again.
type Reply struct {
	Result string `json:"result"`
	Info   string `json:"info,omitempty"`
}

// Done reports whether the request was accepted.
func (t Reply) Done() bool { return t == Reply{Result: "Success"} }

// Call takes a request that an SDK sent to an address other than /i and that is to be kept, the way of
// all requests. r is where it came from; params, with unique names, were read from it and its signature was
// checked by the caller. Call returns once the request is durable.
//
// Faults: ingest.app_paused, ingest.app_locked and ingest.unavailable, with the time to come back.
func (d *Decoder) Call(r *http.Request, app *model.App, params []request.Param) (Reply, error) {
	sc := d.scratch.Get().(*scratch)
	sc.params.list = append(sc.params.list, params...)
	a, ok := d.open(app, sc)
	if ok {
		a = d.store(r, app, sc)
	}
	if d.o.Watch.wanted(app) {
		text, values := seen(params)
		d.watch(r, app, text, values, a)
	}
	if sc.reset() {
		d.scratch.Put(sc)
	}
	switch {
	case a.status == http.StatusServiceUnavailable:
		f := fault.New(fault.Unavailable, "ingest.unavailable", "Server is not accepting data at the moment")
		f.RetryAfter = max(a.retryAfter, time.Second)
		return Reply{}, f
	case a.status == http.StatusForbidden:
		return Reply{}, fault.New(fault.Forbidden, "ingest.app_locked", "App is locked")
	case a.status != http.StatusOK:
		return Reply{}, fault.New(fault.Invalid, "ingest.app_paused", "App is currently not accepting data")
	case a.body == bodyDuplicate:
		return Reply{Result: "Success", Info: "Request ignored: Duplicate request"}, nil
	case a.body == bodyIgnored:
		return Reply{Result: "Ignoring device_id"}, nil
	}
	return Reply{Result: "Success"}, nil
}

// Refused counts a call of an app that was answered without being kept.
func (d *Decoder) Refused(app model.AppID, reason outcome.Reason) {
	d.o.Outcomes.Count(app, outcome.Request, reason, 1)
}

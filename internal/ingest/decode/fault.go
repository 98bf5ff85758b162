package decode

import (
	"net/http"
	"slices"
	"strings"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/ingest/outcome"
)

// faultOf returns the fault that a body of the protocol stands for; nil when it stands for none.
func faultOf(body string) *fault.Error {
	switch body {
	case bodySuccess, bodyDuplicate:
		return nil
	case bodyMissing:
		return fault.New(fault.Invalid, "ingest.missing_parameter", `Missing parameter "app_key" or "device_id"`)
	case bodyUnknownApp:
		return outcome.UnknownApp.Fault()
	case bodyPaused:
		return outcome.AppPaused.Fault()
	case bodyLocked:
		return outcome.AppLocked.Fault()
	case bodyNoChecksum:
		return outcome.ChecksumMissing.Fault()
	case bodyWrongChecksum:
		return outcome.ChecksumMismatch.Fault()
	case bodyIgnored:
		return outcome.IgnoredDevice.Fault()
	case bodyNoRequests:
		return fault.New(fault.Invalid, "ingest.no_requests", `Missing parameter "requests"`)
	case bodyWrongRequests:
		return fault.New(fault.Invalid, "ingest.bad_requests", `Invalid parameter "requests"`)
	case bodyTooLarge:
		return fault.New(fault.TooLarge, "ingest.too_large", "Request is too large")
	case bodyTooManyParams:
		return fault.New(fault.TooLarge, "ingest.too_many_parameters", "Request has too many parameters")
	case bodyTooManyItems:
		return fault.New(fault.TooLarge, "ingest.too_many_items", "Request has too many items")
	case bodyUnreadable:
		return fault.New(fault.Invalid, "ingest.unreadable", "Request body could not be read")
	case bodyWrongEncoding:
		return fault.New(fault.Invalid, "ingest.encoding", "Content encoding is not supported")
	case bodyBadKey:
		return fault.New(fault.Invalid, "ingest.bad_idempotency_key", "Invalid header Idempotency-Key")
	case bodyNotAccepting:
		return fault.New(fault.Unavailable, "ingest.unavailable", "Server is not accepting data at the moment")
	}
	return fault.New(fault.Invalid, "request.invalid_path", "Invalid path")
}

// exposed are the headers of answers that scripts of other origins may read.
const exposed = api.FaultHeader + ", Retry-After, " + repeatHeader

// writeFault sends a fault: the body of the protocol with the code in a header, or a problem to those who accept it.
func (d *Decoder) writeFault(w http.ResponseWriter, r *http.Request, a answer, f *fault.Error) {
	h := w.Header()
	h.Set(api.FaultHeader, f.Code)
	h.Set("Access-Control-Expose-Headers", exposed)
	if a.partly || !slices.ContainsFunc(r.Header["Accept"], func(v string) bool { return strings.Contains(strings.ToLower(v), api.ProblemType) }) {
		w.WriteHeader(a.status)
		_, _ = writeString(w, a.text()) // the client may be gone
		return
	}
	if a.status == http.StatusOK { // for the sake of SDKs, which would send it forever
		a.status = api.StatusOf(f)
	}
	h.Set("Content-Type", api.ProblemType)
	w.WriteHeader(a.status)
	_, _ = w.Write(api.Problem(f, a.status))
}

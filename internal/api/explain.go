package api

import (
	"net/http"

	"quipu/internal/fault"
	"quipu/internal/period"
	"quipu/internal/query/explain"
	"quipu/internal/store/events/plan"
)

var errExplain = fault.Newf(fault.Invalid, "request.bad_read",
	`Bad request parameter: read: want an address like "/o/explore/count?app_id=x&events=…", of at most %d bytes`, maxBatchRead)

// explainReq names a read by its address.
type explainReq struct {
	Read string `param:"read"`
}

// Explanation is what a read asked for and what was done for it.
type Explanation struct {
	Read   string `json:"read"` // as it was made, without credentials
	Status int    `json:"status"`
	Error  string `json:"error,omitempty"` // the code of a fault
	Bytes  int    `json:"bytes"`           // of the answer
	// Query is what the parameters mean, and why cells or rows answer.
	Query explain.Query `json:"query"`
	// Cells are the reads of cells, in their order; CellsOmitted is how many more there were.
	Cells        []explain.Cells `json:"cells"`
	CellsOmitted int             `json:"cells_omitted"`
	// Statements are those that the event store ran, in their order; Omitted is how many more there were. Reads that
	// cells answer have none.
	Statements []plan.Statement `json:"statements"`
	Omitted    int              `json:"omitted"`
}

// HandleExplain declares the route that makes a read and answers with what it asked for and what was done for it: the effective query, the cells
// that were read, and what the event store ran: plans, their SQL, the values bound, rows read, and time. The parameter read is an address below /o, read with the credentials of the request;
// routes that write, stream or send files are refused as in a batch. It is for global administrators only: the values
// may be those of any app's users. Faults: request.bad_read.
func HandleExplain(g *Registrar, path string) {
	why := "it makes a read and answers with what was done for it"
	HandleRawOf(g, path, GlobalAdmin(), why, func(w http.ResponseWriter, c Caller, r explainReq) error {
		target, ok := readTarget(r.Read)
		if !ok {
			return errExplain
		}
		ctx, asked := explain.Traced(c.request.Context(), c.server.opts.Now)
		ctx, trace := plan.Traced(ctx)
		outer := &Call{request: c.request.WithContext(ctx), Now: c.Now, IP: c.IP}
		inner, read := c.server.inside(outer, c.withOwnCredentials(target), maxInner)
		read.explained = asked
		c.server.answer(inner, read)
		out := Explanation{Read: target.String(), Status: inner.status, Error: inner.header.Get(FaultHeader), Bytes: inner.body.Len()}
		out.Query = asked.Query()
		out.Cells, out.CellsOmitted = asked.Cells()
		out.Statements, out.Omitted = trace.Statements()
		return c.server.writeJSON(w, c, http.StatusOK, out)
	})
}

// Parsed is what a period.Frame calls with the periods of the request, so that what explains the read knows them; nil where nothing does.
func (c *Call) Parsed() func(period.Period) {
	if c.explained == nil {
		return nil
	}
	return func(p period.Period) { c.explained.Period(explain.PeriodOf(p)) }
}

package decode

import (
	"context"
	"strconv"

	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/request"
	"quipu/internal/store/journal"
)

// receiptCost is what a line of a receipt takes: in the pipeline, and as text; bytes.
const receiptCost = 128

// receipts gathers what became of the requests of one request over HTTP, by index.
type receipts struct {
	wanted  bool
	waiting *outcome.Waiting // nil = the pipeline is not asked
	reasons []outcome.Reason // of what the edge knows
	pending []bool           // what the pipeline decides
	told    map[uint32]outcome.Receipt
}

// wantReceipt notes whether the client asks for a receipt, and charges it to the request. bytes is how large the request is.
func (d *Decoder) wantReceipt(ctx context.Context, sc *scratch, bytes int) error {
	q := sc.params.get("receipt")
	if q == nil || !request.Truthy(q) {
		return nil
	}
	if err := sc.claim.Grow(ctx, receiptCost*int64(min(outcome.MaxParts, 16+bytes/2))); err != nil {
		return err
	}
	sc.receipts = receipts{wanted: true}
	if d.o.Receipts != nil {
		sc.receipts.waiting = d.o.Receipts.Expect()
	}
	return nil
}

// refuse notes the outcome of the next item, which the edge decided.
func (c *receipts) refuse(reason outcome.Reason) {
	if c.wanted {
		c.reasons, c.pending = append(c.reasons, reason), append(c.pending, false)
	}
}

// accept notes that the pipeline decides of the next item, and returns the record's parameters with its tag.
func (c *receipts) accept(list []request.Param) []request.Param {
	if !c.wanted {
		return list
	}
	if c.waiting != nil {
		list = append(list, request.Param{Name: request.ReceiptParam, Value: c.waiting.Tag(len(c.reasons))})
	}
	c.reasons, c.pending = append(c.reasons, outcome.Accepted), append(c.pending, true)
	return list
}

// close gives up waiting.
func (c *receipts) close() {
	if c.waiting != nil {
		c.told = c.waiting.Close()
		c.waiting = nil
	}
}

// await waits until the pipeline has projected the records up to at, or for a few seconds: what is pending by then is said to be.
func (d *Decoder) await(ctx context.Context, c *receipts, at journal.Position) {
	if c.waiting == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if d.o.Reached != nil {
		_ = d.o.Reached(ctx, at) // receipts come before it returns; what did not come in time is pending
	}
	select {
	case <-c.waiting.Done():
	case <-ctx.Done():
	}
}

// text renders the receipts as a JSON array; "" when none are wanted.
func (c *receipts) text() string {
	if !c.wanted {
		return ""
	}
	b := []byte{'['}
	for i, reason := range c.reasons {
		if i > 0 {
			b = append(b, ',')
		}
		b = strconv.AppendInt(append(b, `{"index":`...), int64(i), 10)
		var one outcome.Receipt
		if c.pending[i] {
			var ok bool
			if one, ok = c.told[uint32(i)]; !ok { // the edge bounds the items of a request
				b = append(b, `,"outcome":"pending"}`...)
				continue
			}
			reason = one.Reason
		}
		b = appendOutcome(b, reason)
		for j, p := range one.Parts {
			if j == 0 {
				b = append(b, `,"items":[`...)
			} else {
				b = append(b, ',')
			}
			b = append(append(append(b, `{"item":"`...), p.Item.String()...), '"')
			if p.Index >= 0 {
				b = strconv.AppendInt(append(b, `,"index":`...), int64(p.Index), 10)
			}
			b = append(appendOutcome(b, p.Reason), '}')
		}
		if len(one.Parts) > 0 {
			b = append(b, ']')
		}
		if one.More > 0 {
			b = strconv.AppendInt(append(b, `,"left_off":`...), int64(one.More), 10)
		}
		b = append(b, '}')
	}
	return string(append(b, ']'))
}

func appendOutcome(b []byte, reason outcome.Reason) []byte {
	b = append(append(append(b, `,"outcome":"`...), reason.Class()...), '"')
	if f := reason.Fault(); f != nil {
		b = append(append(append(b, `,"code":"`...), f.Code...), '"')
	}
	return b
}

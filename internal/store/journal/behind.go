package journal

import "context"

// Behind returns the journal with its records numbered behind others: the first record of a partition follows the offset that bases has of it. So what
// was projected under other offsets, up to these, stays before all that comes. A partition that bases does not name begins with 1.
func Behind(j Journal, bases Watermark) Journal {
	if len(bases) == 0 {
		return j
	}
	return behind{j, bases.Clone()}
}

type behind struct {
	j     Journal
	bases Watermark
}

// inner is a watermark as the journal has it.
func (b behind) inner(w Watermark) Watermark {
	out := w.Clone()
	for partition, base := range b.bases {
		out[partition] -= min(out[partition], base)
	}
	return out
}

// Append implements Journal.
func (b behind) Append(ctx context.Context, entries ...Entry) (Position, error) {
	at, err := b.j.Append(ctx, entries...)
	if err == nil && len(entries) > 0 {
		at.Offset += b.bases[at.Partition]
	}
	return at, err
}

// Read implements Journal.
func (b behind) Read(ctx context.Context, from Watermark, maxBytes int, fn func(Record) bool) error {
	return b.j.Read(ctx, b.inner(from), maxBytes, func(r Record) bool {
		r.Offset += b.bases[r.Partition]
		return fn(r)
	})
}

// Wait implements Journal.
func (b behind) Wait(ctx context.Context, from Watermark) error { return b.j.Wait(ctx, b.inner(from)) }

// Trim implements Journal.
func (b behind) Trim(ctx context.Context, w Watermark) error { return b.j.Trim(ctx, b.inner(w)) }

// End implements Journal.
func (b behind) End() Watermark {
	out := b.j.End().Clone()
	for partition, base := range b.bases {
		out[partition] += base
	}
	return out
}

// Size implements Journal.
func (b behind) Size(w Watermark) (records, bytes int64) { return b.j.Size(b.inner(w)) }

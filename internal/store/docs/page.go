package docs

import (
	"context"
	"fmt"
)

// Page is a part of a list, and how much there is in all.
type Page[T any] struct {
	Docs []T // never nil
	// Total is how many documents the conditions of the query select, and Matching how many
	// of these its Filter and Search leave.
	Total, Matching int
}

// Page reads the part of q's list that begins at its Offset and has at most Limit
// documents, which must be set, and counts the whole. Where stands for what the caller may see at all, Filter and Search
// for what was looked for.
func (c Collection[T]) Page(ctx context.Context, q Query) (Page[T], error) {
	return page(ctx, c, q, func(f Found[T]) T { return f.Doc })
}

// Page is Collection.Page for the documents of several apps.
func (a Across[T]) Page(ctx context.Context, q Query) (Page[Found[T]], error) {
	return page(ctx, a.c, q, func(f Found[T]) Found[T] { return f })
}

func page[T Document, R any](ctx context.Context, c Collection[T], q Query, row func(Found[T]) R) (Page[R], error) {
	out := Page[R]{Docs: []R{}}
	if q.Limit <= 0 {
		return out, ErrInvalidQuery("a page of collection %s without a bound", c.spec.Name)
	}
	for f, err := range c.list(ctx, q) {
		if err != nil {
			return out, err
		}
		out.Docs = append(out.Docs, row(f))
	}
	var err error
	if n := len(out.Docs); n < q.Limit && (n > 0 || q.Offset == 0) {
		out.Matching = q.Offset + n // the list ends on this page
	} else if out.Matching, err = c.Count(ctx, q); err != nil {
		return out, err
	}
	if q.Search == "" && q.Filter.IsZero() {
		out.Total = out.Matching
		return out, nil
	}
	out.Total, err = c.Count(ctx, Query{Where: q.Where})
	return out, err
}

// Tally says how many of the documents that q selects have each value in an
// index, in the order of the values.
func (c Collection[T]) Tally(ctx context.Context, index string, q Query) ([]Tally, error) {
	l, err := c.ready(ctx)
	if err != nil {
		return nil, err
	}
	if _, known := l.Index(index); !known {
		return nil, ErrInvalidQuery("collection %s has no index %s", l.Name, index)
	}
	list, err := c.h.Tally(ctx, l, c.scope, index, q)
	if err != nil {
		return nil, fmt.Errorf("tally %s of collection %s: %w", index, l.Name, err)
	}
	return list, nil
}

package writers

import (
	"context"

	"quipu/internal/model"
	"quipu/internal/store/schema"
)

// Source reads what an engine has stored. It is safe for concurrent use.
type Source interface {
	// Load returns all that is stored of an app but values. It becomes the caller's.
	Load(ctx context.Context, app model.AppID) (Stored, error)
	// Values calls fn for the values of a segment in order of first appearance. A value is valid only during the call.
	Values(ctx context.Context, app model.AppID, k schema.SegmentID, fn func(value []byte)) error
}

// Stored is what is stored of an app.
type Stored struct {
	Counters schema.Counters
	Events   []schema.Record
	Subjects []schema.SubjectRecord
}

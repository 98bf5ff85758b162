// Package marks keeps retention marks, which say what was taken from an app's rows on purpose: rows that
// were dropped for their age, users who were deleted or whose numbers were
// rewritten. Callers that recompute figures from rows need them to know which figures the
// rows can no longer explain. The settings under which rows are made are kept beside them.
package marks

import "quipu/internal/model"

// Marks of an app. The zero value says that nothing was ever taken.
type Marks struct {
	// Dropped is the instant (ms) before which rows were dropped for their age; 0 = none were.
	Dropped int64
	// Deleted and Merged count the user numbers that stand for nobody any more:
	// of users deleted, and of users merged whose numbers were replaced everywhere.
	Deleted uint64
	Merged  uint64
	// Loose says that cells may count users who were deleted since the cells were
	// last counted from rows.
	Loose bool
}

// Reader reads what is committed.
type Reader interface {
	// Marks returns the marks of an app.
	Marks(app model.AppID) (Marks, error)
	// Settings returns the settings under which an app's records are projected, a
	// JSON object; nil when there are none.
	Settings(app model.AppID) ([]byte, error)
}

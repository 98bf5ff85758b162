package events

import (
	"context"
	"errors"

	"quipu/internal/model"
)

// ErrNoApp says that the store holds no tables of the app: it never sent
// anything, or it was dropped.
var ErrNoApp = errors.New("events: no data of this app")

// Reader reads what Writer committed. It is safe for concurrent use, and each
// call sees the state between two ticks. A call gives up when ctx is done or the
// store's time budget for reads is spent, with the context's error. Functions
// given to it must not call the store.
type Reader interface {
	// HasApp reports whether the app has tables.
	HasApp(app model.AppID) bool

	// ScanRows calls fn for the rows after a place in the journal, in the order of
	// (offset, item); ScanRequests and ScanStates do the same for these. The value
	// is valid only during the call. fn's error ends the scan and is returned. A scan
	// is not one snapshot: rows committed while it runs are seen. An app without tables has none.
	ScanRows(ctx context.Context, app model.AppID, after Place, fn func(*Row) error) error
	ScanRequests(ctx context.Context, app model.AppID, after Place, fn func(*RequestRow) error) error
	ScanStates(ctx context.Context, app model.AppID, after uint32, fn func(*State) error) error

	// Count returns the number of event rows that f selects; 0 for an app without tables.
	Count(ctx context.Context, app model.AppID, f RowFilter) (int64, error)

	// Users returns one page of the users table; the empty page for an app without tables.
	Users(ctx context.Context, app model.AppID, q UserQuery) (UserPage, error)

	// Query runs one statement in the store's SQL dialect and calls fn for each
	// row of the result; only package query writes such statements. Text arguments must
	// have gone through CleanText. A table that does not exist gives ErrNoApp.
	Query(ctx context.Context, statement string, args []any, fn func(Scanner) error) error
}

// Scanner copies the columns of the present row, as sql.Rows does.
type Scanner interface{ Scan(dest ...any) error }

// Place is a place in the journal: an item of the record at an offset.
type Place struct {
	Offset uint64
	Item   uint32
}

// RowFilter selects event rows; what is zero selects all.
type RowFilter struct {
	Keys  []string // e, any of them
	Names []string // n, any of them
	UIDs  []uint32 // any of them
	From  int64    // smallest ts, ms
	To    int64    // first ts beyond, ms
}

// UserQuery asks for a page of the users table, whose columns are named by the
// short keys of profiles on the wire (docs/format/events.md).
type UserQuery struct {
	Where string // SQL condition; "" = all users
	Args  []any  // of its placeholders
	// Order is a SQL list of expressions, with DESC where wanted; ties are in order of uid. "" = by uid.
	Order  string
	Limit  int // 0 = count only
	Offset int
}

// UserPage is a page of users.
type UserPage struct {
	UIDs  []uint32
	Total int64 // that match, on all pages
}

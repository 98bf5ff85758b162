package events

import (
	"context"
	"errors"
	"time"

	"quipu/internal/model"
	"quipu/internal/store/events/plan"
)

// ErrNoApp says that the store holds no tables of the app: it never sent
// anything, or it was dropped.
var ErrNoApp = errors.New("events: no data of this app")

// ErrMemory says that a read or a commit reached the limit of the store's memory. The call may be repeated when less runs
// beside it.
var ErrMemory = errors.New("events: memory limit reached")

// ErrReopened says that a read passed on rows when the store took itself out of service, or that it did so again and again. The
// call may be repeated.
var ErrReopened = errors.New("events: the database was opened again")

// ErrTooMany says that a plan looks at more rows than its bound, plan.Most.
var ErrTooMany = errors.New("events: the query exceeds its row limit")

// ReadTimeout is the time budget of a read where options of a store do not say another. Reads of cells have the same.
const ReadTimeout = 30 * time.Second

// Reader reads what Writer committed. It is safe for concurrent use, and each
// call sees the state between two batches. A call gives up when ctx is done or the
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

	// Run runs a plan and calls fn for each row of its result, whose columns are those that the plan selects.
	// An app without tables gives ErrNoApp, more rows than the plan's bound ErrTooMany.
	Run(ctx context.Context, q *plan.Query, fn func(Scanner) error) error

	// RunColumns is Run for results of many rows: it calls fn with some thousand rows at a time, column by column.
	// Each column that the plan selects must be a number, a truth value or a text. The columns are valid until fn returns.
	RunColumns(ctx context.Context, q *plan.Query, fn func(*Columns) error) error

	// RunAll runs a plan for many apps, in as few statements as the store can, and calls fn with each row of the results:
	// those of an app may come between those of others. The plan's own App does not count. It must not order, limit or
	// deduplicate rows, select groups or add that of all rows, nor hold another plan, and gives no row for an app of which it selects none. Apps without tables have none.
	RunAll(ctx context.Context, apps []model.AppID, q *plan.Query, fn func(app model.AppID, row Scanner) error) error

	// Ahead returns an offset behind from, or equal to it, such that about n event rows lie from the one to
	// the other, and how many of them it looked at: 0 when there are none. An app without tables has none.
	Ahead(ctx context.Context, app model.AppID, from uint64, n int) (to uint64, found int, err error)
}

// Scanner copies the columns of the present row, as sql.Rows does.
type Scanner interface{ Scan(dest ...any) error }

// Columns are rows of a result by column, in the order in which the plan selects them.
type Columns struct {
	Len  int // rows
	List []Column
}

// Column holds a value for each row: in Whole, in Number if the column's values are floating-point numbers, or in Text if they are
// texts. Values that are absent are 0 or "", and Null tells which are; nil = none.
type Column struct {
	Whole  []int64
	Number []float64
	Text   []string
	Null   []bool
}

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

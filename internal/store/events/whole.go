package events

import (
	"context"

	"quipu/internal/model"
)

// Rows reads all rows of an app, those of its users table included: what verification compares with other stores.
type Rows interface {
	// ScanRows, ScanRequests and ScanStates are those of Reader.
	ScanRows(ctx context.Context, app model.AppID, after Place, fn func(*Row) error) error
	ScanRequests(ctx context.Context, app model.AppID, after Place, fn func(*RequestRow) error) error
	ScanStates(ctx context.Context, app model.AppID, after uint32, fn func(*State) error) error
	// ScanUsers calls fn for the rows of the app's users table in the order of their numbers until fn returns an error, which
	// it returns. An app without tables has none.
	ScanUsers(ctx context.Context, app model.AppID, fn func(UserRow) error) error
}

// UserRow is a row of the users table, as an engine stores it.
type UserRow interface {
	// UID is the number of the user.
	UID() uint32
	// Differs lists the columns in which the row is not what the profile gives.
	Differs(p *model.Profile) []string
}

// Bounds are the largest numbers of an event row, in both directions.
type Bounds struct {
	Count    int64
	Sum, Dur float64
}

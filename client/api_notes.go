// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
)

// PostNotesDeleteParams are the parameters of PostNotesDelete. Zero values are left out.
type PostNotesDeleteParams struct {
	// Id of the app.
	AppID string `body:"app_id"`
	// Required. Id of the note.
	NoteID string `body:"note_id"`
}

// PostNotesDelete: delete a note.
//
// Needs the right to delete `core`. Global administrators may leave out `app_id`.
//
// It calls POST /i/notes/delete.
func (c *Client) PostNotesDelete(ctx context.Context, p PostNotesDeleteParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/notes/delete", p, false, &out)
	return out, err
}

// PostNotesSaveParams are the parameters of PostNotesSave. Zero values are left out.
type PostNotesSaveParams struct {
	// Id of the app.
	AppID string `body:"app_id"`
	// Required. What is written, as one JSON object.
	Args any `body:"args"`
}

// PostNotesSave: create or change a note.
//
// Needs the right to create `core`. The app is the field `app_id` of `args`, or else the parameter `app_id`.
//
// It calls POST /i/notes/save.
func (c *Client) PostNotesSave(ctx context.Context, p PostNotesSaveParams) (out Result, err error) {
	err = c.call(ctx, "POST", "/i/notes/save", p, false, &out)
	return out, err
}

// GetMethodNotesParams are the parameters of GetMethodNotes. Zero values are left out.
type GetMethodNotesParams struct {
	// Required. Id of the app.
	AppID string `query:"app_id"`
	// How many rows are left out at the start.
	IDisplayStart int64 `query:"iDisplayStart"`
	// How many rows at most; a negative number for as many as the list allows.
	IDisplayLength *int64 `query:"iDisplayLength"`
	// Text that rows are searched for.
	SSearch string `query:"sSearch"`
	// Number of the column that rows are sorted by.
	ISortCol0 int64 `query:"iSortCol_0"`
	// Direction of sorting.
	SSortDir0 string `query:"sSortDir_0"`
	// Order: `{"name":-1}`, or the name of a column.
	Sort any `query:"sort"`
	// Number that the answer repeats; where a list has another form, it makes it a table.
	SEcho int64 `query:"sEcho"`
	// `start`, or the `nextCursor` of the answer before: the answer is a table of the rows behind it, with `nextCursor`.
	Cursor string `query:"cursor"`
	// Ids of the apps of the notes.
	NotesApps any `query:"notes_apps"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Who sees the notes: `private`, `shared`, `public`.
	NoteType string `query:"note_type"`
	// Ids of categories.
	Category string `query:"category"`
}

// GetMethodNotes: list notes of an app.
//
// Needs the right to read `core`. The same as `/o?method=notes`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/method/notes.
func (c *Client) GetMethodNotes(ctx context.Context, p GetMethodNotesParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/method/notes", p, false, &out)
	return out, err
}

// GetNotesParams are the parameters of GetNotes. Zero values are left out.
type GetNotesParams struct {
	// Id of the app.
	AppID string `query:"app_id"`
	// How many rows are left out at the start.
	IDisplayStart int64 `query:"iDisplayStart"`
	// How many rows at most; a negative number for as many as the list allows.
	IDisplayLength *int64 `query:"iDisplayLength"`
	// Text that rows are searched for.
	SSearch string `query:"sSearch"`
	// Number of the column that rows are sorted by.
	ISortCol0 int64 `query:"iSortCol_0"`
	// Direction of sorting.
	SSortDir0 string `query:"sSortDir_0"`
	// Order: `{"name":-1}`, or the name of a column.
	Sort any `query:"sort"`
	// Number that the answer repeats; where a list has another form, it makes it a table.
	SEcho int64 `query:"sEcho"`
	// `start`, or the `nextCursor` of the answer before: the answer is a table of the rows behind it, with `nextCursor`.
	Cursor string `query:"cursor"`
	// Ids of the apps of the notes.
	NotesApps any `query:"notes_apps"`
	// Which days: `30days`, `7days`, `yesterday`, `month`, `day`, `hour`, `2026-01-31`, `[1767225600000,1769903999999]` and so on.
	Period string `query:"period"`
	// Who sees the notes: `private`, `shared`, `public`.
	NoteType string `query:"note_type"`
	// Ids of categories.
	Category string `query:"category"`
}

// GetNotes: list notes.
//
// Needs the right to read `core`. Global administrators may leave out `app_id`. The answer is a list, which pages, sorts and searches.
//
// It calls GET /o/notes.
func (c *Client) GetNotes(ctx context.Context, p GetNotesParams) (out json.RawMessage, err error) {
	err = c.call(ctx, "GET", "/o/notes", p, false, &out)
	return out, err
}

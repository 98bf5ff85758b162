package notes

import (
	"encoding/json"
	"slices"

	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/store/docs"
)

// The types of notes. Any other one, and none, is as good as public.
const (
	private = "private" // for its owner
	shared  = "shared"  // for its owner and those whose addresses are named
)

// Note is a note as it is stored.
type Note struct {
	ID        string         `json:"_id"`
	AppID     string         `json:"app_id"`
	Note      string         `json:"note"`
	TS        int64          `json:"ts"` // ms, the moment it is about
	NoteType  string         `json:"noteType"`
	Emails    []string       `json:"emails"`
	Color     any            `json:"color"`
	Category  any            `json:"category,omitempty"`
	Owner     model.MemberID `json:"owner"`
	CreatedAt int64          `json:"created_at"` // ms
	UpdatedAt int64          `json:"updated_at"` // ms
	Indicator string         `json:"indicator"`
}

// Key returns the note's id.
func (n Note) Key() string { return n.ID }

// Bounds of a note.
const (
	maxNote   = 10_000 // bytes of its text
	maxEmails = 1000
	maxOther  = 1000 // bytes of type, color and category, each as JSON
)

var errTooLong = fault.New(fault.Invalid, "notes.too_long", "Note is too long")

// Validate bounds what people may write.
func (n Note) Validate() error {
	if len(n.Note) > maxNote || len(n.Emails) > maxEmails {
		return errTooLong
	}
	for _, v := range []any{n.NoteType, n.Color, n.Category} {
		if text, err := json.Marshal(v); err != nil || len(text) > maxOther {
			return errTooLong
		}
	}
	for _, e := range n.Emails {
		if len(e) > maxOther {
			return errTooLong
		}
	}
	return nil
}

// visibleTo reports whether a member who may read the app may read the note.
func (n *Note) visibleTo(m *model.Member) bool {
	switch {
	case n.Owner == m.ID:
		return true
	case n.NoteType == private:
		return false
	case n.NoteType == shared:
		return slices.ContainsFunc(n.Emails, func(e string) bool { return docs.Fold(e) == docs.Fold(m.Email) })
	}
	return true
}

// visibleTo is Note.visibleTo as a condition of the store.
func visibleTo(m *model.Member) docs.Cond {
	return docs.Any(
		docs.Eq(".owner", m.ID.String()),
		docs.All(docs.Ne(".noteType", private), docs.Ne(".noteType", shared)),
		docs.All(docs.Eq(".noteType", shared), docs.Eq("email", m.Email)),
	)
}

// changeableBy reports whether a member may edit and delete the note: its
// owner, and administrators if it is public.
func (n *Note) changeableBy(m *model.Member, app model.AppID) bool {
	return n.Owner == m.ID || n.NoteType != private && n.NoteType != shared && auth.IsAppAdmin(m, app)
}

// spec declares the collection of notes.
func spec() docs.Spec[Note] {
	return docs.Spec[Note]{Name: "notes", Version: 1, Search: []docs.Field{".note"}, Indexes: []docs.Index[Note]{
		{Name: "ts", Path: ".ts", Order: true},
		{Name: "email", Path: ".emails", Fold: true},
		{Name: "category", Of: func(n Note) []any { return []any{categoryText(n.Category)} }},
	}}
}

// categoryText is what categories are compared by: any JSON, so its text.
func categoryText(category any) string {
	text, err := json.Marshal(category)
	if err != nil { // what came as JSON can be written as JSON
		return ""
	}
	return string(text)
}

// input are the fields of a note that a client sends; nil was not sent.
type input struct {
	ID       string
	Note     *string
	TS       *int64
	NoteType *string
	Emails   []string
	Color    any
	Category any
}

var errArgs = fault.New(fault.Invalid, "notes.args", "Not enough args")

// readInput reads args. It takes what it can read, and leaves what is of another type.
func readInput(v params.Value) (input, error) {
	var fields map[string]json.RawMessage
	if json.Unmarshal(v.Raw(), &fields) != nil || fields == nil {
		return input{}, errArgs
	}
	in := input{
		ID: deref(read[string](fields["_id"])), Note: read[string](fields["note"]), NoteType: read[string](fields["noteType"]),
		Emails: deref(read[[]string](fields["emails"])), Color: deref(read[any](fields["color"])), Category: deref(read[any](fields["category"])),
	}
	ts := params.Value{JSON: fields["ts"]}.String() // a number, or the text of one
	if n := read[float64](json.RawMessage(ts)); n != nil && *n > -1e15 && *n < 1e15 {
		at := int64(*n)
		in.TS = &at
	}
	return in, nil
}

// read returns nil for what is missing, null or of another type.
func read[T any](raw json.RawMessage) *T {
	var v T
	if len(raw) == 0 || string(raw) == "null" || json.Unmarshal(raw, &v) != nil {
		return nil
	}
	return &v
}

func deref[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

// fill changes the fields of a note that were sent. now is in ms.
func (in input) fill(n *Note, now int64) {
	if in.Note != nil {
		n.Note = *in.Note
	}
	if in.TS != nil {
		n.TS = *in.TS
	}
	if in.NoteType != nil {
		n.NoteType = *in.NoteType
	}
	if in.Emails != nil || n.Emails == nil {
		n.Emails = append([]string{}, in.Emails...)
	}
	if in.Color != nil {
		n.Color = in.Color
	}
	if in.Category != nil {
		n.Category = in.Category
	}
	n.UpdatedAt = now
}

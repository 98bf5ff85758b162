package symbolication

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/topic"
)

// Bounds of what is kept for an app.
const (
	maxSymbols = 500 // documents
	maxBuilds  = 50  // of a symbol
	maxText    = 1024
	maxJobs    = 1000
)

// builds are the builds that a symbol belongs to: on the wire one as text, several as a list.
type builds []string

// MarshalJSON implements json.Marshaler.
func (b builds) MarshalJSON() ([]byte, error) {
	if len(b) == 1 {
		return json.Marshal(b[0])
	}
	return json.Marshal([]string(b))
}

// UnmarshalJSON implements json.Unmarshaler.
func (b *builds) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*b = builds{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(b))
}

// part is a file as readers of symbols take it.
type part struct {
	File string `json:"file"` // its name in the folder
	Name string `json:"name"` // what it was packed as
	Size int64  `json:"size"`
	From string `json:"from"` // the upload that has it
	// Native is whether it has functions of native code, IDs what its builds are recognised by.
	Native bool     `json:"native,omitempty"`
	IDs    []string `json:"ids,omitempty"`
	// Form is what kind of names it has that stacks get once functions are known: formDart or formIL2CPP; "" = none.
	Form string `json:"form,omitempty"`
}

// upload is a file that was uploaded.
type upload struct {
	ID   string `json:"id"` // its name in the folder, without the app's
	Name string `json:"name"`
	Size int64  `json:"size"`
}

// symbol is what is kept of a build. TS is in seconds.
type symbol struct {
	ID       string `json:"_id"`
	Platform string `json:"platform"`
	Build    builds `json:"build"`
	Note     string `json:"note"`
	TS       int64  `json:"ts"`
	ToolVer  string `json:"sym_tool_ver,omitempty"`
	// Problem says why no frame can be found in the files; "" = some can.
	Problem string   `json:"problem,omitempty"`
	Uploads []upload `json:"uploads"`
	Parts   []part   `json:"parts"`
	Several bool     `json:"several,omitempty"`
}

// Key returns the id.
func (s symbol) Key() string { return s.ID }

// Validate accepts: the service checks what it writes.
func (symbol) Validate() error { return nil }

// listed is a symbol on the wire: what is kept, and its files in one of two forms.
type listed struct {
	symbol
	Filename  string   `json:"filename,omitempty"`
	Filenames []upload `json:"filenames,omitempty"`
	// These are not shown.
	Uploads *int `json:"uploads,omitempty"`
	Parts   *int `json:"parts,omitempty"`
	Several *int `json:"several,omitempty"`
}

// shown is a symbol as the list has it.
func (s symbol) shown() listed {
	out := listed{symbol: s}
	if s.Several {
		out.Filenames = s.Uploads
	} else if len(s.Uploads) > 0 {
		out.Filename = s.Uploads[0].Name
	}
	return out
}

// size is what the files take on disk.
func (s symbol) size() (n int64) {
	for name, size := range s.stored() {
		if name != "" {
			n += size
		}
	}
	return n
}

// stored are the names of the files of a symbol with their sizes.
func (s symbol) stored() map[string]int64 {
	out := map[string]int64{}
	for _, u := range s.Uploads {
		out[u.ID] = u.Size
	}
	for _, p := range s.Parts {
		out[p.File] = p.Size
	}
	return out
}

func spec() docs.Spec[symbol] {
	return docs.Spec[symbol]{Name: "symbolication.symbols", Version: 1, Indexes: []docs.Index[symbol]{
		{Name: "build", Of: func(s symbol) []any {
			out := make([]any, 0, len(s.Build))
			for _, b := range s.Build {
				out = append(out, strings.ToLower(b))
			}
			return out
		}},
		{Name: "id", Of: func(s symbol) []any {
			var out []any
			for _, p := range s.Parts {
				for _, id := range p.IDs {
					out = append(out, id)
				}
			}
			return out
		}},
	}}
}

// choice is the symbol that people chose for a group.
type choice struct {
	Group  string `json:"_id"`
	Symbol string `json:"symbol"`
}

// Key returns the id of the group.
func (c choice) Key() string { return c.Group }

// Validate accepts: the service checks what it writes.
func (choice) Validate() error { return nil }

func choiceSpec() docs.Spec[choice] {
	return docs.Spec[choice]{Name: "symbolication.choices", Version: 1, Indexes: []docs.Index[choice]{
		{Name: "symbol", Of: func(c choice) []any { return []any{c.Symbol} }},
	}}
}

// maxChoices is how many groups of an app have a symbol that was chosen for them.
const maxChoices = 10_000

// job is an attempt to symbolicate a group. TS is in ms.
type job struct {
	ID       string   `json:"_id"`
	TS       int64    `json:"ts"`
	Platform string   `json:"platform"`
	Build    string   `json:"build"`
	Status   string   `json:"status"`
	Log      []string `json:"log"`
}

// Key returns the id.
func (j job) Key() string { return j.ID }

// Validate accepts: the service checks what it writes.
func (job) Validate() error { return nil }

func jobSpec() docs.Spec[job] {
	return docs.Spec[job]{
		Name: "symbolication.jobs", Version: 1, Search: []docs.Field{".platform", ".build", ".status", ".log"},
		Indexes: []docs.Index[job]{
			{Name: "ts", Path: ".ts", Order: true},
			{Name: "platform", Path: ".platform", Order: true},
			{Name: "build", Path: ".build", Order: true},
			{Name: "status", Path: ".status", Order: true},
		},
	}
}

// newID returns an id that sorts by the time at which it was made: its seconds, their 65,536ths, and what is random.
func newID(now time.Time) string {
	part := int64(now.Nanosecond()) << 16 / int64(time.Second)
	return fmt.Sprintf("%08x%04x%s", uint32(now.Unix()), part, model.NewID().String()[12:]) // enough until 2106
}

// file is the name that a file of an app has in the folder.
func file(app model.AppID, id string) string { return app.String() + "_" + id }

// sweep deletes files that belong to no symbol: those of uploads that a process did not finish.
func (s *service) sweep(ctx context.Context) error {
	if !s.sweeping.TryLock() {
		return nil // files of an upload that is under way look like those of one that ended
	}
	defer s.sweeping.Unlock()
	return s.exclusively(ctx, func() error {
		keep := map[string]bool{}
		for found, err := range spec().AcrossApps(s.docs, "files of all apps lie in one folder").List(ctx, docs.Query{}) {
			if err != nil {
				return err
			}
			for id := range found.Doc.stored() {
				keep[file(found.App, id)] = true
			}
		}
		return s.folder.Sweep(ctx, func(name string) bool { return keep[name] })
	})
}

// drop deletes files of an app. Readers with open files continue.
func (s *service) drop(ctx context.Context, app model.AppID, ids map[string]int64) error {
	for id := range ids {
		s.opened.drop(file(app, id) + ".")
		if err := s.folder.Remove(ctx, file(app, id)); err != nil {
			return err
		}
	}
	return nil
}

// appReset forgets what is about groups that are no more; symbols of builds stay.
func (s *service) appReset(ctx context.Context, ev topic.AppReset) error {
	if _, err := choiceSpec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{}); err != nil {
		return err
	}
	_, err := jobSpec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{})
	return err
}

// appDeleted removes everything of an app that is no more.
func (s *service) appDeleted(ctx context.Context, ev topic.AppDeleted) error {
	if err := s.appReset(ctx, topic.AppReset(ev)); err != nil {
		return err
	}
	return s.exclusively(ctx, func() error {
		if _, err := spec().In(s.docs, ev.App).DeleteWhere(ctx, docs.Query{}); err != nil {
			return err
		}
		s.opened.drop(ev.App.String() + "_")
		return s.folder.RemoveAll(ctx, ev.App.String()+"_")
	})
}

// record keeps what came of an attempt, and forgets the oldest beyond the bound.
func (s *service) record(ctx context.Context, app model.AppID, j job) error {
	return s.docs.Tx(ctx, func(tx docs.Handle) error {
		col := jobSpec().In(tx, app)
		if err := col.Create(ctx, j); err != nil {
			return err
		}
		n, err := col.Count(ctx, docs.Query{})
		if err != nil || n <= maxJobs {
			return err
		}
		old, err := col.All(ctx, docs.Query{Sort: "ts", Limit: n - maxJobs})
		for _, o := range old {
			if err := col.Delete(ctx, o.ID); err != nil {
				return err
			}
		}
		return err
	})
}

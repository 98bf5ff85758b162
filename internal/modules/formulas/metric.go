package formulas

import (
	"context"
	"crypto/md5" // tells equal formulas; it protects nothing
	"encoding/hex"
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/jobs"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/query/formula"
	"quipu/internal/store/docs"
)

// metric is a formula under a name.
type metric struct {
	ID          string         `json:"_id"`
	Title       string         `json:"title"`
	Description string         `json:"description"`
	Name        string         `json:"key"`
	Visibility  string         `json:"visibility"`
	Format      string         `json:"format"`
	Places      int            `json:"dplaces"`
	Unit        string         `json:"unit"`
	Formula     string         `json:"formula"` // as it was sent
	Shared      []string       `json:"shared_email_edit"`
	App         string         `json:"app"`
	Hash        string         `json:"formula_hash"` // the same for formulas that compute the same way
	Owner       model.MemberID `json:"owner_id"`
}

// The visibilities.
const (
	global  = "global"
	private = "private"
)

// Bounds of formulas.
const (
	maxMetrics = 1000 // of an app
	maxText    = 2000 // bytes of each text
	maxShared  = 100
	maxPlaces  = 10
	maxFormula = 32 << 10 // bytes, as sent
)

var keyForm = regexp.MustCompile(`^[A-Za-z0-9_-]{1,100}$`)

// Key returns the id.
func (m metric) Key() string { return m.ID }

// Validate returns what is wrong with the formula, in the order of the wire's checks.
func (m metric) Validate() error {
	switch {
	case strings.TrimSpace(m.Title) == "" || m.Name == "":
		return errArgs
	case !slices.Contains([]string{"float", "integer", "percent", "time"}, m.Format):
		return errFormat
	case m.Places < 0 || m.Places > maxPlaces:
		return errPlaces
	case !keyForm.MatchString(m.Name):
		return errKey
	case m.Visibility != global && m.Visibility != private:
		return errVisibility
	case len(m.Title) > maxText || len(m.Description) > maxText || len(m.Unit) > maxText || len(m.Shared) > maxShared:
		return bad("metric")
	case m.Formula == "":
		return errEmpty
	}
	for _, email := range m.Shared {
		if len(email) > maxText {
			return bad("metric")
		}
	}
	_, err := read(m.Formula)
	return err
}

func spec() docs.Spec[metric] {
	return docs.Spec[metric]{Name: "formulas", Version: 1, Search: []docs.Field{".title"}, Indexes: []docs.Index[metric]{
		{Name: "title", Path: ".title", Order: true, Unique: true},
		{Name: "key", Path: ".key", Unique: true},
		{Name: "owner", Path: ".owner_id"},
	}}
}

// visible reports whether a member sees, and may change, a formula.
func (m metric) visible(who *model.Member) bool {
	return who.GlobalAdmin || m.Visibility == global || m.Owner == who.ID ||
		slices.ContainsFunc(m.Shared, func(email string) bool { return strings.EqualFold(email, who.Email) })
}

// read parses a formula as it is sent: text, or the JSON of a formula builder.
func read(text string) (*formula.Formula, error) {
	if len(text) > maxFormula {
		return nil, errIncorrect
	}
	f, err := formula.Parse(unbuilt(text))
	if err != nil {
		return nil, errIncorrect
	}
	return f, nil
}

// built is an element of what a formula builder sends.
type built struct {
	Text      string `json:"text"` // a formula as text
	Variables []struct {
		Ex struct {
			Type   string `json:"type"`
			Name   string `json:"name"`
			Params struct {
				Event   string          `json:"event"`
				Query   json.RawMessage `json:"query"`
				Measure string          `json:"measure"`
			} `json:"params"`
		} `json:"ex"`
	} `json:"variables"`
}

// unbuilt is the text of a formula: that of a list of one element, or the text as it is.
func unbuilt(text string) string {
	if !strings.HasPrefix(strings.TrimSpace(text), "[") {
		return text
	}
	var list []built
	if json.Unmarshal([]byte(text), &list) != nil || len(list) != 1 {
		return ""
	}
	if list[0].Text != "" || len(list[0].Variables) != 1 {
		return list[0].Text
	}
	ex := list[0].Variables[0].Ex
	if ex.Type != "source" || ex.Name != "e" {
		return ""
	}
	measure := "count"
	if ex.Params.Measure != "" {
		measure = ex.Params.Measure
	}
	event, err := json.Marshal(ex.Params.Event)
	if err != nil || strings.ContainsAny(measure, "()\" ") {
		return ""
	}
	out := measure + "(" + string(event)
	query := params.Value{JSON: ex.Params.Query}
	if raw := strings.TrimSpace(query.String()); len(ex.Params.Query) > 0 && raw != "{}" && raw != "null" && raw != `""` {
		out += ", " + raw
	}
	return out + ")"
}

// paths are those of a formula's filters.
func paths(f *formula.Formula) []string {
	var out []string
	for _, s := range f.Sources {
		out = append(out, s.Filter.Paths()...)
		if s.Of != "" && s.Account() == "" {
			out = append(out, s.Of)
		}
	}
	return out
}

// accounts are the properties whose values a formula counts.
func accounts(f *formula.Formula) []string {
	var out []string
	for _, s := range f.Sources {
		if path := s.Account(); path != "" {
			out = append(out, path)
		}
	}
	return out
}

// permitted refuses a formula whose filters and properties the caller may not ask by, see auth.MayAskBy.
func permitted(c api.Caller, f *formula.Formula) error {
	if !auth.MayAskBy(c.Member, c.App.ID, paths(f), accounts(f)) {
		return errRight
	}
	return nil
}

// fields are those of a formula that a client sends; nil was not sent.
type fields struct {
	ID          string          `json:"_id"`
	Title       *string         `json:"title"`
	Description *string         `json:"description"`
	Key         *string         `json:"key"`
	Visibility  *string         `json:"visibility"`
	Format      *string         `json:"format"`
	Places      *float64        `json:"dplaces"`
	Unit        *string         `json:"unit"`
	Formula     json.RawMessage `json:"formula"`
	Shared      []string        `json:"shared_email_edit"`
}

// fill changes a formula.
func (f fields) fill(m *metric) error {
	if f.Title == nil || f.Key == nil || f.Format == nil || f.Places == nil || f.Visibility == nil {
		return errArgs
	}
	if err := params.CheckName(*f.Title, *f.Key); err != nil {
		return err
	}
	if *f.Places != float64(int(*f.Places)) {
		return errPlaces
	}
	m.Title, m.Name, m.Format, m.Places, m.Visibility = *f.Title, *f.Key, *f.Format, int(*f.Places), *f.Visibility
	if f.Description != nil {
		m.Description = strings.TrimSpace(*f.Description)
	}
	if f.Unit != nil {
		m.Unit = *f.Unit
	}
	if f.Shared != nil {
		m.Shared = f.Shared
	}
	if len(f.Formula) > 0 {
		m.Formula = params.Value{JSON: f.Formula}.String()
		if string(f.Formula) == "null" {
			m.Formula = ""
		}
	}
	if err := m.Validate(); err != nil {
		return err
	}
	ready, err := read(m.Formula)
	if err != nil {
		return err
	}
	sum := md5.Sum([]byte(ready.String()))
	m.Hash = hex.EncodeToString(sum[:])
	return nil
}

type saved struct {
	Status string `json:"status"`
	ID     string `json:"id"`
	Action string `json:"action"`
}

// save makes a formula, or changes one.
func (s *service) save(ctx context.Context, c api.Caller, r struct {
	Metric params.Value `param:"metric"`
},
) (saved, error) {
	var f fields
	if json.Unmarshal(r.Metric.Raw(), &f) != nil {
		return saved{}, errArgs
	}
	var before, after metric
	err := s.docs.Tx(ctx, func(tx docs.Handle) error {
		col := spec().In(tx, c.App.ID)
		if f.ID == "" {
			after = metric{ID: model.NewID().String(), App: c.App.ID.String(), Owner: c.Member.ID, Shared: []string{}}
			if err := s.fill(c, f, &after); err != nil {
				return err
			}
			return col.CreateUpTo(ctx, after, maxMetrics, errTooMany)
		}
		m, err := find(ctx, col, c, f.ID)
		if err != nil {
			return err
		}
		before, after = m, m
		if err := s.fill(c, f, &after); err != nil {
			return err
		}
		return col.Put(ctx, after)
	})
	if strings.HasPrefix(fault.CodeOf(err), "docs.duplicate.") {
		err = errTaken
	}
	if err != nil {
		return saved{}, err
	}
	if f.ID == "" {
		c.Audit("formula_created", nil, after, nil)
		return saved{"Success", after.ID, "formula_created"}, nil
	}
	c.Audit("formula_edited", before, after, nil)
	return saved{"Success", after.ID, "formula_edited"}, nil
}

// fill changes a formula, which the caller must be permitted to ask.
func (s *service) fill(c api.Caller, f fields, m *metric) error {
	if err := f.fill(m); err != nil {
		return err
	}
	ready, err := read(m.Formula)
	if err != nil {
		return err
	}
	return permitted(c, ready)
}

// find returns a formula that the caller sees, or errNotFound.
func find(ctx context.Context, col docs.Collection[metric], c api.Caller, id string) (metric, error) {
	m, err := col.Get(ctx, id)
	if docs.IsNotFound(err) || fault.CodeOf(err) == "docs.invalid_key" || err == nil && !m.visible(c.Member) {
		return metric{}, errNotFound
	}
	return m, err
}

// remove deletes a formula.
func (s *service) remove(ctx context.Context, c api.Caller, r struct {
	ID string `param:"id"`
},
) (api.Result, error) {
	var before metric
	err := s.docs.Tx(ctx, func(tx docs.Handle) error {
		col := spec().In(tx, c.App.ID)
		m, err := find(ctx, col, c, r.ID)
		if fault.CodeOf(err) == errNotFound.Code {
			return errNotYours
		}
		if err != nil {
			return err
		}
		before = m
		return col.Delete(ctx, r.ID)
	})
	if err != nil {
		return api.Result{}, err
	}
	c.Audit("formula_deleted", before, nil, nil)
	return api.Result{Result: "Deleted a formula"}, nil
}

// brief is what widgets show of a formula.
type brief struct {
	ID    string `json:"_id"`
	Title string `json:"title"`
}

// list answers with the formulas that the caller sees, by title.
func (s *service) list(ctx context.Context, c api.Caller, r struct {
	Widgets string `param:"for_widgets"`
},
) (any, error) {
	list, briefs := []metric{}, []brief{}
	for m, err := range spec().In(s.docs, c.App.ID).List(ctx, docs.Query{Sort: "title"}) {
		if err != nil {
			return nil, err
		}
		if m.visible(c.Member) {
			list, briefs = append(list, m), append(briefs, brief{m.ID, m.Title})
		}
	}
	if r.Widgets != "" {
		return briefs, nil
	}
	return list, nil
}

type getReq struct {
	ID      string `param:"_id"`
	Mode    string `param:"mode"`
	Metric  string `param:"metric_id"`
	Widgets string `param:"for_widgets"`
}

// get answers with a formula, an empty object where the caller sees none; with has_reports, with how many tasks computed it.
func (s *service) get(ctx context.Context, c api.Caller, r getReq) (any, error) {
	if r.Mode == "has_reports" {
		n, err := s.reports(ctx, c, r.Metric)
		return api.Result{Result: map[string]int{"count": n}}, err
	}
	m, err := find(ctx, spec().In(s.docs, c.App.ID), c, r.ID)
	switch {
	case fault.CodeOf(err) == errNotFound.Code:
		return struct{}{}, nil
	case err != nil:
		return nil, err
	case r.Widgets != "":
		return api.Result{Result: brief{m.ID, m.Title}}, nil
	}
	return api.Result{Result: m}, nil
}

// reports counts the tasks of an app that computed a formula; none for one that the caller does not see.
func (s *service) reports(ctx context.Context, c api.Caller, id string) (n int, err error) {
	if _, err := find(ctx, spec().In(s.docs, c.App.ID), c, id); err != nil {
		if fault.CodeOf(err) == errNotFound.Code {
			err = nil
		}
		return 0, err
	}
	f, err := filter.Parse(map[string]any{"type": feature})
	if err != nil {
		return 0, err
	}
	err = s.tasks.Query(docs.Query{Where: []docs.Cond{docs.Eq("app", c.App.ID.String())}, Filter: f}).Each(ctx, func(t jobs.Task) error {
		if strings.Contains(string(t.Params), id) {
			n++
		}
		return nil
	})
	return n, err
}

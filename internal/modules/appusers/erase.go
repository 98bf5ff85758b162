package appusers

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/hook"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/jobs"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/docs"
	"quipu/internal/store/profile"
	"quipu/internal/topic"
)

// eraseKind is the kind of tasks that erase persons.
const eraseKind = "data_subjects.erase"

// backupsNote is what people have to know before an erasure.
const backupsNote = "Backups that were made before the erasure still hold the person. Delete them, or erase the person again after restoring one."

// The states of an erasure.
const (
	erasing  = "running"  // collected data and documents
	cleaning = "cleaning" // all is deleted; what stores leave on the disk is being overwritten
	erased   = "done"
)

// erasure is the record of an erasure. While it is under way it holds what the persons are found
// by, so that it can be resumed after a crash; in the end it only says what was done.
type erasure struct {
	ID        string         `json:"_id"`
	UIDs      []uint32       `json:"uids"`
	State     string         `json:"state"`
	Reason    string         `json:"reason,omitempty"`
	Member    model.MemberID `json:"member"`
	By        string         `json:"by"`
	IP        string         `json:"ip,omitempty"`
	Requested int64          `json:"requested"` // ms
	Done      int64          `json:"done"`      // ms, 0 = not yet
	// Held counts what there was, by kind.
	Held map[string]int64 `json:"held,omitempty"`
	// Plain marks the deletion of profiles: the persons and their rows are gone already.
	Plain bool `json:"plain,omitempty"`
	// Texts identify the persons, Pictures are the hashes of files, Props texts of properties by their path in a filter,
	// Own, of a plain one, the values of segments that nobody else sent. All are gone when State is not erasing.
	Texts    []string             `json:"texts,omitempty"`
	Pictures []string             `json:"pictures,omitempty"`
	Props    map[string][]string  `json:"props,omitempty"`
	Own      []pipeline.OwnValues `json:"own,omitempty"`
}

// Key returns the id.
func (e erasure) Key() string { return e.ID }

// Validate refuses an erasure of nobody.
func (e erasure) Validate() error {
	if e.ID == "" || len(e.UIDs) == 0 || e.State == "" {
		return fault.New(fault.Invalid, "data_subjects.invalid", "An erasure needs an id, users and a state")
	}
	return nil
}

func erasureSpec() docs.Spec[erasure] {
	return docs.Spec[erasure]{
		Name: "app_users.erasures", Version: 1, Search: []docs.Field{".by", ".reason", ".state"},
		Indexes: []docs.Index[erasure]{{Name: "requested", Path: ".requested", Order: true}, {Name: "state", Path: ".state"}},
	}
}

// eraseOrder are the parameters of the task; what it needs is in the record.
type eraseOrder struct {
	App model.AppID `json:"app"`
	ID  string      `json:"id"`
}

// erase queues the erasure of persons.
func (s *subjects) erase(ctx context.Context, c api.Caller, r subjectsReq) (started, error) {
	if utf8.RuneCountInString(r.Reason) > 500 {
		return started{}, invalid("data_subjects.long_reason", "Parameter \"reason\" has more than 500 characters")
	}
	uids, err := s.existing(ctx, c.App.ID, r.UID)
	if err != nil {
		return started{}, err
	}
	open, err := erasureSpec().In(s.docs, c.App.ID).All(ctx, docs.Query{Where: []docs.Cond{docs.Eq("state", erasing)}})
	if err != nil {
		return started{}, err
	}
	for _, e := range open {
		if slices.ContainsFunc(e.UIDs, func(uid uint32) bool { return slices.Contains(uids, uid) }) {
			return started{}, errConflict
		}
	}
	e := erasure{
		ID: model.NewID().String(), UIDs: uids, State: erasing, Reason: r.Reason, Member: c.Member.ID, By: c.Member.Username,
		Requested: s.now().UnixMilli(),
	}
	if c.IP.IsValid() {
		e.IP = c.IP.String()
	}
	if err := erasureSpec().In(s.docs, c.App.ID).Create(ctx, e); err != nil {
		return started{}, err
	}
	id, err := s.submit(ctx, c.App.ID, e)
	if err != nil {
		return started{}, err // it is begun by and by
	}
	c.Audit("data_subject_erase_requested", map[string]any{"uids": uids}, map[string]any{"erasure": e.ID, "task_id": id, "reason": r.Reason}, nil)
	return started{Result: startedTask{TaskID: id, ID: e.ID, Backups: backupsNote}}, nil
}

func (s *subjects) submit(ctx context.Context, app model.AppID, e erasure) (string, error) {
	id, _, err := s.tasks.Submit(ctx, jobs.Spec{
		Kind: eraseKind, Type: "dataSubjectErasure", App: app, Creator: e.Member, Params: eraseOrder{App: app, ID: e.ID},
		ReportName: "Erasure " + e.ID, Manual: true,
	})
	return id, err
}

// resume restarts the erasures that did not come to an end.
func (s *subjects) resume(ctx context.Context) error {
	var errs []error
	for found, err := range erasureSpec().AcrossApps(s.docs, "erasures of all apps are resumed").List(ctx, docs.Query{Where: []docs.Cond{docs.Ne("state", erased)}}) {
		if err != nil {
			return errors.Join(append(errs, fmt.Errorf("list erasures: %w", err))...)
		}
		if found.Doc.Plain {
			continue
		}
		_, err = s.submit(ctx, found.App, found.Doc) // one that is under way stays the only one
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// run carries an erasure out. Every step may be repeated.
func (s *subjects) run(ctx context.Context, r *jobs.Run) error {
	var o eraseOrder
	if err := r.Params(&o); err != nil {
		return err
	}
	col := erasureSpec().In(s.docs, o.App)
	e, err := col.Get(ctx, o.ID)
	if err != nil {
		return err
	}
	if e.State == erasing {
		if e, err = s.eraseData(ctx, o.App, e); err != nil {
			return fmt.Errorf("erasure %s: %w", o.ID, err)
		}
	}
	r.Progress(1, 2)
	if e.State == cleaning {
		if err := s.data.Scrub(ctx, o.App); err != nil {
			return fmt.Errorf("erasure %s: %w", o.ID, err)
		}
		// The audit log comes first: cut short between the two, it has the erasure twice rather than not at all.
		if err := s.tell(ctx, o.App, e); err != nil {
			return err
		}
		e, err = col.Update(ctx, o.ID, func(e *erasure) error {
			e.State, e.Done = erased, s.now().UnixMilli()
			return nil
		})
		if err != nil {
			return err
		}
	}
	r.Progress(2, 2)
	return r.SetData(map[string]any{"id": e.ID, "uids": e.UIDs, "held": e.Held, "done": e.Done, "backups": backupsNote})
}

// tell writes the erasure into the audit log.
func (s *subjects) tell(ctx context.Context, app model.AppID, e erasure) error {
	path := "/i/data_subjects/erase"
	if e.Plain {
		path = "/i/app_users/delete"
	}
	return hook.Emit(ctx, s.bus, topic.Action{
		At: s.now(), Name: "data_subject_erased", Member: e.Member, Username: e.By, App: app, IP: e.IP, Path: path,
		Before: map[string]any{"uids": e.UIDs, "held": e.Held},
		After:  map[string]any{"erasure": e.ID, "uids": e.UIDs, "held": map[string]int64{}},
		Data:   map[string]any{"reason": e.Reason},
	})
}

// eraseData deletes the persons from all stores.
func (s *subjects) eraseData(ctx context.Context, app model.AppID, e erasure) (erasure, error) {
	col := erasureSpec().In(s.docs, app)
	if err := s.data.Flush(ctx); err != nil {
		return e, err
	}
	if e.Held == nil { // stored before anything is deleted
		if err := s.identify(ctx, app, &e); err != nil {
			return e, err
		}
		if err := col.Put(ctx, e); err != nil {
			return e, err
		}
	}
	own, err := s.ownValues(ctx, app, e.UIDs)
	if err != nil {
		return e, err
	}
	e.Own = own
	if err := s.eraseNoted(ctx, app, e); err != nil {
		return e, err
	}
	return col.Update(ctx, e.ID, toCleaning)
}

// toCleaning takes the notes away.
func toCleaning(e *erasure) error {
	e.State, e.Texts, e.Pictures, e.Props, e.Own = cleaning, nil, nil, nil, nil
	return nil
}

// ownValues finds the values of segments that the persons sent, and nobody else.
func (s *subjects) ownValues(ctx context.Context, app model.AppID, uids []uint32) ([]pipeline.OwnValues, error) {
	own, err := s.tables.OwnValues(ctx, app, uids)
	if err != nil {
		return nil, err
	}
	values := make([]pipeline.OwnValues, len(own))
	for i, v := range own {
		values[i] = pipeline.OwnValues{Event: v.Event, Segment: v.Segment, Values: v.Values}
	}
	return values, nil
}

// eraseNoted deletes what is noted of persons from all stores.
func (s *subjects) eraseNoted(ctx context.Context, app model.AppID, e erasure) error {
	props, err := s.ownProps(ctx, app, e)
	if err != nil {
		return err
	}
	command, err := pipeline.EraseUsers(app, e.UIDs, e.Own)
	if err != nil {
		return err
	}
	if err := s.data.Submit(ctx, command); err != nil {
		return err
	}
	// The pipeline has announced them unless a crash came between.
	return errors.Join(
		hook.Emit(ctx, s.bus, topic.UsersDeleted{App: app, UIDs: e.UIDs}),
		hook.Emit(ctx, s.bus, topic.UsersErased{App: app, UIDs: e.UIDs, Texts: e.Texts, Props: props}),
		s.removePictures(ctx, e.Pictures),
	)
}

// ownProps lists those of the noted texts of properties that nobody else of the app has.
func (s *subjects) ownProps(ctx context.Context, app model.AppID, e erasure) (map[string][]string, error) {
	them := make([]any, len(e.UIDs))
	for i, uid := range e.UIDs {
		them[i] = fmt.Sprint(uid)
	}
	others := func(path string, values ...any) (bool, error) {
		f, err := filter.Parse(map[string]any{path: map[string]any{"$in": values}, "uid": map[string]any{"$nin": them}})
		if err != nil {
			return false, err
		}
		_, n, err := s.people.List(ctx, app, query.Page{Filter: f, Limit: 1})
		return n > 0, err
	}
	own := map[string][]string{}
	for path, texts := range e.Props {
		all := make([]any, len(texts))
		for i, text := range texts {
			all[i] = text
		}
		shared, err := others(path, all...)
		if err != nil {
			return nil, err
		}
		for _, text := range texts {
			his := !shared
			if shared && len(texts) > 1 {
				has, err := others(path, text)
				if err != nil {
					return nil, err
				}
				his = !has
			}
			if his {
				own[path] = append(own[path], text)
			}
		}
	}
	return own, nil
}

// shortText is the number of bytes up to which a text may stand anywhere by chance.
const shortText = 4

// What is noted of properties: texts up to a number of bytes, of so many properties.
const (
	maxProp  = 1000
	maxProps = 200
)

// identify notes what the persons are found by, and how much there is of them.
func (s *subjects) identify(ctx context.Context, app model.AppID, e *erasure) error {
	e.Held = map[string]int64{}
	texts := map[string]bool{}
	see := func(text string) {
		if len(text) > shortText {
			texts[text] = true
		}
	}
	props := map[string]map[string]bool{}
	seeProp := func(path string, v any) {
		text, ok := v.(string)
		if !ok || len(text) <= shortText || len(text) > maxProp || len(props) >= maxProps && props[path] == nil {
			return
		}
		if props[path] == nil {
			props[path] = map[string]bool{}
		}
		props[path][text] = true
	}
	for _, uid := range e.UIDs {
		p, err := s.data.Profiles.ByUID(ctx, app, uid)
		if errors.Is(err, profile.ErrNotFound) {
			continue
		}
		if err != nil {
			return err
		}
		e.Held["profiles"]++
		for _, text := range []string{p.DID, p.ID.String(), p.Name, p.Username, p.Email, p.Phone, p.Picture} {
			see(text)
		}
		seeProp("organization", p.Organization)
		for name, v := range p.Custom {
			seeProp("custom."+name, v)
		}
	}
	err := s.tables.StatesOf(ctx, app, e.UIDs, func(v any) error {
		e.Held["states"]++
		row, _ := v.(query.StateRow)
		var state map[string]any
		if err := json.Unmarshal(row.Props, &state); err != nil {
			return fmt.Errorf("read user state %d: %w", row.State, err)
		}
		for _, name := range []string{"name", "username", "email", "phone", "picture"} {
			if text, ok := state["up."+name].(string); ok {
				see(text)
			}
		}
		seeProp("organization", state["up.organization"])
		for name, v := range state {
			if strings.HasPrefix(name, "custom.") {
				seeProp(name, v)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if err := s.tables.RequestsOf(ctx, app, e.UIDs, func(any) error { e.Held["requests"]++; return nil }); err != nil {
		return err
	}
	ids := make([]any, len(e.UIDs))
	for i, uid := range e.UIDs {
		ids[i] = fmt.Sprint(uid)
	}
	f, err := filter.Parse(map[string]any{"uid": map[string]any{"$in": ids}})
	if err != nil {
		return err
	}
	if e.Held["events"], err = s.tables.CountEvents(ctx, app, f); err != nil {
		return err
	}
	for text := range texts {
		e.Texts = append(e.Texts, text)
		if b, err := hex.DecodeString(text); err == nil && len(b) == 32 {
			e.Pictures = append(e.Pictures, text)
		}
	}
	slices.Sort(e.Texts)
	slices.Sort(e.Pictures)
	e.Props = map[string][]string{}
	for path, values := range props {
		e.Props[path] = slices.Sorted(maps.Keys(values))
	}
	return nil
}

// removePictures deletes uploaded pictures that nobody else has. A young one may be about to be somebody's, whose request is not
// projected yet: the sweep deletes it if nobody comes.
func (s *subjects) removePictures(ctx context.Context, hashes []string) error {
	for _, hash := range hashes {
		f, err := filter.Parse(map[string]any{"picture": hash})
		if err != nil {
			return err
		}
		used := false
		for _, app := range s.apps.All() {
			_, n, err := s.people.List(ctx, app.ID, query.Page{Filter: f})
			if err != nil {
				return err
			}
			used = used || n > 0 || app.Image == hash
		}
		if !used {
			if err := s.files.DeleteOld(ctx, hash, pictureAge); err != nil {
				return err
			}
		}
	}
	return nil
}

type listReq struct{ api.List }

func listing() api.Listing {
	return api.Listing{
		Columns: []api.Column{{Name: "requested", Field: "requested"}, {Name: "state", Field: "state"}, {Name: "by", Field: ".by"}, {Name: "done", Field: ".done"}},
		Sort:    "requested", Desc: true, Usual: defaultPage, Most: maxPage,
	}
}

// listed is an erasure as the wire shows it.
type listed struct {
	ID        string           `json:"_id"`
	UIDs      []uint32         `json:"uids"`
	State     string           `json:"state"`
	Deletion  bool             `json:"deletion,omitempty"` // of profiles, without an order to erase
	Reason    string           `json:"reason"`
	By        string           `json:"by"`
	Requested int64            `json:"requested"`
	Done      int64            `json:"done"`
	Held      map[string]int64 `json:"held"` // empty until it is counted
}

// list returns the erasures of an app, the newest first.
func (s *subjects) list(ctx context.Context, c api.Caller, r listReq) (api.Table[listed], error) {
	p, err := erasureSpec().In(s.docs, c.App.ID).Page(ctx, r.Query(listing()))
	return api.TableOf(r.List, p, erasure.listed), err
}

// listed returns the erasure as the wire shows it: Held is empty until it is counted.
func (e erasure) listed() listed {
	l := listed{ID: e.ID, UIDs: e.UIDs, State: e.State, Deletion: e.Plain, Reason: e.Reason, By: e.By, Requested: e.Requested, Done: e.Done, Held: map[string]int64{}}
	maps.Copy(l.Held, e.Held)
	return l
}

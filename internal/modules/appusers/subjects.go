package appusers

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"quipu/internal/api"
	"quipu/internal/apps"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/hook"
	"quipu/internal/jobs"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/docs"
	"quipu/internal/store/files"
	"quipu/internal/store/profile"
)

// maxSubjects bounds how many persons one request exports or erases.
const maxSubjects = 100

// subjects answers requests of the people whom the data is about: who they are, what is held about them, and
// that it be erased.
type subjects struct {
	data    kernel.Data
	people  *query.People
	tables  *query.Tables
	docs    docs.DB
	files   *files.Store
	apps    *apps.Store
	tasks   *jobs.Tasks
	bus     *hook.Bus
	now     func() time.Time
	exports *exports
	// noting is held for reading from the note of a deletion until the deletion is submitted: a deletion that is finished before
	// would take the persons' own rows for somebody else's.
	noting sync.RWMutex
}

func wireSubjects(s *kernel.Scope, n uses, e *exports, cfg Config) *subjects {
	sub := &subjects{
		data: kernel.Data{Reads: n.Reads, Writes: n.Writes}, people: e.people, tables: e.tables, docs: n.Docs, files: n.Files, apps: n.Apps, tasks: n.Tasks, bus: s.Bus, now: s.Now, exports: e,
	}
	n.Tasks.Register(jobs.Runner{Kind: eraseKind, Repeatable: true, Run: sub.run})
	g := s.Routes
	read := api.Feature("users", model.Read, api.AppParam)
	api.Handle(g, "/o/data_subjects", read, sub.find)
	api.Handle(g, "/o/data_subjects/held", read, sub.held)
	api.Handle(g, "/o/data_subjects/erasures", read, sub.list)
	api.Handle(g, "/i/data_subjects/export", api.Feature("users", model.Update, api.AppParam), sub.export)
	api.Handle(g, "/i/data_subjects/erase", api.Feature("users", model.Delete, api.AppParam), sub.erase)
	s.Jobs.Every("erasures", time.Duration(cfg.CleanEvery), func(ctx context.Context) error {
		return errors.Join(sub.finishDeletions(ctx), sub.resume(ctx))
	})
	s.Jobs.Every("pictures", time.Duration(cfg.PicturesEvery), sub.sweepPictures)
	s.Jobs.OnEveryNode("uploads", pictureAge, sub.sweepCrowded)
	return sub
}

type findReq struct {
	api.List
	By string `param:"by"`
}

// Validate asks for something to search.
func (r findReq) Validate() error {
	if strings.TrimSpace(r.Search) == "" {
		return api.MissingParam("sSearch")
	}
	if r.By != "" && !slices.Contains(query.FindBy(), r.By) {
		return invalid("data_subjects.bad_by", "Parameter \"by\" must be one of: %s", strings.Join(query.FindBy(), ", "))
	}
	return nil
}

// found is a person in the answer of find.
type found struct {
	ID           string         `json:"_id"`
	UID          string         `json:"uid"`
	DID          string         `json:"did"`
	Name         string         `json:"name,omitempty"`
	Username     string         `json:"username,omitempty"`
	Email        string         `json:"email,omitempty"`
	Phone        string         `json:"phone,omitempty"`
	Organization string         `json:"organization,omitempty"`
	Picture      string         `json:"picture,omitempty"`
	Country      string         `json:"cc,omitempty"`
	Device       string         `json:"d,omitempty"`
	Sessions     int64          `json:"sc"`
	First        int64          `json:"fac,omitempty"` // s
	Last         int64          `json:"lac,omitempty"` // s
	Custom       map[string]any `json:"custom,omitempty"`
}

// find lists the persons whom a text may mean.
func (s *subjects) find(ctx context.Context, c api.Caller, r findReq) (api.Table[found], error) {
	page := query.Page{Search: strings.TrimSpace(r.Search)}
	page.Offset, page.Limit = r.Part(defaultPage, maxPage)
	page.Sort, page.Desc = r.SortBy()
	uids, total, err := s.people.Find(ctx, c.App.ID, r.By, page)
	out := api.Table[found]{Echo: r.Echo.Echo(), Total: int(total), Display: int(total), Rows: []found{}}
	if err != nil {
		return out, err
	}
	for _, uid := range uids {
		p, err := s.data.Profiles.ByUID(ctx, c.App.ID, uid)
		if errors.Is(err, profile.ErrNotFound) {
			continue // erased since it was listed
		}
		if err != nil {
			return out, err
		}
		out.Rows = append(out.Rows, found{
			ID: p.ID.String(), UID: strconv.FormatUint(uint64(p.UID), 10), DID: p.DID, Name: p.Name, Username: p.Username, Email: p.Email,
			Phone: p.Phone, Organization: p.Organization, Picture: p.Picture, Country: p.Dims[model.Country], Device: p.Dims[model.Device], Sessions: p.Sessions,
			First: p.FirstActivity, Last: p.LastActivity, Custom: p.Custom,
		})
	}
	return out, nil
}

type heldReq struct {
	UID string `param:"uid"`
}

// held says how much is held about a person, by kind.
func (s *subjects) held(ctx context.Context, c api.Caller, r heldReq) (map[string]any, error) {
	uids, err := s.existing(ctx, c.App.ID, r.UID)
	if err != nil {
		return nil, err
	}
	p, err := s.data.Profiles.ByUID(ctx, c.App.ID, uids[0])
	if err != nil {
		return nil, err
	}
	counts := map[string]int64{}
	rows := func(name string, cond map[string]any) error {
		f, err := filter.Parse(cond)
		if err == nil {
			counts[name], err = s.tables.CountEvents(ctx, c.App.ID, f)
		}
		return err
	}
	if err := rows("events", map[string]any{"uid": r.UID}); err != nil {
		return nil, err
	}
	count := func(name string) func(any) error { return func(any) error { counts[name]++; return nil } }
	if err := s.tables.StatesOf(ctx, c.App.ID, uids, count("states")); err != nil {
		return nil, err
	}
	if err := s.tables.RequestsOf(ctx, c.App.ID, uids, count("requests")); err != nil {
		return nil, err
	}
	for _, h := range s.exports.holdings.All() {
		if h.Each == nil {
			if err := rows(h.Name, map[string]any{"uid": r.UID, "e": map[string]any{"$in": h.Rows}}); err != nil {
				return nil, err
			}
			continue
		}
		counts[h.Name] += 0
		if err := h.Each(ctx, c.App.ID, uids, count(h.Name)); err != nil {
			return nil, err
		}
	}
	for doc, err := range exportSpec().In(s.docs, c.App.ID).List(ctx, docs.Query{}) {
		if err != nil {
			return nil, err
		}
		if slices.Contains(doc.UIDs, uids[0]) {
			counts["exports"]++
		}
	}
	return map[string]any{"app_user": p.Document(), "counts": counts}, nil
}

// readUIDs reads user numbers: one, several with commas, or a JSON array of numbers or texts.
func readUIDs(text string) ([]uint32, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return nil, api.MissingParam("uid")
	}
	parts := strings.Split(text, ",")
	var list []any
	if json.Unmarshal([]byte(text), &list) == nil {
		parts = parts[:0]
		for _, v := range list {
			switch v := v.(type) {
			case string:
				parts = append(parts, v)
			case float64:
				parts = append(parts, strconv.FormatFloat(v, 'f', -1, 64))
			default:
				parts = append(parts, "")
			}
		}
	}
	var out []uint32
	for _, part := range parts {
		n, err := strconv.ParseUint(strings.TrimSpace(part), 10, 32)
		if err != nil || n == 0 {
			return nil, invalid("data_subjects.bad_uid", "Parameter \"uid\" must be one or several user numbers")
		}
		out = append(out, uint32(n))
	}
	slices.Sort(out)
	out = slices.Compact(out)
	if len(out) == 0 {
		return nil, api.MissingParam("uid")
	}
	if len(out) > maxSubjects {
		return nil, invalid("data_subjects.too_many", "At most %d persons at a time", maxSubjects)
	}
	return out, nil
}

// errNobody says that a number is nobody's.
var errNobody = fault.New(fault.Invalid, "data_subjects.no_match", "No users matching criteria")

// existing reads user numbers that all stand for somebody.
func (s *subjects) existing(ctx context.Context, app model.AppID, text string) ([]uint32, error) {
	uids, err := readUIDs(text)
	if err != nil {
		return nil, err
	}
	for i, uid := range uids {
		p, err := s.data.Profiles.ByUID(ctx, app, uid)
		if errors.Is(err, profile.ErrNotFound) {
			return nil, errNobody
		}
		if err != nil {
			return nil, err
		}
		uids[i] = p.UID // of the one that this one was merged into
	}
	slices.Sort(uids)
	return slices.Compact(uids), nil
}

type subjectsReq struct {
	UID    string `param:"uid"`
	Reason string `param:"reason"`
}

// started is the answer of what goes on as a task.
type started struct {
	Result startedTask `json:"result"`
}

type startedTask struct {
	TaskID string `json:"task_id"`
	ID     string `json:"id,omitempty"`
	// Backups says what an erasure cannot reach.
	Backups string `json:"backups,omitempty"`
}

// export queues the collection of everything held about persons. The file is downloaded from
// /o/app_users/download/{task_id}.
func (s *subjects) export(ctx context.Context, c api.Caller, r subjectsReq) (started, error) {
	uids, err := s.existing(ctx, c.App.ID, r.UID)
	if err != nil {
		return started{}, err
	}
	o := exportOrder{App: c.App.ID, UIDs: uids, Name: nameOf(c.App.ID, uids)}
	id, _, err := s.tasks.Submit(ctx, jobs.Spec{
		Kind: exportKind, Type: "appUserExport", App: c.App.ID, Creator: c.Member.ID, Params: o, ReportName: o.Name + ".json", Personal: true, Manual: true,
	})
	c.Audit("data_subject_exported", nil, map[string]any{"uids": uids, "task_id": id}, map[string]any{"export_file": o.Name})
	return started{Result: startedTask{TaskID: id}}, err
}

// errConflict says that an erasure of the person is under way.
var errConflict = api.Status(http.StatusConflict, fault.New(fault.Conflict, "data_subjects.under_way", "An erasure of this person is already in progress"))

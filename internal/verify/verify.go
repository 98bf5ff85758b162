// Package verify recomputes what is derived from event rows, request rows and
// user states, and compares it with what is stored.
//
// For every app it counts the rows again and compares all cells: every metric,
// grain and bitmap, the latter after correction for merged users. Hours and days
// are compared with the rows, months with the days they consist of. Profiles are
// compared with the rows of their users (sessions, seconds, first and last times), with
// their user state, with the index of numbers, the index of open sessions and the mirror
// in the event store; sequences with the numbers in use; the schema with the
// events, slots and values that rows have; accepted outcomes with the rows there are.
// Beside that it reads all of every store, which verifies the checksums of their blocks.
//
// What rows cannot tell is not compared, and the report says so: reasons of what
// was dropped, fingerprints of requests, profile counters that a management call set, cells
// of features that count what rows do not hold, and days whose rows were dropped
// for their age. Where users were deleted, cells may count more than rows, never less.
//
// Nothing may be written meanwhile; the pipeline is to rest between two batches.
package verify

import (
	"context"
	"errors"
	"fmt"

	"quipu/internal/apps"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/model"
	"quipu/internal/period"
	"quipu/internal/query"
	"quipu/internal/store/events"
	"quipu/internal/store/files"
	"quipu/internal/store/journal"
	"quipu/internal/store/marks"
	"quipu/internal/store/profile"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// Stores are what is compared.
type Stores struct {
	// Blocks is the database of the state.
	Blocks   Blocks
	State    State
	Journal  journal.Journal
	Profiles Profiles
	Schema   Schema
	Cells    rollup.AppScanner
	Events   Events
	Docs     Documents
	Files    *files.Store
	Apps     apps.Directory
	// Features are those of the pipeline.
	Features pipeline.Features
	// Checks compare what modules derive from Rows, which finds everything that was moved to the event store.
	Checks []Check
	Rows   query.Rows
}

// Check is how a module compares what it derives of an app: found notes a difference, note what was not compared and why.
type Check struct {
	Name string
	App  func(ctx context.Context, app *model.App, rows query.Rows, found func(where string, stored, computed any), note func(text string)) error
}

// Blocks is a database that checks what it stored.
type Blocks interface {
	// Check reads everything, which verifies the checksums of its blocks, and returns the number of keys.
	Check(ctx context.Context) (keys int64, err error)
}

// State is what the state knows of the apps and of how far it came.
type State interface {
	marks.Reader
	// Watermark is that of state.Store.
	Watermark(ctx context.Context) (journal.Watermark, error)
}

// Profiles is the store of profiles.
type Profiles interface {
	profile.Reader
	// ExpiredSessions and Aliases are those of profile.Index.
	ExpiredSessions(ctx context.Context, before int64, limit int) ([]profile.OpenSession, error)
	Aliases(ctx context.Context, app model.AppID) (map[uint32]uint32, error)
	// Apps lists the apps that have data here.
	Apps(ctx context.Context) ([]model.AppID, error)
}

// Schema is what is known of what the data of apps consist of.
type Schema interface {
	schema.Reader
	schema.Details
}

// Events is the event store.
type Events interface {
	events.Rows
	// Check reads everything, which verifies the checksums of its blocks.
	Check(ctx context.Context) error
	// Watermark is that of events.Writer.
	Watermark(ctx context.Context) (journal.Watermark, error)
	// Each calls fn for apps in turn with a reader of their rows, which is valid until fn returns.
	Each(ctx context.Context, apps []model.AppID, fn func(app model.AppID, rows events.Rows) error) error
}

// Documents is the store of documents.
type Documents interface {
	// Check reports any damage as docs.corrupt.
	Check(ctx context.Context) error
}

// Options of Run. The zero value is usable.
type Options struct {
	// Limit is how many differences the report lists; 0 = 100. All are counted.
	Limit int
	// Progress receives what is being checked; nil = no progress is reported.
	Progress func(text string)
}

// Difference is one thing that is not as the rows say.
type Difference struct {
	App model.AppID // the zero id for what belongs to no app
	// Part is what differs: "cells users", "profile", "journal" …
	Part string
	// Where tells which one: metric, grain, bucket and value; the number of a user.
	Where string
	// Stored and Computed are both sides.
	Stored, Computed string
}

// String writes the difference in one line.
func (d Difference) String() string {
	app := ""
	if !d.App.IsZero() {
		app = "app " + d.App.String() + ": "
	}
	return fmt.Sprintf("%s%s %s: stored %s, computed %s", app, d.Part, d.Where, d.Stored, d.Computed)
}

// Report is the result of Run.
type Report struct {
	Apps, Keys, Cells, Rows, Requests, States, Profiles, Files int64
	// Differences are the first ones; Total counts all.
	Differences []Difference
	Total       int64
	// Notes say what was not compared, and why.
	Notes []string
	// Whole says that the comparison came to its end.
	Whole bool
}

// OK reports whether all was compared and nothing differs.
func (r *Report) OK() bool { return r.Whole && r.Total == 0 }

// run is one comparison.
type run struct {
	s      Stores
	o      Options
	report *Report
	zones  period.Zones
	// opened are the open sessions by app; nil = not read yet.
	opened map[model.AppID][]profile.OpenSession
}

func (r *run) differ(d Difference) {
	r.report.Total++
	if len(r.report.Differences) < r.o.Limit {
		r.report.Differences = append(r.report.Differences, d)
	}
}

func (r *run) note(format string, args ...any) {
	r.report.Notes = append(r.report.Notes, fmt.Sprintf(format, args...))
}

func (r *run) progress(text string) {
	if r.o.Progress != nil {
		r.o.Progress(text)
	}
}

// Run compares everything. An error means that something could not be read,
// which is worse than a difference; the report holds what was found until then.
func Run(ctx context.Context, s Stores, o Options) (*Report, error) {
	if o.Limit == 0 {
		o.Limit = 100
	}
	r := &run{s: s, o: o, report: &Report{}}
	for _, step := range []struct {
		what string
		do   func(context.Context) error
	}{
		{"state", r.state}, {"documents", s.Docs.Check}, {"event store", s.Events.Check}, {"files", r.files}, {"watermarks", r.watermarks}, {"apps", r.apps},
	} {
		r.progress(step.what)
		if err := step.do(ctx); err != nil {
			return r.report, fmt.Errorf("verify %s: %w", step.what, err)
		}
	}
	var ids []model.AppID
	for _, app := range s.Apps.All() {
		ids = append(ids, app.ID)
	}
	err := s.Events.Each(ctx, ids, func(id model.AppID, rows events.Rows) error {
		app := s.Apps.ByID(id)
		r.progress("app " + app.Name)
		if err := r.app(ctx, app, rows); err != nil {
			return fmt.Errorf("verify app %s: %w", id, err)
		}
		r.report.Apps++
		return nil
	})
	r.report.Whole = err == nil
	return r.report, err
}

// state reads the whole database and all records of the journal.
func (r *run) state(ctx context.Context) (err error) {
	if r.report.Keys, err = r.s.Blocks.Check(ctx); err != nil {
		return err
	}
	w, err := r.s.State.Watermark(ctx)
	if err != nil {
		return err
	}
	return r.s.Journal.Read(ctx, w, 0, func(journal.Record) bool { return true })
}

func (r *run) files(ctx context.Context) (err error) {
	r.report.Files, err = r.s.Files.Check(ctx, func(hash string) {
		r.differ(Difference{Part: "file", Where: hash, Stored: "other content", Computed: "the content of that hash"})
	})
	if err != nil {
		return err
	}
	for _, app := range r.s.Apps.All() {
		if app.Image == "" {
			continue
		}
		_, err := r.s.Files.Get(ctx, app.Image)
		if errors.Is(err, files.ErrNotFound) {
			r.differ(Difference{App: app.ID, Part: "file", Where: app.Image, Stored: "nothing", Computed: "the app's picture"})
		} else if err != nil {
			return err
		}
	}
	return nil
}

// watermarks compares how far both stores have come. Between two batches they
// stand at the same place, but batches without rows move the one of the state only.
func (r *run) watermarks(ctx context.Context) error {
	state, err := r.s.State.Watermark(ctx)
	if err != nil {
		return err
	}
	rows, err := r.s.Events.Watermark(ctx)
	if err != nil {
		return err
	}
	for part, off := range rows {
		if off > state[part] {
			r.differ(Difference{
				Part: "watermark", Where: fmt.Sprintf("of partition %d", part),
				Stored: fmt.Sprintf("state at %d", state[part]), Computed: fmt.Sprintf("rows at %d", off),
			})
		}
	}
	return nil
}

// apps looks for data of apps that no document describes.
func (r *run) apps(ctx context.Context) error {
	ids, err := r.s.Profiles.Apps(ctx)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if r.s.Apps.ByID(id) == nil {
			r.differ(Difference{App: id, Part: "app", Where: "document", Stored: "none", Computed: "there is data of it"})
		}
	}
	return nil
}

// open makes the comparison of an app.
func (r *run) open(app *model.App, rows events.Rows) (*appRun, error) {
	zone := app.Timezone
	settings, kept, err := pipeline.LoadSettings(r.s.State, app.ID)
	if err != nil {
		return nil, err
	}
	if kept && settings.Timezone != zone {
		r.note("app %s: its figures are in the time zone %s, not yet in %s; the server recounts them once it runs", app.ID, settings.Timezone, zone)
		zone = settings.Timezone
	}
	calendar, ok := r.zones.Get(zone)
	if !ok {
		r.note("app %s: unknown time zone %s, UTC is taken", app.ID, zone)
	}
	return &appRun{run: r, app: app, rows: rows, calendar: calendar}, nil
}

// app compares one app.
func (r *run) app(ctx context.Context, app *model.App, rows events.Rows) error {
	a, err := r.open(app, rows)
	if err != nil {
		return err
	}
	for _, step := range []struct {
		what string
		do   func(context.Context) error
	}{
		{"marks", a.load},
		{"rows", a.recount},
		{"cells", a.cells},
		{"profiles", a.profiles},
		{"states", a.states},
		{"mirror of users", a.mirror},
		{"schema", a.schema},
		{"sequences", a.sequences},
		{"figures of modules", a.modules},
	} {
		if err := step.do(ctx); err != nil {
			return fmt.Errorf("%s: %w", step.what, err)
		}
	}
	return nil
}

// modules compares what modules derive.
func (a *appRun) modules(ctx context.Context) error {
	for _, c := range a.s.Checks {
		err := c.App(ctx, a.app, a.s.Rows, func(where string, stored, computed any) { a.differ(c.Name, where, stored, computed) }, func(text string) {
			a.note("app %s: %s", a.app.ID, text)
		})
		if err != nil {
			return fmt.Errorf("%s: %w", c.Name, err)
		}
	}
	return nil
}

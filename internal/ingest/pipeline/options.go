package pipeline

import (
	"context"
	"errors"
	"log/slog"
	"net/netip"
	"runtime"
	"slices"
	"time"

	"quipu/internal/apps"
	"quipu/internal/hook"
	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/request"
	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/journal"
	"quipu/internal/store/outbox"
	"quipu/internal/store/profile"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
	"quipu/internal/store/state"
)

// Profiles is what the pipeline needs of the profile store.
type Profiles interface {
	profile.Shards
	outbox.Profiles
	ExpiredSessions(ctx context.Context, before int64, limit int) ([]profile.OpenSession, error)
	Aliases(ctx context.Context, app model.AppID) (map[uint32]uint32, error)
	Remembered(app model.AppID, fingerprint profile.Fingerprint, days ...uint16) (bool, error)
}

// Drops are the outcomes of what never reached the journal.
type Drops interface {
	// Drain returns the counts since the last Drain and forgets them; nil when there are none. The caller owns the result.
	Drain() map[model.AppID]map[outcome.Key]int64
}

// Place is where an address is; "" is unknown.
type Place struct{ Country, Region, City string }

// Options of New. All fields without a stated default are required.
type Options struct {
	Journal journal.Journal
	// State takes what batches and commands change, Outbox holds the rows in it until they are moved, and Cells reads the
	// cells in it.
	State    state.Store
	Outbox   outbox.Store
	Cells    rollup.AppScanner
	Profiles Profiles
	Schema   schema.Writers
	// Events is written to by the pipeline alone.
	Events events.Writer
	Apps   apps.Directory
	// Find finds an app that Apps does not know though its records are there, as another process made it a moment ago; nil = nobody else makes any.
	Find func(context.Context, model.AppID) (*model.App, error)
	// Dropped counts what never reached the journal; nil = nobody counts.
	Dropped Drops
	Bus     *hook.Bus
	Log     *slog.Logger
	Now     func() time.Time
	// Rows reads stored rows for RebuildCells; nil = that command is refused.
	Rows RowReader

	// Describe returns what a request says of its device, "" where it says nothing; places are left out. nil = the function
	// Describe. The request comes without UserAgent unless a session begins of whose
	// system nobody reported. It must follow from the request alone and be safe for
	// concurrent use.
	Describe func(*request.Request) model.Dims
	// Locate looks an address up; nil = no geo data base. It must be safe for
	// concurrent use.
	Locate func(netip.Addr) Place
	// Settings returns the settings of an app that has none in the state, from its first record
	// on; without a time zone they get the app's. All others come by SetSettings. nil = DefaultSettings for all.
	Settings func(*model.App) Settings
	// Filter drops requests and events that rules of the app refuse, before a
	// profile is looked for; nil = none.
	Filter func(*Item) error
	// Features are the declarations of features; nil = events of features count as events.
	Features Features
	// Steps are added to the pipeline, each after the step that After names.
	Steps []Addition

	// Observe is notified of every batch that was committed and of outcomes; nil = nobody
	// is. It is called by one goroutine at a time and must return at once.
	Observe func(Observation)

	// Receipts are given what became of requests that somebody waits for; nil = nobody does.
	Receipts *outcome.Receipts

	// Watch are notified of what was recorded, once it is readable; nil = nobody is.
	Watch *Watchers

	// Taps follow what is recorded; nil = nobody does.
	Taps *Taps

	// BatchRecords and BatchBytes close a batch; 0 = 20,000 and 16 MiB.
	BatchRecords int
	BatchBytes   int
	// BatchAge is how long a batch may gather records while they keep coming; 0 = 250 ms.
	BatchAge time.Duration
	// Pause may wait for a moment before records are read and rows are moved, when memory is
	// short; nil = nothing is waited for.
	Pause func(context.Context)
	// TrimEvery is the number of records after which the journal is trimmed; 0 = 10,000.
	TrimEvery uint64
	// MoveRows, MoveBytes and MoveEvery say when rows are moved to the event store; see package outbox.
	MoveRows, MoveBytes int64
	MoveEvery           time.Duration
	// Workers is how many goroutines decode and apply; 0 = GOMAXPROCS.
	Workers int
}

// Addition puts a step of a feature behind a step that is there already.
type Addition struct {
	After string
	Step  Step
}

// check fills in defaults and reports every fault at once.
func (o *Options) check() error {
	var errs []error
	for _, need := range []struct {
		name    string
		missing bool
	}{
		{"Journal", o.Journal == nil},
		{"State", o.State == nil},
		{"Outbox", o.Outbox == nil},
		{"Cells", o.Cells == nil},
		{"Profiles", o.Profiles == nil},
		{"Schema", o.Schema == nil},
		{"Events", o.Events == nil},
		{"Apps", o.Apps == nil},
		{"Bus", o.Bus == nil},
		{"Log", o.Log == nil},
		{"Now", o.Now == nil},
	} {
		if need.missing {
			errs = append(errs, errors.New("pipeline: option "+need.name+" is missing"))
		}
	}
	if o.Describe == nil {
		o.Describe = Describe
	}
	if o.Settings == nil {
		o.Settings = settingsOf
	}
	setDefault(&o.BatchRecords, 20_000)
	setDefault(&o.BatchBytes, 16<<20)
	setDefault(&o.BatchAge, 250*time.Millisecond)
	setDefault(&o.TrimEvery, 10_000)
	setDefault(&o.Workers, runtime.GOMAXPROCS(0))
	return errors.Join(errs...)
}

func setDefault[T comparable](v *T, value T) {
	var zero T
	if *v == zero {
		*v = value
	}
}

// steps returns the pipeline's steps with the additions in their places.
func steps(filter func(*Item) error, additions []Addition) ([]Step, error) {
	if filter == nil {
		filter = func(*Item) error { return nil }
	}
	list := []Step{
		{StepDedup, dedup},
		{StepFilter, filter},
		{StepProfile, findProfile},
		{StepSession, moveSession},
		{StepEnrich, enrich},
		{StepExpand, expand},
		{StepCells, count},
	}
	for _, a := range additions {
		if slices.ContainsFunc(list, func(s Step) bool { return s.Name == a.Step.Name }) {
			return nil, errors.New("pipeline: two steps are named " + a.Step.Name)
		}
		i := slices.IndexFunc(list, func(s Step) bool { return s.Name == a.After })
		if i < 0 {
			return nil, errors.New("pipeline: step " + a.Step.Name + " is to follow the unknown step " + a.After)
		}
		list = slices.Insert(list, i+1, a.Step)
	}
	return list, nil
}

package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/shirou/gopsutil/v4/disk"

	"quipu/internal/api"
	"quipu/internal/apps"
	"quipu/internal/auth"
	"quipu/internal/follow"
	"quipu/internal/hook"
	"quipu/internal/ingest/decode"
	"quipu/internal/ingest/geo"
	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/intake"
	"quipu/internal/jobs"
	"quipu/internal/kernel"
	"quipu/internal/logfile"
	"quipu/internal/mail"
	"quipu/internal/memory"
	"quipu/internal/model"
	"quipu/internal/modules/all"
	"quipu/internal/modules/render"
	"quipu/internal/openapi"
	"quipu/internal/params"
	"quipu/internal/query"
	"quipu/internal/seal"
	"quipu/internal/settings"
	evstore "quipu/internal/store/events"
	"quipu/internal/store/events/duck"
	"quipu/internal/store/files"
	diskfiles "quipu/internal/store/files/disk"
	"quipu/internal/store/journal"
	pebblejournal "quipu/internal/store/journal/pebble"
	"quipu/internal/store/kv"
	"quipu/internal/store/outbox"
	"quipu/internal/store/profile"
	"quipu/internal/store/rollup"
	pebblerollup "quipu/internal/store/rollup/pebble"
	"quipu/internal/store/schema"
	"quipu/internal/store/state"
	"quipu/internal/systemd"
	"quipu/internal/topic"
	"quipu/internal/tracing"
)

// docsFile is the document store in a data folder.
const docsFile = "docs.sqlite"

// eventsFile is the event store in a data folder.
const eventsFile = "events.duckdb"

// The logs that are kept in a data folder.
const (
	apiLog       = "api"
	dashboardLog = "dashboard"
)

// sessionCookie names the dashboard's cookie.
const sessionCookie = "quipu_session"

// Process is what the outside gives a server. The zero value is usable: what
// is missing is the real clock and silence.
type Process struct {
	Out, Err io.Writer
	// FirstAdmin is created when no member exists; the zero value is nobody. What it lacks ends the start with the names of the variables.
	FirstAdmin NewAdmin
	Now        func() time.Time
	// StateFS is the file system under the state, and Events what stands between the
	// pipeline and the event store; nil = the disk, and nothing. Tests of faults set them.
	StateFS vfs.FS
	// State brings the state from elsewhere than the data folder, in which journal and cells stay, with the limits of schemas; nil = it
	// is in the folder. Verification and repair refuse such a server. Tests of other engines set it.
	State  func(ctx context.Context, folder *kv.DB, limits schema.Limits) (State, error)
	Events func(evstore.Writer) evstore.Writer
	// Drain is how long the end of Run may take for requests under way and what they brought; 0 = 15 s.
	Drain time.Duration
	// Wrote is notified of every management write that succeeded, see api.Options. Tests set it.
	Wrote func(route string, entry api.Audited)
	// Read is notified of every parameter that a handler asks for, see api.Options. Tests set it.
	Read func(r *api.Route, parameter string)
	// Cores is how many processors there are for what computes only: decoding, projecting, the
	// event store. 0 = as many as Go uses.
	Cores int
	// Dial says how an engine of a cluster is reached; nil = in the ordinary way. What tries a cluster by cutting connections sets it.
	Dial func(Engine) Dial
	// keyless lets a folder be opened without its secret key, by tools that need no API key.
	keyless bool
	// moving lets a server project for a move: nothing is notified of what it projects, so nobody is notified twice.
	moving bool
	// frozen, beside moving, lets a server project nothing, and take nothing: it holds all partitions of a cluster for itself. What data moves from and to is read so.
	frozen bool
	// Manager is notified of states of the server; nil = nobody is.
	Manager *systemd.Notifier
	// Sockets are listened on instead of the configured addresses.
	Sockets []systemd.Socket
	// Reload brings what reads the configuration once more; the server takes over what it can while it runs.
	Reload <-chan func() (Config, error)
	// Shared says that others work in the process, too, so that its resident set tells
	// nothing of this server: only the fixed parts of the memory cap are kept then.
	Shared bool
	// Hash are the costs of a password's hash; zero = those of auth.DefaultConfig. Tests set it.
	Hash auth.HashParams
	// WriteLimit is how long a client may take for each piece of an answer; 0 = intake.WriteLimit. Tests set it.
	WriteLimit time.Duration
	// BackPatience is for how long a server whose data has moved from a cluster refuses clients at its start while the journal of that cannot be reached; 0 = 30 s. Tests set it.
	BackPatience time.Duration
	// Modules changes the modules; nil = they are as they are. Tests of faults set it.
	Modules func([]kernel.Module) []kernel.Module
	// Program is the command that runs a statement of SQL, see package sqlworker; nil = statements are refused.
	Program []string
}

func (p *Process) fill() {
	if p.Cores <= 0 {
		p.Cores = runtime.GOMAXPROCS(0)
	}
	if p.Out == nil {
		p.Out = io.Discard
	}
	if p.Err == nil {
		p.Err = io.Discard
	}
	if p.Now == nil {
		p.Now = time.Now
	}
	if p.Drain <= 0 {
		p.Drain = drainTimeout
	}
}

// App is a server with its stores open.
type App struct {
	cfg    Config
	dial   func(Engine) Dial // how engines of a cluster are reached
	log    *slog.Logger
	level  *slog.LevelVar // of log
	logOut io.Writer      // what log writes to
	now    func() time.Time
	// drainFor is Process.Drain.
	drainFor time.Duration
	// modified is Process.Modules.
	modified func([]kernel.Module) []kernel.Module
	// program is Process.Program.
	program []string
	// manager is Process.Manager.
	manager *systemd.Notifier
	// status is what the service manager shows, set before anything runs.
	status string
	// certs are those of the public listener; nil = no TLS. Serve sets them.
	certs *certificates
	// reload is Process.Reload.
	reload <-chan func() (Config, error)

	lock *folderLock
	docs documents
	// uncheckedDocs says that the documents were too large to be checked at the start.
	uncheckedDocs bool
	// kv, own, duck, outbox and pipeline are those of the data folder; nil in a cluster.
	kv   *kv.DB
	own  *pebblejournal.Journal
	duck *duck.Store
	// gated and gatedDocs are journal and documents of the data folder, which may move; nil in a cluster.
	gated     *gatedJournal
	gatedDocs *gatedDocs
	pausing   pausing
	// back takes what the cluster still accepts from which the data of the folder has moved; nil = nothing is taken.
	back *drainer
	// moving is Process.moving.
	moving bool
	// frozen stands for the journal where Process.frozen is set; nil otherwise.
	frozen *frozenJournal
	// left says that the data of the cluster has left for a folder.
	left    atomic.Bool
	cluster *cluster // nil where the stores are in the data folder
	journal journal.Journal
	state   pipeline.Committed
	// store and outbox are those of the pipeline in the data folder.
	store    state.Store
	outbox   outbox.Store
	profiles profile.Store
	schema   schema.Store
	// embedded are the engines in kv; nil where Process.State brings others.
	embedded *embeddedState
	// closeState is what ends Process.State; nil = nothing does.
	closeState func() error
	cells      cellReader
	events     evstore.Reader
	files      *files.Store
	geo        *geo.DB

	apps     *apps.Store
	auth     *auth.Service
	keys     *seal.Keys
	memory   *memory.Governor
	shared   bool                     // Process.Shared
	keyless  bool                     // Process.keyless
	sign     func(text string) string // by the secret key; nil without one
	intake   *intake.Intake
	reads    *memory.Gate // of event rows
	cellGate *memory.Gate // of what reads of cells hold
	recalls  *query.Recalling
	proxies  []netip.Prefix
	client   func(*http.Request) netip.Addr
	bus      *hook.Bus
	config   *settings.Store
	mail     *mail.Sender
	logs     *logfile.Set
	edge     decode.Watchers
	receipts outcome.Receipts
	recorded pipeline.Watchers
	taps     pipeline.Taps
	checks   kernel.Checks
	// handOver hands over what a node without work counted at its edge; nil where it is counted here.
	handOver func(context.Context) error
	// followers bring what other processes write to documents into memory.
	followers follow.Set
	// notices bring events of other nodes.
	notices  follow.Set
	stopping chan struct{}   // closed when the server begins to stop
	ingest   *decode.Decoder // set before anything runs
	jobs     *jobs.Scheduler
	tasks    *jobs.Tasks
	routes   *api.Routes
	pipeline *pipeline.Pipeline
	work     projector // the pipeline, or in a cluster what stands for all of them
	// projection keeps the settings in the journal.
	projection projection
	metrics    *metrics        // nil when nobody asks for them
	tracer     *tracing.Tracer // nil when nothing is traced
	backups    backupRecord
	handler    http.Handler
	inner      http.Handler                // handler for the server's own requests, which are of no role
	described  func() (description, error) // of the API, made when it is asked for
}

// Open opens the stores of a data folder and wires the server. Nothing runs
// yet. On error everything is closed again.
func Open(ctx context.Context, cfg Config, proc Process) (_ *App, err error) {
	proc.fill()
	logs := logfile.New(apiLog, dashboardLog)
	level := levelOf(cfg.Log)
	a := &App{
		program: proc.Program, modified: proc.Modules, dial: proc.Dial,
		cfg: cfg, shared: proc.Shared, keyless: proc.keyless, moving: proc.moving, logs: logs, logOut: proc.Err, level: level,
		log: newLogger(cfg.Log, level, proc.Err, logs.Handler(apiLog)),
		now: proc.Now, drainFor: proc.Drain, bus: hook.NewBus(), routes: api.NewRoutes(), stopping: make(chan struct{}), reload: proc.Reload, manager: proc.Manager,
	}
	if proc.frozen {
		a.frozen = &frozenJournal{}
	}
	a.described = sync.OnceValues(a.describeAPI)
	a.jobs = jobs.New(a.log, a.now, jobs.Alone{})
	defer func() { //nolint:contextcheck // closing must not be cut short
		if err != nil {
			err = errors.Join(err, a.Close())
		}
	}()
	if err := a.openStores(ctx, proc); err != nil {
		return nil, err
	}
	if err := a.openServices(ctx, proc.FirstAdmin, proc.Hash); err != nil {
		return nil, err
	}
	if err := a.wire(ctx, proc); err != nil {
		return nil, err
	}
	return a, nil
}

func (a *App) openStores(ctx context.Context, proc Process) (err error) {
	dir := a.cfg.Data
	if a.lock, err = lockFolder(dir); err != nil {
		return err
	}
	if err := private(dir); err != nil {
		a.log.WarnContext(ctx, "the data folder is open to other users of this machine", slog.Any("error", err))
	}
	if err := a.dropSnapshots(); err != nil {
		return err
	}
	if err := a.checkFormats(ctx); err != nil {
		return err
	}
	if err := a.logs.Open(filepath.Join(dir, "log")); err != nil {
		return err
	}
	total, err := ParseBytes(a.cfg.Memory)
	if err != nil {
		return err
	}
	plan := memory.Split(total)
	a.memory = memory.New(plan, a.log, time.Now) // connections live by the time of the machine
	if err := a.openIntake(proc.WriteLimit); err != nil {
		return err
	}
	if err := a.openData(ctx, proc, plan); err != nil {
		return err
	}
	if a.files == nil { // those of a cluster are open
		if a.files, err = diskfiles.Open(filepath.Join(dir, "files")); err != nil {
			return err
		}
	}
	if err := syncFolder(dir); err != nil {
		return err
	}
	if err := a.noteFormats(ctx); err != nil {
		return err
	}
	a.geo, err = geo.Open(ctx, geo.Options{File: a.cfg.Ingest.GeoDatabase, Dir: dir, Log: a.log, Now: a.now})
	return err
}

// maxRanked is of how many values one question may have percentiles.
const maxRanked = 5_000_000

// openData opens journal, state, cells, event rows and documents: those of the data folder, or those of a cluster.
func (a *App) openData(ctx context.Context, proc Process, plan memory.Plan) (err error) {
	dir := a.cfg.Data
	if a.cfg.Cluster != "" {
		return a.openCluster(ctx)
	}
	changes := &pebblerollup.Changes{}
	a.kv, err = kv.Open(ctx, kv.Options{
		Dir: filepath.Join(dir, "state"), FS: proc.StateFS, CacheBytes: plan.Cache, BufferBytes: uint64(plan.Buffer), Logger: a.log, Merger: pebblerollup.Merger(), Watch: changes.Watch,
	})
	if err != nil {
		return fmt.Errorf("open state: %w", err)
	}
	a.own, err = pebblejournal.Open(ctx, a.kv, pebblejournal.Options{
		MaxBytes: a.cfg.Ingest.JournalLimit, ReserveBytes: uint64(a.cfg.Ingest.DiskReserve), // Validate refuses negative ones
	})
	if err != nil {
		return fmt.Errorf("open journal: %w", err)
	}
	a.gated = &gatedJournal{Journal: a.own}
	a.journal = a.gated
	if a.frozen != nil {
		a.frozen.endsAt(a.own.End())
		a.journal = a.frozen
	}
	if err := a.resumeMove(); err != nil {
		return err
	}
	if err := a.resumeMoveBack(ctx, proc); err != nil {
		return err
	}
	if err := a.openState(ctx, proc, plan); err != nil {
		return err
	}
	a.cells = pebblerollup.NewStore(a.kv.Reader(), a.profiles).Watched(changes)
	held, err := pebblejournal.LoadRowsMark(ctx, a.kv)
	if err != nil {
		return fmt.Errorf("load watermark: %w", err)
	}
	spill, err := spillBytes(ctx, dir, a.cfg.Ingest.DiskReserve)
	if err != nil {
		return err
	}
	a.duck, err = duck.Open(ctx, duck.Options{
		Path: filepath.Join(dir, eventsFile), MemoryLimit: plan.Events, SpillBytes: spill, CheckpointBytes: plan.Checkpoint, Held: held, Logger: a.log,
		Threads: max(1, proc.Cores/2), // who waits for another thread of DuckDB does so without rest
	})
	if err != nil {
		return fmt.Errorf("open events: %w", err)
	}
	a.events = a.duck
	if err := a.whole(ctx, held); err != nil {
		return err
	}
	if err := a.documented(filepath.Join(dir, docsFile)); err != nil {
		return err
	}
	open, err := openDocuments(ctx, a.cfg, a.log)
	if err != nil {
		return err
	}
	a.gatedDocs = &gatedDocs{documents: open}
	a.docs = a.gatedDocs
	return a.checkDocuments(ctx)
}

// Data is the collected data as modules see it.
func (a *App) data() kernel.Data {
	plan := a.memory.Plan()
	cohorts, crashes := &query.Cohorts{}, &query.CrashGroups{}
	rows := query.Recall(queued{a.work.Reader(a.events), a.reads, a.watchReads()}, dataVersions{a}, plan.Recall)
	if a.cluster == nil { // what is held follows the changes of this process only
		rows = rows.Holding(dataVersions{a}, plan.Held, a.memory.Strained).Searching(dataVersions{a}, a.profiles, plan.Texts, a.memory.Strained)
	}
	rows = rows.Knowing(query.Lookups{Cohorts: cohorts, Crashes: crashes})
	defined, features := &query.Definitions{}, kernel.Ingestion(a.modules())
	cells := query.Explaining(a.cells, func(m rollup.Metric) string {
		of, _ := features.Metric(m)
		return of.Name
	})
	return kernel.Data{
		Reads: kernel.Reads{
			Cells: cells, Query: query.New(cells.Remember(plan.Memo), a.schema).Within(cellLimits(a.cellGate)), Profiles: a.profiles, Schema: a.schema, Events: rows,
			Sequences: query.NewFunnels(query.NewTables(rows, a.schema).Defining(defined).Counting(features.Counted), plan.Sequences), Ranks: query.NewRanks(maxRanked), Defined: defined, Cohorts: cohorts, CrashGroups: crashes, NoEvents: features.NoEvents(),
		},
		Writes: kernel.Writes{
			Ingest: func(ctx context.Context, app *model.App, requests []byte) error {
				return a.ingest.Take(ctx, app, requests)
			},
			Call: func(r *http.Request, app *model.App, params []request.Param) (decode.Reply, error) {
				return a.ingest.Call(r, app, params)
			},
			Refused: func(app model.AppID, reason outcome.Reason) { a.ingest.Refused(app, reason) },
			Submit:  a.work.Submit, Flush: a.work.Flush, Progress: a.progress, Scrub: a.Scrub,
		},
	}
}

func (a *App) memoryNow() kernel.Memory {
	return kernel.Memory{Limit: a.memory.Plan().Total, Resident: a.memory.Usage().Resident}
}

// wire sets up the modules and puts the handlers together.
func (a *App) wire(ctx context.Context, proc Process) error {
	edge := outcome.NewCounter(a.now)
	if a.cfg.MetricsListen != "" {
		a.metrics = a.newMetrics()
	}
	err := a.openTracing(ctx)
	if err != nil {
		return err
	}
	if a.tracer != nil {
		a.jobs.Watch(a.traceJob)
	}
	if err := a.wireWork(proc, edge); err != nil {
		return err
	}
	if a.metrics != nil {
		a.declareGauges(a.metrics) //nolint:contextcheck // they are read long after
	}
	a.wireProjection()
	if err := a.wireFollowers(ctx); err != nil {
		return err
	}
	if err := a.openTasks(); err != nil {
		return err
	}
	data := a.data()
	a.recalls, _ = data.Events.(*query.Recalling)
	a.forgetAnswers()
	err = kernel.Wire(kernel.Host{
		Log: a.log, Now: a.now, Routes: a.routes, Bus: a.bus, Jobs: a.jobs, Settings: a.config, Config: a.cfg.Modules,
		Capabilities: kernel.Capabilities{
			Documents: kernel.Documents{Docs: a.docs, Files: a.files}, Reads: data.Reads, Writes: data.Writes,
			Directory: kernel.Directory{Apps: a.apps, Auth: a.auth}, Background: kernel.Background{Tasks: a.tasks},
			Server:   kernel.Server{Memory: a.memoryNow, Logs: a.logs, Mail: a.mail, Stopping: a.stopping},
			Watching: kernel.Watching{Edge: &a.edge, Recorded: &a.recorded, Taps: &a.taps, Followers: &a.followers, Checks: &a.checks}, Geography: kernel.Geography{Places: a.geo}, Secrets: kernel.Secrets{Keys: a.keys},
		},
	}, a.modules())
	if err != nil {
		return err
	}
	a.jobs.For("ingest").OnEachWorker("session-timeout", sweepEvery, a.Sweep)
	if err := a.wireTasks(ctx); err != nil {
		return err
	}
	a.wireRoles(edge)
	a.wireHousekeeping()
	a.wireBackups()
	inner, server, err := a.handlers(edge, proc)
	if err != nil {
		return err
	}
	a.inner = below(a.cfg.BasePath, singleSlashes(a.intake.Handler(inner, ingests())))
	a.handler = singleSlashes(a.intake.Handler(a.gate(inner, server), ingests()))
	if a.metrics != nil {
		a.handler = a.measured(a.handler)
	}
	if a.tracer != nil {
		a.handler = a.tracer.Handler(a.handler)
	}
	a.handler = below(a.cfg.BasePath, a.handler)
	return nil
}

func (a *App) modules() []kernel.Module {
	list := all.Modules(all.Options{
		Version: release, Dir: a.cfg.Data, Program: a.program, Render: render.Host{Handler: func() http.Handler { return a.inner }, Cookie: a.cookie()},
	})
	if a.modified != nil {
		list = a.modified(list)
	}
	return list
}

// sweepEvery is how often abandoned sessions are looked for.
const sweepEvery = 30 * time.Second

// locate finds the place of an address.
func (a *App) locate(ip netip.Addr) pipeline.Place {
	p := a.geo.Lookup(ip)
	return pipeline.Place{Country: p.Country, Region: p.Region, City: p.City}
}

// handlers joins the edges: ingestion, API, sign-in pages and dashboard.
func (a *App) handlers(edge *outcome.Counter, proc Process) (http.Handler, *api.Server, error) {
	var err error
	var find func(context.Context, string, bool) (*model.App, bool, error)
	if a.cluster != nil {
		find = a.apps.LookByKey
	}
	a.ingest, err = decode.New(decode.Options{
		Apps: a.apps, LookByKey: find, Journal: a.journal, Outcomes: edge, Pictures: pictures{a.files, &a.left}, Now: a.now,
		Healthy: a.work.Healthy, TrustedProxies: a.proxies, Log: a.log, Intake: a.intake,
		Limits: decode.Limits{MaxBody: a.cfg.Ingest.MaxBody}, Memory: a.work, Watch: &a.edge, Unassigned: a.unassigned,
		Receipts: &a.receipts, Reached: func(ctx context.Context, at journal.Position) error { return a.work.Await(ctx, at.Watermark()) },
		Projected: func(ctx context.Context, at journal.Position) error {
			a.memory.Collect()
			defer a.memory.Collect()
			return a.work.Await(ctx, at.Watermark())
		},
	})
	if err != nil {
		return nil, nil, err
	}
	hook.OnEach(a.bus, "ingest", func(context.Context, topic.AppReset) error { a.ingest.Forget(); return nil })
	hook.OnEach(a.bus, "ingest", func(context.Context, topic.AppDeleted) error { a.ingest.Forget(); return nil })
	site, patterns, err := a.site(a.client, a.proxies)
	if err != nil {
		return nil, nil, err
	}
	forms, err := openapi.Forms()
	if err != nil {
		return nil, nil, err
	}
	server := api.NewServer(a.routes, api.Options{
		Form: forms,
		Auth: a.auth, Apps: a.apps, Log: a.log, Now: a.now, Client: a.client, Intake: a.intake, Cookie: a.cookie(), Bus: a.bus,
		Limits: params.Limits{Body: a.cfg.Ingest.MaxBody, Params: 1000}, Wrote: proc.Wrote, Read: proc.Read, Build: site.Build(), Routed: a.routed(), Sign: a.sign,
	})
	mux := http.NewServeMux()
	for _, path := range decode.Paths() {
		mux.Handle(path, a.ingest)
	}
	mux.Handle("/api-key", a.auth.KeyHandler(a.client))
	mux.HandleFunc("GET "+descriptionPath, a.serveDescription)
	mux.HandleFunc("GET /livez", live)
	mux.HandleFunc("GET /readyz", a.ready(false))
	for _, pattern := range patterns {
		mux.Handle(pattern, site)
	}
	mux.Handle("/", pageOr(site.Missing, server))
	return a.namesRoutes(mux), server, nil
}

// pageOr answers browsers that were led to a path which the API does not know with a page, all other requests with the API.
func pageOr(missing http.HandlerFunc, server *api.Server) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reads := r.Method == http.MethodGet || r.Method == http.MethodHead
		if reads && strings.Contains(r.Header.Get("Accept"), "text/html") && !server.Knows(r.URL.Path) {
			missing(w, r)
			return
		}
		server.ServeHTTP(w, r)
	})
}

// pictures stores uploaded user pictures.
type pictures struct {
	files *files.Store
	left  *atomic.Bool
}

// Put stores a picture that the edge has checked. A node whose data has left refuses it, with the request: no journal has it, so the folder's server would not get it.
func (p pictures) Put(ctx context.Context, app model.AppID, _, _ string, content []byte) (kept bool, err error) {
	if p.left.Load() {
		return false, errLeft()
	}
	_, err = p.files.PutWaiting(ctx, app, content, files.Images())
	if errors.Is(err, files.ErrWaiting) {
		return false, nil
	}
	return err == nil, err
}

// Handler answers all requests of the public listener.
func (a *App) Handler() http.Handler { return a.handler }

// Close closes the stores, in the order opposite to that of opening.
func (a *App) Close() error {
	var errs []error
	add := func(what string, err error) {
		if err != nil {
			errs = append(errs, fmt.Errorf("close %s: %w", what, err))
		}
	}
	add("traces", a.closeTracing())
	if a.geo != nil {
		add("geo data base", a.geo.Close())
	}
	if a.duck != nil {
		add("events", a.duck.Close())
	}
	if a.docs != nil {
		add("documents", a.docs.Close())
	}
	if a.own != nil {
		add("journal", a.own.Close())
	}
	if a.cluster != nil {
		add("stores of the cluster", a.cluster.close())
	}
	if a.closeState != nil {
		add("state", a.closeState())
	}
	if a.kv != nil {
		add("state", a.kv.Close())
	}
	if a.lock != nil {
		add("lock", a.lock.Close())
	}
	return errors.Join(errs...)
}

// levelOf is the configured level, which may be set while the server runs.
func levelOf(cfg LogConfig) *slog.LevelVar {
	var level slog.LevelVar
	if err := level.UnmarshalText([]byte(cfg.Level)); err != nil {
		level.Set(slog.LevelInfo) // Validate accepts only levels that parse
	}
	return &level
}

// newLogger returns what writes to w, and warnings and errors to kept as well.
func newLogger(cfg LogConfig, level slog.Leveler, w io.Writer, kept slog.Handler) *slog.Logger {
	if w == nil {
		w = os.Stderr
	}
	o := &slog.HandlerOptions{Level: level}
	if cfg.Format == "json" {
		return slog.New(slog.NewMultiHandler(slog.NewJSONHandler(w, o), kept))
	}
	return slog.New(slog.NewMultiHandler(slog.NewTextHandler(w, o), kept))
}

// minSpill is what reports may write to the disk meanwhile even when hardly anything is free, in bytes.
const minSpill = 64 << 20

// spillBytes returns how much of the disk reports may take that do not fit into memory: half of what is free above the reserve of
// ingestion, so that no report makes it refuse data.
func spillBytes(ctx context.Context, dir string, reserve int64) (int64, error) {
	u, err := disk.UsageWithContext(ctx, dir)
	if err != nil {
		return 0, fmt.Errorf("free disk space: %w", err)
	}
	free := int64(min(u.Free, math.MaxInt64)) // bounded
	return max((free-reserve)/2, minSpill), nil
}

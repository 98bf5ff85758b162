// Package symbolication is the module for symbol files: what build tools and people upload of a build, so that the frames of its crashes
// have the names and lines of the source again. Everything happens inside of the server; nothing is sent to another.
// docs/reference/symbols.md defines which file goes with which crash.
//
// Faults: symbolication.missing, symbolication.platform, symbolication.too_many, symbolication.extension, symbolication.packed,
// symbolication.unusable, symbolication.not_a_post (Invalid), symbolication.not_found (NotFound), symbolication.quota (TooLarge), symbolication.by_key (Forbidden).
package symbolication

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"quipu/internal/api"
	"quipu/internal/apps"
	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/kernel"
	"quipu/internal/model"
	"quipu/internal/settings"
	"quipu/internal/store/docs"
	"quipu/internal/store/files"
)

// feature is the permission of the module's routes: symbols belong to crashes.
const feature = "crashes"

// settingByKey is the setting of an app that lets anyone who has its key upload symbols.
const settingByKey = "upload_by_key"

// Config is what operators set.
type Config struct {
	// MaxFiles is how many files one build of JavaScript has, 1 to 100.
	MaxFiles int `json:"max_files"`
	// MaxAppBytes is what the symbol files of an app take on disk, packed and unpacked.
	MaxAppBytes int64 `json:"max_app_bytes"`
	// MaxFileBytes is what one upload unpacks to.
	MaxFileBytes int64 `json:"max_file_bytes"`
}

// Validate reports what is out of bounds.
func (c Config) Validate() error {
	var out []error
	if c.MaxFiles < 1 || c.MaxFiles > 100 {
		out = append(out, errors.New("symbolication.max_files is not between 1 and 100"))
	}
	if c.MaxAppBytes < 1<<20 {
		out = append(out, errors.New("symbolication.max_app_bytes is less than 1 MiB"))
	}
	if c.MaxFileBytes < 1<<10 || c.MaxFileBytes > 4<<30 {
		out = append(out, errors.New("symbolication.max_file_bytes is not between 1 KiB and 4 GiB"))
	}
	return errors.Join(out...)
}

// Module returns the module.
func Module() kernel.Module {
	return kernel.Module{
		Name: "symbolication", Requires: []string{"crashes"}, Features: []string{feature},
		Plugin: &kernel.Plugin{
			Code: "crash_symbolication", Title: "Crash symbolication", Description: "Shows crashes with the names and lines of the source, by symbol files of their builds.",
		},
		Defaults: Config{MaxFiles: 10, MaxAppBytes: 1 << 30, MaxFileBytes: 256 << 20},
		Setup:    kernel.With(pick, setup),
	}
}

// uses is what the module uses of the server.
type uses struct {
	kernel.Documents
	kernel.Directory
	kernel.Shared
}

func pick(c *kernel.Capabilities) uses { return uses{c.Documents, c.Directory, c.Shared} }

type service struct {
	cfg      Config
	docs     docs.DB
	folder   *files.Folder
	apps     *apps.Store
	crashes  *kernel.Crashes
	settings *settings.Store
	enabled  func() bool
	now      func() time.Time
	log      *slog.Logger
	bus      *hook.Bus
	opened   cache
	// writing holds an element while files are written or swept: one upload at a time unpacks and is charged.
	writing chan struct{}
	// reserved are bytes of uploads that are being written to disk; sweeping is held for reading by each of them.
	reserved reserved
	sweeping sync.RWMutex
	// applying holds an element while symbol files are opened and used.
	applying chan struct{}
}

func setup(s *kernel.Scope, n uses) error {
	cfg, err := kernel.Config[Config](s)
	if err != nil {
		return err
	}
	svc := &service{
		cfg: cfg, docs: n.Docs, folder: n.Files.Folder("symbols"), apps: n.Apps, crashes: n.Crashes, settings: s.Settings, enabled: s.Enabled, now: s.Now, log: s.Log, bus: s.Bus,
		writing: make(chan struct{}, 1), applying: make(chan struct{}, 1), opened: cache{most: maxOpened},
	}
	n.Symbols.Provide(svc.readable)
	s.Settings.Declare(feature, settingByKey, settings.Setting{Default: true, PerApp: true})
	g := s.Routes
	may := func(a model.Action) api.Access { return api.Feature(feature, a, api.AppParam) }
	api.Handle(g, "/i/crash_symbols/add_symbol", may(model.Create).Uploading().Spooling(svc.toDisk), svc.add)
	api.Handle(g, "/i/crash_symbols/edit_symbol", may(model.Update).Uploading().Spooling(svc.toDisk), svc.edit)
	api.Handle(g, "/i/crash_symbols/remove_symbol", may(model.Delete), svc.remove)
	api.Handle(g, "/i/crash_symbols/symbolicate", may(model.Update), svc.symbolicate)
	api.Handle(g, "/i/crash_symbols/upload_symbol", api.Public().Uploading().Spooling(svc.toDiskByKey), svc.upload)
	api.Handle(g, "/i/crash_symbols/symbolicatation_result", api.Public(), svc.result)
	read := api.Feature(feature, model.Read, api.AppParamFirst)
	api.HandleMethod(g, "crash_symbols", read, svc.list)
	api.HandleMethod(g, "crash_symbols_overview", read, svc.overview)
	api.HandleMethod(g, "crash_jobs", read, svc.jobs)
	api.HandleMethod(g, "crash_report", read, svc.report)
	api.HandleRawOf(g, "/o?method=download_symbol", read, "the answer is a file", svc.download)
	ofAny := api.Feature(feature, model.Read, api.AppOptional)
	for _, name := range []string{"connection", "key", "return_connection"} {
		api.Handle(g, "/o/symbolication/test_symbolication_"+name, ofAny, svc.works)
	}
	api.Handle(g, "/o/symbolication/test_symbolication_endpoints", ofAny, svc.endpoints)
	s.Jobs.Every("sweep", 24*time.Hour, svc.sweep)
	hook.On(s.Bus, s.Name, svc.appReset)
	hook.On(s.Bus, s.Name, svc.appDeleted)
	return nil
}

// exclusively runs fn while no other upload, replacement or sweep goes on.
func (s *service) exclusively(ctx context.Context, fn func() error) error {
	select {
	case s.writing <- struct{}{}:
		defer func() { <-s.writing }()
		return fn()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Faults in the words of the wire.
var (
	errPlatform  = fault.New(fault.Invalid, "symbolication.missing", "Missing platform")
	errBuild     = fault.New(fault.Invalid, "symbolication.missing", "Missing build information")
	errFile      = fault.New(fault.Invalid, "symbolication.missing", "Missing symbols/mapping file")
	errSymbolID  = fault.New(fault.Invalid, "symbolication.missing", "Missing Symbol ID")
	errID        = fault.New(fault.Invalid, "symbolication.missing", "Missing id")
	errReportID  = fault.New(fault.Invalid, "symbolication.missing", "Missing report id")
	errNoSymbol  = fault.New(fault.Invalid, "symbolication.missing", "Missing symbol id")
	errReturnURL = fault.New(fault.Invalid, "symbolication.missing", "Missing return url")
	errResult    = fault.New(fault.Invalid, "symbolication.missing", "Missing parameters")
	errSeveral   = fault.New(fault.Invalid, "symbolication.platform", "Multiple symbol files are only allowed for javascript platform")
	errTooMany   = fault.New(fault.Invalid, "symbolication.too_many", "The number of files uploaded exceeds the maximum allowed")
	errJob       = fault.New(fault.Invalid, "symbolication.unknown", "Cannot find job with provided id")
	errGroup     = fault.New(fault.Invalid, "symbolication.unknown", "Could not find crashgroup")
	errSymbol    = fault.New(fault.Invalid, "symbolication.unknown", "Could not find symbol file")
	errPost      = fault.New(fault.Invalid, "symbolication.not_a_post", "Symbol files are uploaded with POST")
	errQuota     = fault.New(fault.TooLarge, "symbolication.quota", "The symbol files of the app exceed their space limit, remove some")
	errUnpacked  = fault.New(fault.TooLarge, "symbolication.quota", "Symbol file is too large")
	errApp       = fault.New(fault.Unauthenticated, "access.unknown_app", "App does not exist")
	errByKey     = fault.New(fault.Forbidden, "symbolication.by_key", "Uploads with the app key are switched off")
	errFileID    = fault.New(fault.Invalid, "symbolication.missing", `Missing parameter "file_id"`)
	errNoFileID  = fault.New(fault.Invalid, "symbolication.file_id", `Parameter "file_id" is not allowed for single-file symbols`)
	errNoFile    = fault.New(fault.NotFound, "symbolication.not_found", `Symbol file for given "file_id" not found`)
	errGone      = fault.New(fault.NotFound, "symbolication.not_found", "Cannot find symbol file")
)

func notFound(format, id string) error {
	if len(id) > 100 {
		id = id[:100]
	}
	return fault.Newf(fault.NotFound, "symbolication.not_found", format, id)
}

func packed(what string) error {
	return fault.Newf(fault.Invalid, "symbolication.packed", "Symbol file cannot be unpacked: %s", what)
}

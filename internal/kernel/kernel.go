// Package kernel is the contract between the server and its modules. A module
// is a value: a name, what it requires, its default configuration, and a function that wires
// it. Modules meet only on the hook bus.
package kernel

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"time"

	"quipu/internal/api"
	"quipu/internal/hook"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/jobs"
	"quipu/internal/settings"
)

// Module is one feature. All but Setup is data.
type Module struct {
	// Name is lower-case letters, unique in the server.
	Name string
	// Requires names modules that must be set up before this one.
	Requires []string
	// Features are the permission keys that the module's routes use.
	Features []string
	// Defaults is a struct, the module's configuration when the operator gives none;
	// nil for a module without configuration. See Config.
	Defaults any
	// Plugin describes the module to people; nil = a part of the core that nobody sees as a feature.
	Plugin *Plugin
	// Parts are further features that people know and that the module serves. They are on while the module is.
	Parts []Plugin
	// Ingest is the module's part in ingestion; nil = it has none. It holds whether the module is switched on or not, so
	// that figures do not depend on when it was.
	Ingest *pipeline.Feature
	// Setup wires the module: it declares routes, jobs and subscriptions. It does no
	// work and starts nothing. With and Alone make one.
	Setup Setup
}

// Plugin is what people know a module by.
type Plugin struct {
	Code        string // on the wire, as "server-stats"
	Title       string
	Description string
	// Fixed modules cannot be switched off.
	Fixed bool
}

// Feature is a plugin and whether it is on.
type Feature struct {
	Plugin
	Module  string
	Enabled bool
	Part    bool // one of several that the module serves, not the module itself
}

// Validator is a configuration that checks itself, reporting all faults at once.
type Validator interface{ Validate() error }

// Scope is what every module has: its name, and where it declares what it serves, runs and hears.
type Scope struct {
	Name     string
	Log      *slog.Logger
	Now      func() time.Time
	Routes   *api.Registrar
	Bus      *hook.Bus
	Jobs     *jobs.Registrar
	Settings *settings.Store // may be changed while the server runs; Setup declares the module's own
	// Enabled reports whether the module is switched on. The routes of one that is off are as
	// if they were not there, its jobs do not run, and of the bus it gets what is binding only; what else it does it
	// stops itself.
	Enabled func() bool

	defaults any
	config   any
}

// Memory is what the process takes of the memory, as last measured, and its cap. Bytes.
type Memory struct {
	Limit    int64 `json:"limit"`
	Resident int64 `json:"resident"`
}

// Progress is how far the journal is projected.
type Progress struct {
	End, Through uint64 // offsets of the newest record, and of the newest readable one
	Waiting      int64  // records between them
	Healthy      bool   // records are being projected
	// Refuses says why ingestion answers 503, in words such as disk_full; nil while it accepts.
	Refuses []string
}

// Config returns the module's configuration: its Defaults, overlaid with what the
// operator gave. Unknown keys are refused; durations are texts such as "24h".
func Config[T any](s *Scope) (T, error) {
	cfg, ok := s.defaults.(T)
	if !ok {
		return cfg, fmt.Errorf("module %s: defaults are %T, not %s", s.Name, s.defaults, reflect.TypeFor[T]())
	}
	return cfg, overlay(s.Name, &cfg, s.config)
}

// overlay puts what the operator gave over the defaults in cfg, a pointer, and checks the result.
func overlay(module string, cfg, given any) error {
	if given != nil {
		text, err := json.Marshal(given)
		if err != nil {
			return fmt.Errorf("configuration of module %s: %w", module, err)
		}
		dec := json.NewDecoder(bytes.NewReader(text))
		dec.DisallowUnknownFields()
		if err := dec.Decode(cfg); err != nil {
			return fmt.Errorf("configuration of module %s: %w", module, err)
		}
	}
	if v, ok := cfg.(Validator); ok {
		if err := v.Validate(); err != nil {
			return fmt.Errorf("configuration of module %s: %w", module, err)
		}
	}
	return nil
}

// CheckConfig reports every fault of the operator's settings by module name, as Wire and the modules do when a server starts.
func CheckConfig(given map[string]any, modules []Module) error {
	var errs []error
	for name := range given {
		i := slices.IndexFunc(modules, func(m Module) bool { return m.Name == name })
		switch {
		case i < 0:
			errs = append(errs, fmt.Errorf("configuration names an unknown module %q", name))
		case modules[i].Defaults == nil:
			errs = append(errs, fmt.Errorf("module %s has no configuration", name))
		default:
			cfg := reflect.New(reflect.TypeOf(modules[i].Defaults))
			cfg.Elem().Set(reflect.ValueOf(modules[i].Defaults))
			errs = append(errs, overlay(name, cfg.Interface(), given[name]))
		}
	}
	return errors.Join(errs...)
}

// Host is what the modules' scopes and capabilities are cut from.
type Host struct {
	Log      *slog.Logger
	Now      func() time.Time
	Routes   *api.Routes
	Bus      *hook.Bus
	Jobs     *jobs.Scheduler
	Settings *settings.Store
	// Capabilities are filled in by Wire where they are of modules: Shared, Server.Features and Server.Plugins.
	Capabilities
	// Config holds the operator's settings by module name; nil for none.
	Config map[string]any
}

// Wire sets up the modules in the order of their requirements. Unknown
// requirements, cycles, duplicate names and settings of unknown modules are errors.
func Wire(h Host, modules []Module) error {
	ordered, err := order(modules)
	if err != nil {
		return err
	}
	for name := range h.Config {
		if !slices.ContainsFunc(modules, func(m Module) bool { return m.Name == name }) {
			return fmt.Errorf("configuration names an unknown module %q", name)
		}
	}
	for _, m := range ordered {
		if m.Plugin != nil && !m.Plugin.Fixed {
			h.Settings.Declare(pluginSettings, m.Plugin.Code, settings.Setting{Default: true})
		}
	}
	enabled := switches(h.Settings, ordered)
	h.Routes.Switch(enabled)
	h.Bus.Switch(enabled)
	h.Jobs.Switch(enabled)
	caps := h.Capabilities
	caps.Shared = Shared{Collections: &Collections{}, Groups: &EventGroups{}, Subjects: &Subjects{}, Properties: &PropertyLabels{}, Holdings: &Holdings{}, EventUsers: &EventUsers{}, Crashes: &Crashes{}, Symbols: &Symbols{}, Pages: &Pages{}}
	caps.Features = func() []string { return Features(modules) }
	caps.Plugins = func() []Feature { return plugins(modules, enabled) }
	for _, m := range ordered {
		if h.Config[m.Name] != nil && m.Defaults == nil {
			return fmt.Errorf("module %s has no configuration", m.Name)
		}
		err := m.Setup(&Scope{
			Name: m.Name, Log: h.Log.With(slog.String("module", m.Name)), Now: h.Now, Routes: h.Routes.For(m.Name), Bus: h.Bus,
			Jobs: h.Jobs.For(m.Name), Settings: h.Settings, Enabled: func() bool { return enabled(m.Name) },
			defaults: m.Defaults, config: h.Config[m.Name],
		}, &caps)
		if err != nil {
			return fmt.Errorf("set up module %s: %w", m.Name, err)
		}
	}
	return nil
}

// pluginSettings is the namespace of the settings that switch modules on and off by their code.
const pluginSettings = "plugins"

// switches returns what tells whether a module is on, by name.
func switches(s *settings.Store, modules []Module) func(string) bool {
	codes := map[string]string{}
	for _, m := range modules {
		if m.Plugin != nil && !m.Plugin.Fixed {
			codes[m.Name] = m.Plugin.Code
		}
	}
	return func(name string) bool {
		code, switchable := codes[name]
		return !switchable || s.Bool(pluginSettings, code)
	}
}

func plugins(modules []Module, enabled func(string) bool) []Feature {
	var out []Feature
	for _, m := range modules {
		if m.Plugin != nil {
			out = append(out, Feature{Plugin: *m.Plugin, Module: m.Name, Enabled: enabled(m.Name)})
		}
		for _, part := range m.Parts {
			part.Fixed = true
			out = append(out, Feature{Plugin: part, Module: m.Name, Enabled: enabled(m.Name), Part: true})
		}
	}
	slices.SortFunc(out, func(a, b Feature) int { return strings.Compare(a.Code, b.Code) })
	return out
}

// Features lists the permission keys of modules, sorted and without repeats.
func Features(modules []Module) []string {
	var out []string
	for _, m := range modules {
		out = append(out, m.Features...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// Ingestion lists what modules declare of their parts in ingestion.
func Ingestion(modules []Module) pipeline.Features {
	var out pipeline.Features
	for _, m := range modules {
		if m.Ingest != nil {
			out = append(out, m.Ingest)
		}
	}
	return out
}

// order sorts modules so that each comes after those it requires.
func order(modules []Module) ([]Module, error) {
	byName := map[string]Module{}
	for _, m := range modules {
		if _, twice := byName[m.Name]; twice || m.Name == "" || m.Setup == nil {
			return nil, fmt.Errorf("module %q is listed twice, or has no name or setup", m.Name)
		}
		byName[m.Name] = m
	}
	var out []Module
	state := map[string]int{} // 1 = on the way, 2 = done
	var visit func(name, by string) error
	visit = func(name, by string) error {
		m, ok := byName[name]
		if !ok {
			return fmt.Errorf("module %s requires %s, which is not there", by, name)
		}
		switch state[name] {
		case 1:
			return fmt.Errorf("module %s requires itself through %s", name, by)
		case 2:
			return nil
		}
		state[name] = 1
		for _, r := range m.Requires {
			if err := visit(r, name); err != nil {
				return err
			}
		}
		state[name] = 2
		out = append(out, m)
		return nil
	}
	for _, m := range modules {
		if err := visit(m.Name, m.Name); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// Package settings holds what people may set while the server runs: values
// in namespaces, declared with their defaults by those that use them. A value can
// be given for the whole server, and, where the declaration allows it, for an app or for a member.
//
// Readers see an immutable snapshot and take no lock; Store.Refresh brings what other processes set into it. What an operator gives
// at the start (package app's configuration) is the default of the settings that stand for it.
//
// Faults: settings.invalid (Invalid).
package settings

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"quipu/internal/fault"
	"quipu/internal/hook"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/topic"
)

// Values are settings by namespace and name. Values are bool, float64, string,
// or what JSON decodes to.
type Values map[string]map[string]any

// document is what was set, for the server or for a member.
type document struct {
	ID     string `json:"_id"`
	Values Values `json:"values"`
}

// Key returns the document's id.
func (d document) Key() string { return d.ID }

// maxSize bounds what one document holds, in bytes of JSON.
const maxSize = 256 << 10

// Validate bounds the document.
func (d document) Validate() error {
	text, err := json.Marshal(d.Values)
	if err != nil {
		return fmt.Errorf("settings as JSON: %w", err)
	}
	if len(text) > maxSize {
		return fault.New(fault.TooLarge, "settings.too_large", "The settings are too large")
	}
	return nil
}

func spec() docs.Spec[document] { return docs.Spec[document]{Name: "settings", Version: 1} }

const serverKey = "server"

func memberKey(id model.MemberID) string { return "member:" + id.String() }

// Store keeps settings. Declarations are made while the server is wired; after that it is safe for
// concurrent use.
type Store struct {
	db       docs.DB
	bus      *hook.Bus
	declared map[string]map[string]Setting
	writes   sync.Mutex // one write and its snapshot at a time
	set      atomic.Pointer[Values]
	// generation is that of the collection when set was read; under writes.
	generation int64
}

// Open reads what was set for the server.
func Open(ctx context.Context, db docs.DB, bus *hook.Bus) (*Store, error) {
	s := &Store{db: db, bus: bus, declared: map[string]map[string]Setting{}}
	if err := s.reload(ctx); err != nil {
		return nil, err
	}
	hook.On(bus, "settings", func(ctx context.Context, ev topic.MemberDeleted) error {
		err := spec().Global(s.db).Delete(ctx, memberKey(ev.Member))
		if docs.IsNotFound(err) {
			return nil
		}
		return err
	})
	return s, nil
}

// Collection is the name of the collection of settings.
func (*Store) Collection() string { return spec().Name }

// Refresh reads the settings of the server again when another process has written since the last look. It notifies nobody: the bus
// hears of own writes alone.
func (s *Store) Refresh(ctx context.Context) error {
	s.writes.Lock()
	defer s.writes.Unlock()
	generation, err := spec().Global(s.db).Generation(ctx)
	if err != nil {
		return fmt.Errorf("read generation of settings: %w", err)
	}
	if generation == s.generation {
		return nil
	}
	return s.reload(ctx)
}

// reload reads what was set for the server. The caller holds writes, or is the only one.
func (s *Store) reload(ctx context.Context) error {
	// The generation is read first: a write in between is then seen again, not missed.
	generation, err := spec().Global(s.db).Generation(ctx)
	if err != nil {
		return fmt.Errorf("read generation of settings: %w", err)
	}
	d, err := load(ctx, s.db, serverKey)
	if err != nil {
		return err
	}
	s.set.Store(&d.Values)
	s.generation = generation
	return nil
}

func load(ctx context.Context, db docs.Handle, key string) (document, error) {
	d, err := spec().Global(db).Get(ctx, key)
	if docs.IsNotFound(err) {
		return document{ID: key, Values: Values{}}, nil
	}
	if err != nil {
		return d, fmt.Errorf("read settings: %w", err)
	}
	return d, nil
}

// Declare adds a setting. A second one of the same name, or a default that the setting itself
// refuses, is a bug and panics.
func (s *Store) Declare(namespace, name string, d Setting) {
	if _, twice := s.declared[namespace][name]; twice {
		panic(fmt.Sprintf("settings: %s.%s is declared twice", namespace, name))
	}
	if n, ok := d.Default.(int); ok {
		d.Default = float64(n)
	}
	if _, err := d.accept(d.Default); err != nil {
		panic(fmt.Sprintf("settings: default of %s.%s: %v", namespace, name, err))
	}
	if s.declared[namespace] == nil {
		s.declared[namespace] = map[string]Setting{}
	}
	s.declared[namespace][name] = d
}

// Get returns the server's value of a setting. An undeclared one is a bug and panics.
func (s *Store) Get(namespace, name string) any {
	d, ok := s.declared[namespace][name]
	if !ok {
		panic(fmt.Sprintf("settings: %s.%s is not declared", namespace, name))
	}
	if v, ok := (*s.set.Load())[namespace][name]; ok {
		if v, err := d.accept(v); err == nil { // it may have been set for another version of the program
			return v
		}
	}
	return d.Default
}

// ForApp returns the value for an app: the one among the app's plugin settings, if the
// setting may differ by app and there is a usable one, else the server's.
func (s *Store) ForApp(app *model.App, namespace, name string) any {
	if d := s.declared[namespace][name]; d.PerApp && app != nil {
		if own, ok := app.Plugins[namespace].(map[string]any); ok {
			if v, ok := own[name]; ok {
				if v, err := d.accept(v); err == nil {
					return v
				}
			}
		}
	}
	return s.Get(namespace, name)
}

// Bool returns the value of a switch.
func (s *Store) Bool(namespace, name string) bool { v, _ := s.Get(namespace, name).(bool); return v }

// Number returns the value of a number.
func (s *Store) Number(namespace, name string) float64 {
	v, _ := s.Get(namespace, name).(float64)
	return v
}

// Text returns the value of a text.
func (s *Store) Text(namespace, name string) string {
	v, _ := s.Get(namespace, name).(string)
	return v
}

// AppBool is Bool for an app.
func (s *Store) AppBool(app *model.App, namespace, name string) bool {
	v, _ := s.ForApp(app, namespace, name).(bool)
	return v
}

// AppNumber is Number for an app.
func (s *Store) AppNumber(app *model.App, namespace, name string) float64 {
	v, _ := s.ForApp(app, namespace, name).(float64)
	return v
}

// AppText is Text for an app.
func (s *Store) AppText(app *model.App, namespace, name string) string {
	v, _ := s.ForApp(app, namespace, name).(string)
	return v
}

// All returns every setting with its value; app may be nil. What was set and is not declared
// is among them: clients keep settings here that only they know.
func (s *Store) All(app *model.App) Values {
	out := cloned(*s.set.Load())
	for namespace, list := range s.declared {
		if out[namespace] == nil {
			out[namespace] = map[string]any{}
		}
		for name := range list {
			out[namespace][name] = s.ForApp(app, namespace, name)
		}
	}
	return out
}

// Set merges values into what is set for the server and returns all settings
// before and after. Every value that its declaration refuses is named in the fault settings.invalid, and then
// nothing is set.
func (s *Store) Set(ctx context.Context, change Values) (before, after Values, err error) {
	accepted, err := s.check(couple(change), func(Setting) bool { return true })
	if err != nil {
		return nil, nil, err
	}
	s.writes.Lock()
	defer s.writes.Unlock()
	was, is, err := s.merge(ctx, serverKey, accepted)
	if err != nil {
		return nil, nil, err
	}
	s.set.Store(&was.Values) // another process may have set some of it
	before = s.All(nil)
	s.set.Store(&is.Values)
	return before, s.All(nil), hook.Emit(ctx, s.bus, topic.SettingsChanged{})
}

// merge merges values into what is stored under a key, and returns that before and after. What another process sets at the same
// time is kept.
func (s *Store) merge(ctx context.Context, key string, accepted Values) (was, is document, err error) {
	err = s.db.Tx(ctx, func(tx docs.Handle) error {
		if was, err = load(ctx, tx, key); err != nil {
			return err
		}
		is = document{ID: key, Values: merged(was.Values, accepted)}
		return spec().Global(tx).Put(ctx, is)
	})
	return was, is, err
}

// Member returns the settings that may differ by member, with their values for one of them.
func (s *Store) Member(ctx context.Context, id model.MemberID) (Values, error) {
	own, err := load(ctx, s.db, memberKey(id))
	if err != nil {
		return nil, err
	}
	out := Values{}
	for namespace, list := range s.declared {
		for name, d := range list {
			if !d.PerMember {
				continue
			}
			if out[namespace] == nil {
				out[namespace] = map[string]any{}
			}
			out[namespace][name] = s.Get(namespace, name)
			if v, ok := own.Values[namespace][name]; ok {
				if v, err := d.accept(v); err == nil {
					out[namespace][name] = v
				}
			}
		}
	}
	return out, nil
}

// SetMember merges values into a member's own. Settings that may not differ by member are left out.
func (s *Store) SetMember(ctx context.Context, id model.MemberID, change Values) error {
	accepted, err := s.check(change, func(d Setting) bool { return d.PerMember })
	if err != nil {
		return err
	}
	_, _, err = s.merge(ctx, memberKey(id), accepted)
	return err
}

// check brings values to the types that are declared. wanted says which declarations count.
func (s *Store) check(change Values, wanted func(Setting) bool) (Values, error) {
	out, bad := Values{}, []string{}
	for namespace, list := range change {
		for name, v := range list {
			d, declared := s.declared[namespace][name]
			if !wanted(d) {
				continue
			}
			if declared {
				var err error
				if v, err = d.accept(v); err != nil {
					bad = append(bad, fmt.Sprintf("%s.%s %v", namespace, name, err))
					continue
				}
			}
			if out[namespace] == nil {
				out[namespace] = map[string]any{}
			}
			out[namespace][name] = v
		}
	}
	if len(bad) > 0 {
		slices.Sort(bad)
		return nil, fault.New(fault.Invalid, "settings.invalid", "Error updating configs: "+strings.Join(bad, ", "))
	}
	return out, nil
}

// couple keeps the two switches of places in step: there are no cities without
// countries. What it is given is left as it is.
func couple(change Values) Values {
	api := change["api"]
	country, city := api["country_data"], api["city_data"]
	switch {
	case country == false:
		return merged(change, Values{"api": {"city_data": false}})
	case city == true:
		return merged(change, Values{"api": {"country_data": true}})
	}
	return change
}

func cloned(v Values) Values {
	out := Values{}
	for namespace, list := range v {
		out[namespace] = maps.Clone(list)
	}
	return out
}

// merged returns a with the values of b in it.
func merged(a, b Values) Values {
	out := cloned(a)
	for namespace, list := range b {
		if out[namespace] == nil {
			out[namespace] = map[string]any{}
		}
		maps.Copy(out[namespace], list)
	}
	return out
}

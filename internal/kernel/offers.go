package kernel

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"quipu/internal/model"
	"quipu/internal/query"
)

// EventGroups knows which events a group of events stands for. The module that keeps groups provides the answer while
// the server is wired; every module may ask.
type EventGroups struct {
	sources func(ctx context.Context, app model.AppID, id string) ([]string, error)
}

// Provide sets what returns the events of a group by its id; none when there is no such group, or it is switched off. A
// second provider is a bug and panics.
func (g *EventGroups) Provide(sources func(ctx context.Context, app model.AppID, id string) ([]string, error)) {
	if g.sources != nil {
		panic("kernel: event groups are provided twice")
	}
	g.sources = sources
}

// Keys returns the events that a key of the wire stands for: those of the group of that id, or the key itself. The list is the
// caller's own.
func (g *EventGroups) Keys(ctx context.Context, app model.AppID, key string) ([]string, error) {
	if g.sources == nil || !strings.HasPrefix(key, model.EventGroupPrefix) {
		return []string{key}, nil
	}
	sources, err := g.sources(ctx, app, key)
	if err != nil {
		return nil, fmt.Errorf("read event group: %w", err)
	}
	if len(sources) == 0 {
		return []string{key}, nil
	}
	return slices.Clone(sources), nil
}

// Subject is one of the things that a feature counts, as people know it: a view, a widget.
type Subject struct {
	ID    string // on the wire
	Name  string // of its rows
	Title string // what people call it
}

// Subjects knows what people call the subjects of features. The modules that count them provide the answers while the server is wired; every module may ask.
type Subjects struct {
	lists map[string]func(ctx context.Context, app model.AppID) ([]Subject, error)
}

// Provide sets what lists the subjects of an app that rows of an event have, in order of first appearance. A second provider of an event is a bug and panics.
func (s *Subjects) Provide(event string, list func(ctx context.Context, app model.AppID) ([]Subject, error)) {
	if s.lists[event] != nil {
		panic("kernel: subjects of " + event + " are provided twice")
	}
	if s.lists == nil {
		s.lists = map[string]func(context.Context, model.AppID) ([]Subject, error){}
	}
	s.lists[event] = list
}

// List returns the subjects of an app that rows of an event have, in order of first appearance; none when nobody provides them.
func (s *Subjects) List(ctx context.Context, app model.AppID, event string) ([]Subject, error) {
	from := s.lists[event]
	if from == nil {
		return nil, nil
	}
	list, err := from(ctx, app)
	if err != nil {
		return nil, fmt.Errorf("list subjects of %s: %w", event, err)
	}
	return list, nil
}

// PropertyLabel is what people say about a property of events or users. The zero value says nothing.
type PropertyLabel struct {
	Label       string `json:"label,omitempty"` // what people call it
	Description string `json:"description,omitempty"`
	// Hidden properties are not offered where one is chosen. They can be asked for as any other.
	Hidden bool `json:"hidden,omitempty"`
}

// PropertyLabels knows what people say about properties. The module that keeps it provides the answer while the server is wired; every module may ask.
type PropertyLabels struct {
	of func(ctx context.Context, app model.AppID) (map[string]PropertyLabel, error)
}

// Provide sets what returns the labels of an app by path, as "sg.price", "up.cc" or "custom.plan". A second provider is a bug and panics.
func (l *PropertyLabels) Provide(of func(ctx context.Context, app model.AppID) (map[string]PropertyLabel, error)) {
	if l.of != nil {
		panic("kernel: labels of properties are provided twice")
	}
	l.of = of
}

// Of returns the labels of an app by path; none when nobody provides them.
func (l *PropertyLabels) Of(ctx context.Context, app model.AppID) (map[string]PropertyLabel, error) {
	if l.of == nil {
		return nil, nil
	}
	labels, err := l.of(ctx, app)
	if err != nil {
		return nil, fmt.Errorf("read labels of properties: %w", err)
	}
	return labels, nil
}

// Holding is a kind of documents about single users that a module keeps outside of the collected data. It belongs to what
// is exported about a person, whether the module is switched on or off; what is erased with a person, modules learn by topic.UsersErased.
type Holding struct {
	// Name is that of the member in exports and counts, as "logger".
	Name string
	// Rows are the keys of event rows that are what is held: they are exported with all event rows, and counted apart. Either these or Each is there.
	Rows []string
	// Each calls fn for every document held about the users, in the form that json.Marshal writes.
	Each func(ctx context.Context, app model.AppID, uids []uint32, fn func(doc any) error) error
}

// Holdings lists what modules hold about single users. Modules add theirs while the server is wired; after that it only reads.
type Holdings struct{ list []Holding }

// Add declares a holding; a second one of a name is a bug and panics.
func (h *Holdings) Add(add Holding) {
	if add.Name == "" || (add.Each == nil) == (add.Rows == nil) || slices.ContainsFunc(h.list, func(o Holding) bool { return o.Name == add.Name }) {
		panic(fmt.Sprintf("kernel: holding %q is declared twice or lacks a part", add.Name))
	}
	h.list = append(h.list, add)
}

// All lists the holdings in the order in which they were added.
func (h *Holdings) All() []Holding { return slices.Clone(h.list) }

// Check is how a module compares what it derives from rows with what rows give, when the server compares all that is derived.
type Check struct {
	Name string
	// App compares what is derived of an app and changes nothing. Nothing is projected meanwhile, and rows finds all that is; other readers
	// must not be used. found notes a difference, note what is not compared and why.
	App func(ctx context.Context, app *model.App, rows query.Rows, found func(where string, stored, computed any), note func(text string)) error
}

// Checks are those of all modules. Modules add theirs while the server is wired.
type Checks struct{ list []Check }

// Add adds a check.
func (c *Checks) Add(one Check) { c.list = append(c.list, one) }

// All lists the checks in the order in which they were added.
func (c *Checks) All() []Check { return slices.Clone(c.list) }

// CrashStack is the error of a crash report with what says which build it came from. Texts are "" where the report does not say.
type CrashStack struct {
	Group   string // id of the group of the report
	OS      string
	Version string // of the app
	Build   string // number of the build
	UUID    string // of the program
	Program string // its name
	Load    string // where it began in memory: hexadecimal digits behind 0x
	Images  string // JSON of the program and its libraries as they were in memory, as it was sent
	Text    string // the error as it was sent, or what was made of the dump
	Dump    string // the minidump that the error was made of
}

// CrashBuild is a build of an app that has crash reports. Texts are "" where reports do not say.
type CrashBuild struct {
	OS      string
	Version string // of the app
	Build   string // number of the build
	UUID    string // of the program
	Reports int64
	Last    int64 // ms, when the last report came
}

// Crashes knows the crash reports of apps. The module that groups them provides the answers while the server is wired; every module may
// ask.
type Crashes struct {
	group  func(ctx context.Context, app model.AppID, id string) (CrashStack, bool, error)
	report func(ctx context.Context, app model.AppID, id string) (map[string]any, bool, error)
	builds func(ctx context.Context, app model.AppID, since int64) ([]CrashBuild, error)
	about  func(ctx context.Context, app model.AppID, id string) (CrashGroup, bool, error)
	decide func(ctx context.Context, app model.AppID, id string, state CrashState) (bool, error)
	list   func(ctx context.Context, app model.AppID, search string, limit int) ([]CrashGroup, error)
	issue  func(ctx context.Context, app model.AppID, id string) (any, error)
}

// CrashState is what was decided about a group of crashes.
type CrashState string

// The states. A group whose crash came back after it was resolved is open.
const (
	CrashOpen      CrashState = "open"
	CrashResolving CrashState = "resolving"
	CrashResolved  CrashState = "resolved"
)

// CrashGroup is what is known of a group of crashes. Times are in seconds, texts "" where no report says.
type CrashGroup struct {
	ID, Name    string
	OS, Version string // Version is the latest
	NonFatal    bool
	State       CrashState
	Reports     int64
	Users       int
	First, Last int64
}

// Provide sets what returns the first report of a group, a report in the form that reads show, and the builds that have reports. A second
// provider is a bug and panics.
func (c *Crashes) Provide(
	group func(ctx context.Context, app model.AppID, id string) (CrashStack, bool, error),
	report func(ctx context.Context, app model.AppID, id string) (map[string]any, bool, error),
	builds func(ctx context.Context, app model.AppID, since int64) ([]CrashBuild, error),
) {
	if c.group != nil {
		panic("kernel: crashes are provided twice")
	}
	c.group, c.report, c.builds = group, report, builds
}

// ProvideGroups sets what returns a group, what decides about one, which reports whether there is such a group, and what lists groups. A second
// provider is a bug and panics.
func (c *Crashes) ProvideGroups(
	about func(ctx context.Context, app model.AppID, id string) (CrashGroup, bool, error),
	decide func(ctx context.Context, app model.AppID, id string, state CrashState) (bool, error),
	list func(ctx context.Context, app model.AppID, search string, limit int) ([]CrashGroup, error),
) {
	if c.about != nil {
		panic("kernel: crash groups are provided twice")
	}
	c.about, c.decide, c.list = about, decide, list
}

// ProvideIssues sets what returns the issue that a group is linked to, nil for none. A second provider is a bug and panics.
func (c *Crashes) ProvideIssues(issue func(ctx context.Context, app model.AppID, id string) (any, error)) {
	if c.issue != nil {
		panic("kernel: issues of crash groups are provided twice")
	}
	c.issue = issue
}

// About returns a group; false when there is no such group.
func (c *Crashes) About(ctx context.Context, app model.AppID, id string) (CrashGroup, bool, error) {
	if c.about == nil {
		return CrashGroup{}, false, nil
	}
	return c.about(ctx, app, id)
}

// List returns the groups whose names hold a text, whatever its case, those reported last first, at most limit. Hidden ones are left out.
func (c *Crashes) List(ctx context.Context, app model.AppID, search string, limit int) ([]CrashGroup, error) {
	if c.list == nil {
		return nil, nil
	}
	return c.list(ctx, app, search, limit)
}

// Decide gives a group a state; false when there is no such group. It does not fire topic.CrashGroupsDecided.
func (c *Crashes) Decide(ctx context.Context, app model.AppID, id string, state CrashState) (bool, error) {
	if c.decide == nil {
		return false, nil
	}
	return c.decide(ctx, app, id, state)
}

// Issue returns the issue that a group is linked to, in the form that reads show; nil for none.
func (c *Crashes) Issue(ctx context.Context, app model.AppID, id string) (any, error) {
	if c.issue == nil {
		return nil, nil
	}
	return c.issue(ctx, app, id)
}

// Group returns the error of the first report of a group; false when there is no such group.
func (c *Crashes) Group(ctx context.Context, app model.AppID, id string) (CrashStack, bool, error) {
	if c.group == nil {
		return CrashStack{}, false, nil
	}
	return c.group(ctx, app, id)
}

// Report returns a report as reads show it; false when there is none with the id.
func (c *Crashes) Report(ctx context.Context, app model.AppID, id string) (map[string]any, bool, error) {
	if c.report == nil {
		return nil, false, nil
	}
	return c.report(ctx, app, id)
}

// Builds returns the builds with reports since a moment, in ms; those with the most reports stand first.
func (c *Crashes) Builds(ctx context.Context, app model.AppID, since int64) ([]CrashBuild, error) {
	if c.builds == nil {
		return nil, nil
	}
	return c.builds(ctx, app, since)
}

// Symbols knows the names and lines of the source that stand behind frames of crashes. The module that keeps symbol files provides the
// answer while the server is wired; every module may ask.
type Symbols struct {
	readable func(ctx context.Context, app model.AppID, s CrashStack) (string, bool)
}

// Provide sets what symbolicates a stack. A second provider is a bug and panics.
func (y *Symbols) Provide(readable func(ctx context.Context, app model.AppID, s CrashStack) (string, bool)) {
	if y.readable != nil {
		panic("kernel: symbols are provided twice")
	}
	y.readable = readable
}

// Readable returns the symbolicated text of a stack; false when no symbol file has any of its frames.
func (y *Symbols) Readable(ctx context.Context, app model.AppID, s CrashStack) (string, bool) {
	if y.readable == nil || s.Text == "" {
		return "", false
	}
	return y.readable(ctx, app, s)
}

// Shot says what a picture of a page shows.
type Shot struct {
	URL   string // of the internet, http or https
	Width int    // of the page in pixels; narrow pages are shown as telephones show them
}

// Pages takes pictures of pages of the internet. The module that has a browser provides it while the server is wired; every module may ask.
type Pages struct {
	shoot func(ctx context.Context, s Shot) ([]byte, error)
}

// Provide sets what takes a picture. A second provider is a bug and panics.
func (p *Pages) Provide(shoot func(ctx context.Context, s Shot) ([]byte, error)) {
	if p.shoot != nil {
		panic("kernel: pictures of pages are provided twice")
	}
	p.shoot = shoot
}

// Shoot returns a picture of a page, a JPEG of the whole of it. Faults: those of the module that provides it; nil without one.
func (p *Pages) Shoot(ctx context.Context, s Shot) ([]byte, error) {
	if p.shoot == nil {
		return nil, nil
	}
	return p.shoot(ctx, s)
}

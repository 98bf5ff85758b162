package kernel

import (
	"context"
	"net/http"

	"quipu/internal/apps"
	"quipu/internal/auth"
	"quipu/internal/follow"
	"quipu/internal/ingest/decode"
	"quipu/internal/ingest/geo"
	"quipu/internal/ingest/outcome"
	"quipu/internal/ingest/pipeline"
	"quipu/internal/ingest/request"
	"quipu/internal/jobs"
	"quipu/internal/logfile"
	"quipu/internal/mail"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/seal"
	"quipu/internal/store/docs"
	"quipu/internal/store/events"
	"quipu/internal/store/files"
	"quipu/internal/store/profile"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
)

// Setup wires a module; With and Alone make one.
type Setup func(*Scope, *Capabilities) error

// With makes the Setup of a module that uses parts of the server. pick takes them from all there are, so that the module gets what it
// declares and no more; T is one of the capabilities, or a struct of the module that embeds several.
func With[T any](pick func(*Capabilities) T, setup func(*Scope, T) error) Setup {
	return func(s *Scope, c *Capabilities) error { return setup(s, pick(c)) }
}

// Alone makes the Setup of a module that uses nothing beside its Scope.
func Alone(setup func(*Scope) error) Setup {
	return func(s *Scope, _ *Capabilities) error { return setup(s) }
}

// Capabilities are the parts of the server that modules may use. A module names those it does, see With.
type Capabilities struct {
	Documents
	Reads
	Writes
	Directory
	Background
	Shared
	Server
	Watching
	Geography
	Secrets
}

// Documents are where a module keeps what is its own.
type Documents struct {
	Docs  docs.DB
	Files *files.Store
}

// Reads is the collected data of all apps, for reading.
type Reads struct {
	Cells rollup.Reader
	// Query answers reads of Cells. It remembers, so there is one for all modules.
	Query    *query.Query
	Profiles profile.Reader
	Schema   interface {
		schema.Reader
		schema.Details
	}
	Events events.Reader
	// Sequences reads the rows of users in their order. It holds them in memory, so there is one for all modules.
	Sequences *query.Funnels
	// Ranks guards percentiles of rows. Their values are held in memory, so there is one for all modules.
	Ranks *query.Ranks
	// Defined knows what defined events stand for. Readers of rows that take keys of events from clients ask it.
	Defined *query.Definitions
	// Cohorts knows who is in the cohorts of an app. Events looks cohorts up that plans name.
	Cohorts *query.Cohorts
	// CrashGroups knows which signatures make a group of crashes. Events looks groups up that plans name.
	CrashGroups *query.CrashGroups
	// NoEvents are the keys of rows that count as no events, as the pipeline and the features of modules declare them.
	NoEvents []string
}

// Writes is how collected data comes in and changes.
type Writes struct {
	// Ingest takes requests of SDKs for an app, a JSON array as of /i/bulk, the way of all requests. It returns
	// once they are durable. A fault of the kind Unavailable tells when to come back.
	Ingest func(ctx context.Context, app *model.App, requests []byte) error
	// Call takes a request that an SDK sent to an address of a module, with its parameters; see decode.Decoder.Call.
	Call func(r *http.Request, app *model.App, params []request.Param) (decode.Reply, error)
	// Refused counts a call of an SDK that was answered without being kept.
	Refused func(app model.AppID, reason outcome.Reason)
	// Submit appends a command to the journal and returns once it is applied and readable.
	Submit func(context.Context, request.Record) error
	// Progress returns how far what was accepted is readable.
	Progress func(context.Context) (Progress, error)
	// Flush returns once everything accepted before the call is readable.
	Flush func(context.Context) error
	// Scrub takes what was deleted from an app, in any store, off the disk, where stores leave it for a while.
	Scrub func(context.Context, model.AppID) error
}

// Data is the collected data for reading and for changing.
type Data struct {
	Reads
	Writes
}

// Directory knows apps and members.
type Directory struct {
	Apps *apps.Store
	Auth *auth.Service
}

// Background runs what outlasts a request.
type Background struct{ Tasks *jobs.Tasks }

// Shared are the registries by which modules offer something to each other.
type Shared struct {
	// Collections are the documents that members may browse and export.
	Collections *Collections
	// Groups knows what groups of events stand for.
	Groups *EventGroups
	// Subjects knows what people call the subjects of features.
	Subjects *Subjects
	// Properties knows what people say about properties.
	Properties *PropertyLabels
	// Holdings are the documents about single users that modules keep.
	Holdings *Holdings
	// EventUsers are what may name events.
	EventUsers *EventUsers
	// Crashes knows the crash reports of apps.
	Crashes *Crashes
	// Symbols knows what stands behind frames of crashes.
	Symbols *Symbols
	// Pages takes pictures of pages of the internet.
	Pages *Pages
}

// Server is the process and what it is made of.
type Server struct {
	// Features lists the permission keys of all modules.
	Features func() []string
	// Plugins lists the modules that people know, ordered by code.
	Plugins func() []Feature
	// Memory returns what the process takes and may take.
	Memory func() Memory
	// Logs hold the server's own warnings and errors.
	Logs *logfile.Set
	// Mail sends e-mail, if the operator has set it up.
	Mail *mail.Sender
	// Stopping is closed when the server begins to stop: what streams then ends, so that nobody
	// waits for it.
	Stopping <-chan struct{}
}

// Geography knows where addresses are.
type Geography struct{ Places *geo.DB }

// Secrets is how a module keeps what nobody may read where it is stored.
type Secrets struct {
	// Keys seal texts. Another key of the server than that by which a text was sealed does not open it.
	Keys *seal.Keys
}

// Watching is the traffic as it goes by.
type Watching struct {
	// Edge notifies of requests as they come in.
	Edge *decode.Watchers
	// Recorded notifies of requests once they are readable.
	Recorded *pipeline.Watchers
	// Taps follow what is recorded, for what modules hold in memory.
	Taps *pipeline.Taps
	// Followers bring what other processes write to documents into what modules hold of them in memory.
	Followers *follow.Set
	// Checks are how modules compare what they derive from rows when the server does so.
	Checks *Checks
}

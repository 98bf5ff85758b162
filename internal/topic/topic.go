// Package topic lists every event that crosses module borders on the hook
// bus. A topic is a plain struct; its comment says when it fires.
package topic

import (
	"time"

	"quipu/internal/model"
)

// AppCreated fires after an app was stored.
type AppCreated struct{ App model.App }

// AppUpdated fires after an app was changed.
type AppUpdated struct{ Before, After model.App }

// AppResetting fires before all data of an app is removed. Subscribers stop
// adding data for it before they return.
type AppResetting struct{ App model.AppID }

// AppReset fires after an app's data was removed; the app itself stays.
type AppReset struct{ App model.AppID }

// AppDeleted fires after an app and its data were removed.
type AppDeleted struct{ App model.AppID }

// MemberDeleted fires after a member was removed.
type MemberDeleted struct{ Member model.MemberID }

// EventsDeleted fires after event keys and their data were removed from an app.
type EventsDeleted struct {
	App model.AppID
	// Keys are not carried to other nodes of a cluster.
	Keys []string `json:"-"`
}

// EventGroupsGone fires after groups of events were disabled or deleted.
type EventGroupsGone struct {
	App model.AppID
	IDs []string
}

// UsersDeleted fires after profiles and their data were removed from an app.
type UsersDeleted struct {
	App model.AppID
	// UIDs is not carried to other nodes of a cluster: nil = any user may be gone.
	UIDs []uint32 `json:"-"`
}

// UsersErased fires when users were erased from the collected data of an app, and everything else about
// them has to go as well. It fires again when that was cut short; a subscriber that finds nothing is done. An error
// is one of the whole erasure, which is then tried again.
type UsersErased struct {
	App model.AppID
	// UIDs, Texts and Props are not carried to other nodes of a cluster: nil = any users.
	UIDs []uint32 `json:"-"`
	// Texts identify the users wherever they stand: device ids, e-mail addresses, names and the like, that are too
	// long to stand somewhere by chance.
	Texts []string `json:"-"`
	// Props are texts of their properties that nobody else of the app has, by the path in a profile, as "custom.plan".
	// Short ones may stand somewhere by chance.
	Props map[string][]string `json:"-"`
}

// UserMerged fires after one profile was merged into another.
type UserMerged struct {
	App      model.AppID
	From, To uint32
}

// CohortChanged fires after users came into a cohort, or left it: right after what they did, or the midnight at which what they did is too long
// ago, is committed. A cohort that is new or has other conditions fills without it, and who is merged into another or deleted does not leave by it.
// After a crash it fires for what changed since the members were last stored, so a subscriber may be notified of a user twice.
type CohortChanged struct {
	App    model.AppID
	Cohort string // its id
	At     time.Time
	// Entered and Left are numbers of users, ascending.
	Entered, Left []uint32
}

// ProjectionEnded fires when the server stops: everything accepted is projected or waits for the next start, and the stores are still open.
type ProjectionEnded struct{}

// ProjectionPaused fires when the documents are about to be copied elsewhere: everything accepted is projected. Subscribers store what they hold in
// memory and readers see, since the copy has only documents. It fires first while data is still accepted, so that little is left, and again when none is.
type ProjectionPaused struct{}

// CrashGroupsDecided fires after people decided about groups of crashes: they are resolved, being resolved or open again, or, with Gone,
// deleted.
type CrashGroupsDecided struct {
	App    model.AppID
	Groups []string
	Gone   bool
}

// SymbolsChanged fires after symbol files of an app were added, changed or removed: stacks may read differently now.
type SymbolsChanged struct{ App model.AppID }

// Action fires after a management write succeeded, no matter who made it.
type Action struct {
	At       time.Time
	Name     string // as "apps_create"
	Member   model.MemberID
	Username string
	App      model.AppID // zero: none
	IP       string      // "" = unknown
	Path     string
	// Before and After are what the write changed; nil when the module does not say.
	Before, After any
	// Data is more about it: without Before and After, the parameters less secrets.
	Data map[string]any
}

// SettingsChanged fires after settings of the server were changed.
type SettingsChanged struct{}

// What data does is visible to anyone who holds any of it, and what people do to the audit log, whether their
// modules are switched on or off.

// Binding implements hook.Binding.
func (AppDeleted) Binding() {}

// Binding implements hook.Binding.
func (AppReset) Binding() {}

// Binding implements hook.Binding.
func (AppResetting) Binding() {}

// Awaited implements hook.Awaited: what is sent after an app was reset must not be taken for what was sent before.
func (AppReset) Awaited() {}

// Awaited implements hook.Awaited.
func (AppResetting) Awaited() {}

// Awaited implements hook.Awaited: what other nodes hold of an app must not be stored after users were erased from what is stored.
func (UsersErased) Awaited() {}

// Binding implements hook.Binding.
func (MemberDeleted) Binding() {}

// Binding implements hook.Binding.
func (EventsDeleted) Binding() {}

// Binding implements hook.Binding.
func (EventGroupsGone) Binding() {}

// Binding implements hook.Binding.
func (CrashGroupsDecided) Binding() {}

// Binding implements hook.Binding.
func (ProjectionEnded) Binding() {}

// Binding implements hook.Binding.
func (ProjectionPaused) Binding() {}

// Binding implements hook.Binding.
func (UsersDeleted) Binding() {}

// Binding implements hook.Binding.
func (UsersErased) Binding() {}

// Binding implements hook.Binding.
func (UserMerged) Binding() {}

// Binding implements hook.Binding.
func (Action) Binding() {}

// Binding implements hook.Binding.
func (SettingsChanged) Binding() {}

package api

import (
	"slices"

	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/params"
)

// Level is how much a caller must be to use a route.
type Level uint8

// The levels. The zero value admits nobody, so a route cannot forget it.
const (
	NoLevel       Level = iota
	PublicLevel         // anyone
	MemberLevel         // any member that is not locked
	FeatureLevel        // a right on a feature of the app
	AppUserLevel        // anyone who may read something of the app
	AppAdminLevel       // administrators of the app
	GlobalLevel         // global administrators
)

// String returns the level's name as describe prints it.
func (l Level) String() string {
	return [...]string{"none", "public", "member", "feature", "app_user", "app_admin", "global_admin"}[l]
}

// AppSource says where a route's app id is found and what its absence means.
type AppSource uint8

// The sources.
const (
	NoApp          AppSource = iota
	AppParam                 // parameter app_id; missing: 400 Missing parameter "app_id"
	AppParamFirst            // as AppParam, and checked before the credentials
	AppParamLegacy           // parameter app_id; missing: 401 No app_id provided
	AppParamPlain            // parameter app_id; missing: 400 No app_id provided
	AppInArgs                // field app_id of the parameter args, else parameter app_id
	AppOptional              // parameter app_id, which global administrators may leave out
)

// String returns how describe prints where the app id is found, "" for none.
func (a AppSource) String() string {
	return [...]string{"", "app_id", "app_id before credentials", "app_id or 401", "app_id or 400", "args.app_id", "app_id optional"}[a]
}

// Access is the required argument of every route: who may call it.
type Access struct {
	Level   Level
	Feature string       // of FeatureLevel
	Action  model.Action // of FeatureLevel
	Or      []string     // further features, the right on any of which admits as well
	App     AppSource
	// Writes marks a route below /o that changes something: like those below
	// /i it needs the CSRF token of a session.
	Writes bool
	// Uploads marks a route that takes files of callers whose credentials stand in the form with them.
	Uploads bool
	// Spool takes the files of forms that are larger than what is held in memory; nil = such forms are refused.
	Spool func(Caller) (Spool, error)
	// Unread leaves the body of requests to the handler: parameters are those of the query.
	Unread bool
	// TokensOfApps admits tokens that are limited to apps though the route is about no single app: what it
	// does and shows ends with the rights of the caller, and those end with the apps.
	TokensOfApps bool
	// Secret marks a route whose answers hold credentials, so that they are never compressed.
	Secret bool
	// Devices marks a route that devices ask, not people: where nodes of a cluster have roles it is for those that take data.
	Devices bool
	// Early checks parameters before the credentials, as the wire has it for some routes; nil = nothing is.
	Early func(*params.Params) error
}

// OrOf admits members with the right on one of further features of the app, too.
func (a Access) OrOf(features ...string) Access {
	a.Or = features
	return a
}

// Writing marks a route below /o as one that changes something.
func (a Access) Writing() Access {
	a.Writes = true
	return a
}

// OfDevices marks a route that devices ask.
func (a Access) OfDevices() Access {
	a.Devices = true
	return a
}

// Uploading returns the access to a route that takes files in a form, where credentials stand beside them: the body is read, and
// charged as those of SDKs are, before it is known who sends it.
func (a Access) Uploading() Access {
	a.Uploads = true
	return a
}

// Spool takes the files of a form as they arrive.
type Spool interface {
	params.Spool
	// Most is how many bytes the body has at most.
	Most() int64
	// Close gives up the files that nobody took.
	Close() error
}

// Spooling returns the access to a route that takes uploads of any size. Those that are larger than a body may be bring their credentials,
// and the app, in the address or in headers: the caller is admitted before the body is read, then spool says where its files go. It sees the
// parameters of the address only. It is called on public routes as well, and decides by itself who may.
func (a Access) Spooling(spool func(Caller) (Spool, error)) Access {
	a.Spool = spool
	return a
}

// ReadingItself returns the access to a raw route whose handler reads the body of the request: it bounds it, and charges what it unpacks. What
// arrives is charged as ever. Parameters are those of the query.
func (a Access) ReadingItself() Access {
	a.Unread = true
	return a
}

// ForTokensOfApps marks a route without an app as one for tokens of apps, too.
func (a Access) ForTokensOfApps() Access {
	a.TokensOfApps = true
	return a
}

// reach is what tokens of apps are checked by.
func (a Access) reach() auth.Reach {
	switch {
	case a.TokensOfApps:
		return auth.ReachToken
	case a.App == NoApp || a.Level == GlobalLevel:
		return auth.ReachServer
	}
	return auth.ReachApp
}

// Confidential marks a route whose answers hold credentials.
func (a Access) Confidential() Access {
	a.Secret = true
	return a
}

// Checking returns the access with a check of parameters that comes before that of credentials.
func (a Access) Checking(fn func(*params.Params) error) Access {
	a.Early = fn
	return a
}

// Public admits anyone. The route protects itself, or has nothing to protect.
func Public() Access { return Access{Level: PublicLevel} }

// Authenticated admits every member that is not locked.
func Authenticated() Access { return Access{Level: MemberLevel} }

// GlobalAdmin admits global administrators.
func GlobalAdmin() Access { return Access{Level: GlobalLevel} }

// AppAdmin admits administrators of the app.
func AppAdmin(src AppSource) Access { return Access{Level: AppAdminLevel, App: src} }

// Feature admits members with a right on a feature of the app.
func Feature(feature string, action model.Action, src AppSource) Access {
	return Access{Level: FeatureLevel, Feature: feature, Action: action, App: src}
}

// Faults of the access check, in the words of the wire.
var (
	errNoRight    = fault.New(fault.Forbidden, "access.no_right", "User does not have right")
	errNoApp      = fault.New(fault.Unauthenticated, "access.no_app_id", "No app_id provided")
	errNoAppPlain = fault.New(fault.Invalid, "access.no_app_id", "No app_id provided")
	errBadApp     = fault.New(fault.Invalid, "access.bad_app_id", `Invalid parameter "app_id"`)
	errTokenApp   = fault.New(fault.Invalid, "auth.token_invalid", "Token not valid")
	errUnknownApp = fault.New(fault.Unauthenticated, "access.unknown_app", "App does not exist")
)

// MissingParam is the fault of a parameter that was not sent.
func MissingParam(name string) error {
	return fault.Newf(fault.Invalid, "request.missing_parameter", "Missing parameter %q", name)
}

func (s *Server) appOf(c *Call, src AppSource) (*model.App, error) {
	text := c.Params.Text("app_id")
	if src == AppInArgs {
		var args struct {
			AppID string `json:"app_id"`
		}
		if c.Params.Decode("args", &args) == nil && args.AppID != "" {
			text = args.AppID
		}
	}
	if text == "" {
		switch src {
		case AppParam, AppParamFirst:
			return nil, MissingParam("app_id")
		case AppOptional:
			if c.Member.GlobalAdmin {
				return nil, nil // no app was asked for, and none is needed
			}
			return nil, errNoApp
		case AppInArgs:
			if c.Member.GlobalAdmin {
				return nil, nil // the route answers for its missing args
			}
			return nil, errNoRight
		case AppParamPlain:
			return nil, errNoAppPlain
		case NoApp, AppParamLegacy:
		}
		return nil, errNoApp
	}
	id, err := model.ParseID(text)
	if err != nil {
		return nil, errBadApp
	}
	app := s.opts.Apps.ByID(id)
	if app == nil && src == AppInArgs {
		if c.Member.GlobalAdmin {
			return nil, nil // the route answers for an unknown app
		}
		return nil, errNoRight
	}
	if app == nil {
		return nil, errUnknownApp
	}
	return app, nil
}

// admit runs the checks of a route in the wire's order and fills c.Member and c.App.
func (s *Server) admit(c *Call, a Access) error {
	if a.Level == PublicLevel {
		return nil
	}
	if a.App == AppParamFirst && !c.Params.Has("app_id") {
		return MissingParam("app_id")
	}
	if a.Early != nil {
		if err := a.Early(c.Params); err != nil {
			return err
		}
	}
	id, err := s.authenticate(c, a)
	if err != nil {
		return err
	}
	c.Member, c.Identity = id.Member, id
	if c.request != nil {
		c.request = c.request.WithContext(auth.AskedBy(c.request.Context(), id.Member))
	}
	if a.App != NoApp {
		if c.App, err = s.appOf(c, a.App); err != nil {
			return err
		}
		// A route may find its app elsewhere than the token's scope looked.
		if c.App != nil && !id.AllowsApp(c.App.ID) {
			return errTokenApp
		}
	}
	if !s.permitted(c, a) {
		return errNoRight
	}
	return nil
}

// Readmit checks once more that the caller may use the route: by the rights, the
// session or token, and the app as they are now. Member, Identity and App become the
// present ones. It is for streams, which outlive the check in front of them; it is no activity of
// the member. The faults are those of admission.
func (c *Call) Readmit() error {
	if c.server == nil {
		return errNotInner
	}
	next := *c
	if err := c.server.admit(&next, c.route.Access); err != nil {
		return err
	}
	c.Member, c.Identity, c.App, c.request = next.Member, next.Identity, next.App, next.request
	return nil
}

func (s *Server) permitted(c *Call, a Access) bool {
	m := c.Member
	if m.GlobalAdmin {
		return true
	}
	if c.App == nil {
		return a.Level == MemberLevel
	}
	switch a.Level {
	case MemberLevel:
		return true
	case AppUserLevel:
		return auth.IsAppUser(m, c.App.ID) || auth.IsAppAdmin(m, c.App.ID)
	case AppAdminLevel:
		return auth.IsAppAdmin(m, c.App.ID)
	case FeatureLevel:
		can := func(feature string) bool { return auth.Can(m, c.App.ID, feature, a.Action) }
		return can(a.Feature) || slices.ContainsFunc(a.Or, can)
	case NoLevel, PublicLevel, GlobalLevel:
	}
	return false
}

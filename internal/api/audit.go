package api

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"

	"quipu/internal/hook"
	"quipu/internal/topic"
)

// audit is what a handler says of the change it made.
type audit struct {
	action        string
	before, after any
	data          map[string]any
	silent        bool
}

// Audit describes the change that a write makes, for the audit log: what stood
// before and what stands after, either of which may be nil, and further data. An empty action is
// named after the path. Without a call to Audit the log has the action and the parameters.
// Values must hold no secrets.
func (c *Call) Audit(action string, before, after any, data map[string]any) {
	c.audit = audit{action: action, before: before, after: after, data: data}
}

// NoAudit keeps a write out of the audit log, which is for those that write to the log themselves
// or change nothing that anyone shares.
func (c *Call) NoAudit() { c.audit.silent = true }

// secrets are parameters, and fields of args, whose values are never logged.
func secret(name string) bool {
	switch strings.ToLower(name) {
	case "api_key", "auth_token", "password", "password_hash", "old_pwd", "new_pwd", "token", "tokenid", "salt", "checksum_salt", "key", "secret", "cookie", "authorization", "csrf_token":
		return true
	}
	return false
}

// record emits topic.Action for a write that succeeded. The change has been made: a
// subscriber that fails is logged, and does not fail the request.
func (s *Server) record(ctx context.Context, c *Call) {
	if c.route == nil || c.Member == nil || !c.route.Writes() {
		return
	}
	c.Params.Watch(nil) // the log has all that was sent
	if s.opts.Wrote != nil {
		s.opts.Wrote(c.route.Name(), Audited{Change: c.audit.before != nil || c.audit.after != nil, Silent: c.audit.silent})
	}
	if c.audit.silent {
		return
	}
	ev := topic.Action{
		At: c.Now, Name: c.audit.action, Member: c.Member.ID, Username: c.Member.Username, IP: c.IP.String(), Path: c.Path,
		Before: c.audit.before, After: c.audit.after, Data: c.audit.data,
	}
	if !c.IP.IsValid() {
		ev.IP = ""
	}
	if c.App != nil {
		ev.App = c.App.ID
	}
	if ev.Name == "" {
		ev.Name = actionOf(c.Path)
		if c.route.Method != "" && c.route.Path != "/o" {
			ev.Name = actionOf(PathOf(c.route))
		}
	}
	if ev.Data == nil && ev.Before == nil && ev.After == nil {
		ev.Data = c.loggable()
	}
	if err := hook.Emit(ctx, s.opts.Bus, ev); err != nil {
		s.opts.Log.ErrorContext(ctx, "action not recorded", slog.String("path", c.Path), slog.Any("error", err))
	}
}

// actionOf names what a write to a path does, where its handler does not.
func actionOf(path string) string {
	return strings.ReplaceAll(strings.Trim(strings.TrimPrefix(strings.TrimPrefix(path, "/i/"), "/o/"), "/"), "/", "_")
}

// Writes reports whether an action is named after a route that changes something. It is for requests: the routes are
// not complete while modules are set up.
func (g *Registrar) Writes(action string) bool {
	for _, r := range g.routes.All() {
		if r.Writes() && (actionOf(r.Path) == action || actionOf(PathOf(r)) == action) {
			return true
		}
	}
	return false
}

// loggable returns the parameters without credentials and other secrets.
func (c *Call) loggable() map[string]any {
	out := map[string]any{}
	for _, name := range c.Params.Names() {
		if secret(name) {
			continue
		}
		v, _ := c.Params.Get(name)
		var decoded any
		if json.Unmarshal(v.Raw(), &decoded) != nil {
			decoded = clip(v.String())
		}
		out[name] = withoutSecrets(decoded)
	}
	return out
}

// Redact replaces, in place, the values of fields that hold credentials and other secrets, at any depth.
func Redact(m map[string]any) { withoutSecrets(m) }

func withoutSecrets(v any) any {
	switch x := v.(type) {
	case map[string]any:
		for name := range x {
			if secret(name) {
				x[name] = "***"
			} else {
				x[name] = withoutSecrets(x[name])
			}
		}
	case []any:
		for i := range x {
			x[i] = withoutSecrets(x[i])
		}
	}
	return v
}

// Name is the path, with the method behind a question mark if the route has one.
func (r *Route) Name() string {
	if r.Method != "" {
		return r.Path + "?method=" + r.Method
	}
	return r.Path
}

// Writes reports whether a route changes something: those below /i, and those marked so.
func (r *Route) Writes() bool { return r.Access.Writes || strings.HasPrefix(r.Path, "/i/") }

package api

import (
	"context"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

type runner func(w http.ResponseWriter, c *Call, s *Server) error

// Validator is a request type that checks itself. Validate reports all bad
// fields at once where the wire's texts allow it.
type Validator interface{ Validate() error }

// Handle declares an endpoint under any verb. Req is a struct whose fields carry a
// param tag (bind.go); what h returns is rendered as it is: use Result for the
// wrapped form.
func Handle[Req, Res any](g *Registrar, path string, a Access, h func(context.Context, Caller, Req) (Res, error)) {
	route := &Route{Path: path, Access: a, List: isList[Req](), Req: reflect.TypeFor[Req](), Res: reflect.TypeFor[Res](), run: typed(h)}
	longly[Req](g, route)
	g.add(route)
}

// HandleMethod declares a value of /o?method=. The app id is checked before the credentials, unless the access is one for tokens of apps
// without an app: then the route finds its apps itself.
func HandleMethod[Req, Res any](g *Registrar, method string, a Access, h func(context.Context, Caller, Req) (Res, error)) {
	if a.App == NoApp && !a.TokensOfApps {
		a.App = AppParamFirst
	}
	route := &Route{Path: "/o", Method: method, Access: a, List: isList[Req](), Req: reflect.TypeFor[Req](), Res: reflect.TypeFor[Res](), run: typed(h)}
	longly[Req](g, route)
	g.add(route)
}

// HandleMethodAt declares a value of ?method= of a path other than /o. Each value has an access of its own.
func HandleMethodAt[Req, Res any](g *Registrar, path, method string, a Access, h func(context.Context, Caller, Req) (Res, error)) {
	route := &Route{Path: path, Method: method, Access: a, List: isList[Req](), Req: reflect.TypeFor[Req](), Res: reflect.TypeFor[Res](), run: typed(h)}
	longly[Req](g, route)
	g.add(route)
}

// HandleUnknown declares the answer for unknown paths below prefix. Call.Unknown has the fault of
// an unknown path.
func HandleUnknown[Req, Res any](g *Registrar, prefix string, h func(context.Context, Caller, Req) (Res, error)) {
	r := g.routes
	r.unclear = append(r.unclear, &Route{Owner: g.owner, Path: prefix, Access: Public(), run: typed(h)})
	slices.SortFunc(r.unclear, func(a, b *Route) int { return len(b.Path) - len(a.Path) })
}

// Unknown returns the fault of a path that is not known.
func (c *Call) Unknown() error {
	if c.server == nil {
		return errNotInner
	}
	return c.server.routes.unknown(c.Path)
}

// HandleRaw declares an endpoint without parameters that writes its answer itself, and says why. A path such as "/o?method=x" is a
// value of /o?method=. An error returned before anything was written is rendered as usual.
func HandleRaw(g *Registrar, path string, a Access, why string, h func(http.ResponseWriter, Caller) error) {
	HandleRawOf(g, path, a, why, func(w http.ResponseWriter, c Caller, _ None) error { return h(w, c) })
}

// HandleRawOf is HandleRaw for an endpoint with the parameters of Req.
func HandleRawOf[Req any](g *Registrar, path string, a Access, why string, h func(http.ResponseWriter, Caller, Req) error) {
	path, method, _ := strings.Cut(path, "?method=")
	bind := binderOf(reflect.TypeFor[Req]())
	g.add(&Route{Path: path, Method: method, Access: a, Raw: why, Req: reflect.TypeFor[Req](), run: func(w http.ResponseWriter, c *Call, s *Server) error {
		var req Req
		if err := c.fit(); err != nil {
			return err
		}
		if err := bind(reflect.ValueOf(&req).Elem(), c); err != nil {
			return err
		}
		if err := c.sensible(&req); err != nil {
			return err
		}
		if err := h(w, c, req); err != nil {
			return err
		}
		s.record(c.lasting(), c)
		return nil
	}})
}

// lasting is the context of the request; of a write, one that does not end when the client goes away: what has begun is done
// as a whole, its subscribers and the audit log included.
func (c *Call) lasting() context.Context {
	ctx := c.request.Context()
	if c.route != nil && c.route.Writes() {
		return context.WithoutCancel(ctx)
	}
	return ctx
}

// isList reports whether a request type embeds List.
func isList[T any]() bool {
	f, ok := reflect.TypeFor[T]().FieldByName("List")
	return ok && f.Anonymous && f.Type == reflect.TypeFor[List]()
}

func typed[Req, Res any](h func(context.Context, Caller, Req) (Res, error)) runner {
	bind, pages := binderOf(reflect.TypeFor[Req]()), isList[Req]()
	run := func(ctx context.Context, c *Call) (res Res, err error) {
		var req Req
		if err := c.fit(); err != nil {
			return res, err
		}
		if err := bind(reflect.ValueOf(&req).Elem(), c); err != nil {
			return res, err
		}
		if err := c.sensible(&req); err != nil {
			return res, err
		}
		if v, ok := any(&req).(Validator); ok {
			if err := v.Validate(); err != nil {
				return res, err
			}
		}
		return h(ctx, c, req)
	}
	return func(w http.ResponseWriter, c *Call, s *Server) error {
		ctx := c.lasting()
		var res any
		var err error
		if pages && c.wantsCursor(*new(Req)) {
			res, err = s.byCursor(c, func() (any, error) { return run(ctx, c) })
		} else {
			res, err = run(ctx, c)
		}
		if err != nil {
			return err
		}
		s.record(ctx, c)
		if f, ok := res.(File); ok {
			return f.write(w, c)
		}
		return s.writeJSON(w, c, http.StatusOK, res)
	}
}

// Result is the wrapped form of an answer.
type Result struct {
	Result any `json:"result"`
}

// File is an answer that is downloaded instead of read as JSON.
type File struct {
	Type    string // as the header Content-Type has it
	Name    string // letters, digits, dots and dashes
	Content []byte
}

func (f File) write(w http.ResponseWriter, c *Call) error {
	if c.again != nil || c.batched {
		return errNotInner
	}
	w.Header().Set("Content-Type", f.Type)
	w.Header().Set("Content-Disposition", "attachment; filename="+f.Name)
	w.Header().Set("Content-Length", strconv.Itoa(len(f.Content)))
	return c.server.send(w, c, http.StatusOK, f.Content)
}

// Success is the answer of a write that has nothing else to say.
func Success() Result { return Result{Result: "Success"} }

// None is the request type of endpoints without parameters.
type None struct{}

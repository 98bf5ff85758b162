package api

import (
	"fmt"
	"reflect"
	"slices"
	"sort"
	"strings"

	"quipu/internal/fault"
)

// Route is one endpoint as it was declared.
type Route struct {
	Owner  string // module
	Path   string // "/o/apps/all", "/o/app_users/download/{id}"
	Method string // value of method= for the routes of /o, and of other paths that have several
	Access Access
	// Raw says why a route writes its answer itself; "" for typed ones.
	Raw string
	// Long says that a slow read goes on as a task.
	Long bool
	// List says that the answer is a list, which pages, sorts and searches by the parameters of List.
	List bool
	// Req and Res are the types of request and answer: of a raw route, Req is None unless it says what it reads, and Res is nil.
	Req, Res reflect.Type

	methods bool // the dispatcher of /o?method=
	run     runner
	forms   []namedForm // of parameters that are more than texts
}

// Routes collects the endpoints while the server is wired.
type Routes struct {
	exact    map[string]*Route
	patterns []*Route
	unclear  []*Route // what answers unknown paths below Path, longest first
	methods  map[string]*Route
	at       map[string]map[string]*Route // routes by path and value of ?method=, of paths other than /o
	families []family
	server   *Server // that answers them; nil while it is wired
	enabled  func(owner string) bool
	long     *longReads // nil: slow reads do not become tasks
}

type family struct{ prefix, message string }

// NewRoutes returns a collection without routes.
func NewRoutes() *Routes {
	r := &Routes{exact: map[string]*Route{}, methods: map[string]*Route{}, at: map[string]map[string]*Route{}}
	r.exact["/o"] = &Route{Path: "/o", methods: true}
	return r
}

// Switch lets modules be switched off: while enabled is false for the owner of a
// route, the route is as if it was not there. Without a call every module is on.
func (r *Routes) Switch(enabled func(owner string) bool) { r.enabled = enabled }

func (r *Routes) on(route *Route) bool { return r.enabled == nil || r.enabled(route.Owner) }

// method returns the route of a value of /o?method=, or nil.
func (r *Routes) method(name string) *Route {
	if route := r.methods[name]; route != nil && r.on(route) {
		return route
	}
	return nil
}

// For returns a view that declares routes in the name of a module.
func (r *Routes) For(owner string) *Registrar { return &Registrar{routes: r, owner: owner} }

// Registrar declares the routes of one module.
type Registrar struct {
	routes *Routes
	owner  string
	long   *Long // of the reads that it declares; nil for none
}

// Family sets the text of the answer to an unknown path below prefix.
func (g *Registrar) Family(prefix, message string) {
	g.routes.families = append(g.routes.families, family{prefix, message})
	sort.Slice(g.routes.families, func(i, j int) bool {
		return len(g.routes.families[i].prefix) > len(g.routes.families[j].prefix)
	})
}

func (g *Registrar) add(route *Route) {
	r := g.routes
	route.Owner = g.owner
	if route.Long && (route.Writes() || route.Raw != "" || route.Access.App == NoApp || strings.Contains(route.Path, "{")) {
		panic(fmt.Sprintf("api: route %s%s of %s cannot go on as a task", route.Path, route.Method, g.owner))
	}
	if route.Access.Level == NoLevel {
		panic(fmt.Sprintf("api: route %s%s of %s declares no access", route.Path, route.Method, g.owner))
	}
	switch {
	case route.Method != "" && route.Path != "/o":
		r.addAt(route)
	case route.Method != "":
		if r.methods[route.Method] != nil {
			panic(fmt.Sprintf("api: method %s is declared twice", route.Method))
		}
		r.methods[route.Method] = route
	case strings.Contains(route.Path, "{"):
		if slices.ContainsFunc(r.patterns, func(o *Route) bool { return o.Path == route.Path }) {
			panic(fmt.Sprintf("api: route %s is declared twice", route.Path))
		}
		r.patterns = append(r.patterns, route)
	default:
		if r.exact[route.Path] != nil {
			panic(fmt.Sprintf("api: route %s is declared twice", route.Path))
		}
		r.exact[route.Path] = route
	}
}

// addAt adds a value of ?method= of a path other than /o.
func (r *Routes) addAt(route *Route) {
	if r.at[route.Path] == nil {
		if r.exact[route.Path] != nil {
			panic(fmt.Sprintf("api: route %s is declared twice", route.Path))
		}
		r.at[route.Path] = map[string]*Route{}
		r.exact[route.Path] = &Route{Owner: route.Owner, Path: route.Path, methods: true}
	}
	if r.at[route.Path][route.Method] != nil {
		panic(fmt.Sprintf("api: method %s of %s is declared twice", route.Method, route.Path))
	}
	r.at[route.Path][route.Method] = route
}

// PathOf is a path that no other route has: that of the route itself, or, for a value of ?method=, the one of its own.
func PathOf(r *Route) string {
	switch {
	case r.Method == "":
		return r.Path
	case r.Path == "/o":
		return methodPath + r.Method
	}
	return r.Path + "/" + r.Method
}

// find returns the route of a path and its {name} elements.
func (r *Routes) find(path string) (*Route, map[string]string, bool) {
	if route := r.exact[path]; route != nil {
		return route, nil, r.on(route)
	}
	for _, route := range r.patterns {
		if values, ok := match(route.Path, path); ok && r.on(route) {
			return route, values, true
		}
	}
	for _, route := range r.unclear {
		if strings.HasPrefix(path, route.Path+"/") && r.on(route) {
			return route, nil, true
		}
	}
	return nil, nil, false
}

func match(pattern, path string) (map[string]string, bool) {
	want, have := strings.Split(pattern, "/"), strings.Split(path, "/")
	if len(want) != len(have) {
		return nil, false
	}
	values := map[string]string{}
	for i, w := range want {
		if strings.HasPrefix(w, "{") {
			values[w[1:len(w)-1]] = have[i]
		} else if w != have[i] {
			return nil, false
		}
	}
	return values, true
}

func (r *Routes) unknown(path string) error {
	for _, f := range r.families {
		if path == f.prefix || strings.HasPrefix(path, f.prefix+"/") {
			return fault.New(fault.Invalid, "request.invalid_path", f.message)
		}
	}
	return fault.New(fault.Invalid, "request.invalid_path", "Invalid path")
}

// All lists every route, ordered by path and method.
func (r *Routes) All() []*Route {
	var out []*Route
	for _, route := range r.exact {
		if !route.methods {
			out = append(out, route)
		}
	}
	out = append(out, r.patterns...)
	for _, route := range r.methods {
		out = append(out, route)
	}
	for _, list := range r.at {
		for _, route := range list {
			out = append(out, route)
		}
	}
	slices.SortFunc(out, func(a, b *Route) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return strings.Compare(a.Method, b.Method)
	})
	return out
}

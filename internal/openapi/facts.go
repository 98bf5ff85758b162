package openapi

import (
	"embed"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/api"
)

//go:embed facts
var files embed.FS

// facts are what the types of routes cannot say.
type facts struct {
	routes     map[string]routeFact     // by name
	parameters map[string]parameterFact // by name, or by the names of route and parameter with a blank between
	tags       [][]string
	examples   map[string]example  // by name of the route
	sent       [][]string          // what clients send, as parameters.tsv has it
	faults     map[string][]string // codes by what stands before their dot
	objects    map[string][]field  // of JSON, by the names of route and parameter with a blank between; with [] behind it for elements of a list
	advice     object              // cause and cure of each code
}

// field is one of an object in a parameter. The name * stands for any.
type field struct {
	name, kind, text string
	required         bool
}

type routeFact struct {
	summary  string
	required []string // parameters
	media    []string // types of answers that are not JSON
	kinds    []string // of JSON that an answer can be at its root, where its type does not say
	files    string   // field of a form that has files
}

type parameterFact struct {
	kind, usual, text string
}

// example is a request that succeeded, of the recorded conversations.
type example struct {
	Parameters map[string]string `json:"parameters,omitempty"`
	Kinds      []string          `json:"kinds,omitempty"` // of all answers
	Answer     json.RawMessage   `json:"answer,omitempty"`
}

func (e example) parameter(name, usual string) string {
	if v := e.Parameters[name]; v != "" {
		return v
	}
	return usual
}

// of returns the example of a parameter, if it has one of its schema.
func (e example) of(schema object, name string) (any, bool) {
	text, ok := e.Parameters[name]
	if !ok {
		return nil, false
	}
	v := exampleOf(schema, text)
	switch schema["type"] {
	case "object":
		_, ok = v.(object)
	case "array":
		_, ok = v.([]any)
	case "integer":
		_, ok = v.(int64)
	case "number":
		_, ok = v.(float64)
	}
	return v, ok
}

// parameter returns what is known of a parameter of a route.
func (f *facts) parameter(route, name string) parameterFact {
	if p, ok := f.parameters[route+" "+name]; ok {
		return p
	}
	return f.parameters[name]
}

// Forms returns what the parameters of routes have to be: the same that their description says.
func Forms() (func(*api.Route, api.Parameter) api.Form, error) {
	f := &facts{}
	if err := f.loadParameters(); err != nil {
		return nil, err
	}
	return func(r *api.Route, p api.Parameter) api.Form { return f.parameter(r.Name(), p.Name).form(p.Type) }, nil
}

// form is what a parameter of a type has to be. Numbers of Go types are the binder's.
func (p parameterFact) form(t reflect.Type) api.Form {
	switch t.Kind() { //nolint:exhaustive // others say by their kind what they are
	case reflect.Bool:
		return api.Form{Kind: api.FormFlag}
	case reflect.Int, reflect.Int64, reflect.Float64:
		if r, ok := p.bounds(); ok {
			return api.Form{Kind: api.FormInt, Range: &r}
		}
		return api.Form{}
	}
	kind, values, _ := strings.Cut(p.kind, ":")
	switch kind {
	case "flag":
		return api.Form{Kind: api.FormFlag}
	case "int":
		if r, ok := p.bounds(); ok {
			return api.Form{Kind: api.FormInt, Range: &r}
		}
		return api.Form{Kind: api.FormInt}
	case "enum":
		return api.Form{Kind: api.FormEnum, Enum: strings.Split(values, ",")}
	case "object":
		return api.Form{Kind: api.FormObject}
	case "array":
		return api.Form{Kind: api.FormArray}
	case "period":
		return api.Form{Kind: api.FormPeriod}
	}
	return api.Form{}
}

// bounds is the range of a whole number, of a kind as int:1..1000.
func (p parameterFact) bounds() (r api.Range, ok bool) {
	_, err := fmt.Sscanf(p.kind, "int:%d..%d", &r.Least, &r.Most)
	return r, err == nil
}

// faultsOf lists the codes of faults that a route of a module can answer with, beside those of every request: the module's own, and those of access.
func (f *facts) faultsOf(r *api.Route) []string {
	var out []string
	if r.Access.Level != api.PublicLevel {
		out = append(out, "access.no_right", "auth.credentials_missing", "auth.locked", "auth.token_invalid", "auth.unknown_user")
	}
	if r.Access.App != api.NoApp {
		out = append(out, "access.bad_app_id", "access.no_app_id", "access.unknown_app")
	}
	for area, codes := range f.faults {
		owner := strings.ReplaceAll(area, "_", "")
		switch area {
		case "data_subjects":
			owner = "appusers"
		case "feedback":
			owner = "sdk"
		case "inspector", "profiler":
			owner = "systemutility"
		}
		if owner == r.Owner {
			out = append(out, codes...)
		}
	}
	slices.Sort(out)
	return out
}

func loadFacts() (*facts, error) {
	f := &facts{routes: map[string]routeFact{}}
	rows, err := table("routes.tsv", 5)
	if err != nil {
		return nil, err
	}
	for _, row := range rows {
		fact := routeFact{summary: row[1], files: row[4]}
		for answer := range strings.SplitSeq(row[3], ",") {
			switch {
			case strings.Contains(answer, "/"):
				fact.media = append(fact.media, answer)
			case answer != "":
				fact.kinds = append(fact.kinds, answer)
			}
		}
		if row[2] != "" {
			fact.required = strings.Split(row[2], ",")
		}
		f.routes[row[0]] = fact
	}
	if err := f.loadParameters(); err != nil {
		return nil, err
	}
	if f.tags, err = table("tags.tsv", 2); err != nil {
		return nil, err
	}
	if f.sent, err = table("ingestion.tsv", 4); err != nil {
		return nil, err
	}
	if rows, err = table("faults.tsv", 4); err != nil {
		return nil, err
	}
	f.faults, f.advice = map[string][]string{}, object{}
	for _, row := range rows {
		f.advice[row[0]] = object{"cause": row[2], "cure": row[3]}
		area, _, _ := strings.Cut(row[0], ".")
		f.faults[area] = append(f.faults[area], row[0])
	}
	if rows, err = table("objects.tsv", 5); err != nil {
		return nil, err
	}
	f.objects = map[string][]field{}
	for _, row := range rows {
		for place := range strings.SplitSeq(row[0], ";") {
			f.objects[place] = append(f.objects[place], field{name: row[1], kind: row[2], text: row[4], required: row[3] != ""})
		}
	}
	b, err := files.ReadFile("facts/examples.json")
	if err != nil {
		return nil, fmt.Errorf("facts: %w", err)
	}
	if err := json.Unmarshal(b, &f.examples); err != nil {
		return nil, fmt.Errorf("facts: examples.json: %w", err)
	}
	return f, nil
}

func (f *facts) loadParameters() error {
	rows, err := table("parameters.tsv", 4)
	if err != nil {
		return err
	}
	f.parameters = map[string]parameterFact{}
	for _, row := range rows {
		f.parameters[row[0]] = parameterFact{kind: row[1], usual: row[2], text: row[3]}
	}
	return nil
}

// table reads a file of rows with tabs between fields, below one line of titles.
func table(name string, fields int) ([][]string, error) {
	b, err := files.ReadFile("facts/" + name)
	if err != nil {
		return nil, fmt.Errorf("facts: %w", err)
	}
	var rows [][]string
	for i, line := range strings.Split(strings.TrimSuffix(string(b), "\n"), "\n") {
		row := strings.Split(line, "\t")
		if len(row) != fields {
			return nil, fmt.Errorf("facts: %s:%d has %d fields, want %d", name, i+1, len(row), fields)
		}
		if i > 0 {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// exampleOf turns the text of a parameter into a value of its schema.
func exampleOf(schema object, text string) any {
	switch schema["type"] {
	case "boolean":
		return text != "" && text != "0" && text != "false"
	case "integer":
		if n, err := strconv.ParseInt(text, 10, 64); err == nil {
			return n
		}
	case "number":
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			return n
		}
	case "string":
	default: // JSON
		var v any
		if json.Unmarshal([]byte(text), &v) == nil {
			return v
		}
	}
	return text
}

// Gaps returns what the facts lack about routes, and what they have of routes and parameters that are not there, each as a sentence.
func Gaps(routes []Named) ([]string, error) {
	f, err := loadFacts()
	if err != nil {
		return nil, err
	}
	var out []string
	known, used := map[string]bool{}, map[string]bool{}
	for _, r := range routes {
		known[r.Route] = true
		if f.routes[r.Route].summary == "" {
			out = append(out, fmt.Sprintf("internal/openapi/facts/routes.tsv says nothing about %s", r.Route))
		}
		if !f.hasTag(r.Owner) {
			out = append(out, fmt.Sprintf("internal/openapi/facts/tags.tsv says nothing about %s", r.Owner))
		}
		for _, name := range r.Parameters {
			used[name], used[r.Route+" "+name] = true, true
			out = append(out, f.objectGaps(r.Route, name)...)
			if f.parameter(r.Route, name).text == "" {
				out = append(out, fmt.Sprintf("internal/openapi/facts/parameters.tsv says nothing about %s of %s", name, r.Route))
			}
		}
		for _, name := range f.routes[r.Route].required {
			if !used[r.Route+" "+name] {
				out = append(out, fmt.Sprintf("internal/openapi/facts/routes.tsv requires %s of %s, which has no such parameter", name, r.Route))
			}
		}
	}
	for place := range f.objects {
		if at := strings.TrimSuffix(place, "[]"); !used[at] && !strings.HasPrefix(at, clientRoute) {
			out = append(out, fmt.Sprintf("internal/openapi/facts/objects.tsv has %s, which is no parameter", place))
		}
	}
	for name := range f.routes {
		if !known[name] {
			out = append(out, fmt.Sprintf("internal/openapi/facts/routes.tsv has %s, which is no route", name))
		}
	}
	for name := range f.parameters {
		if !used[name] {
			out = append(out, fmt.Sprintf("internal/openapi/facts/parameters.tsv has %s, which no route has", name))
		}
	}
	return out, nil
}

// Named is what Gaps knows of a route.
type Named struct {
	Route, Owner string
	Parameters   []string
}

func (f *facts) hasTag(name string) bool {
	for _, tag := range f.tags {
		if tag[0] == name {
			return true
		}
	}
	return false
}

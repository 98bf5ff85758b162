// Package openapi describes the HTTP API as an OpenAPI document, made of the routes as they are declared: parameters and answers are
// those of the Go types that requests are bound to and answers are rendered from. What types cannot say (a sentence about each route
// and parameter, examples) stands in the tables of facts/, and tests of package wiretest keep those complete.
package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"quipu/internal/api"
	"quipu/internal/model"
	"quipu/internal/params"
)

// object is a JSON object of the document.
type object = map[string]any

// Document returns the description of routes as JSON. version is the program's.
func Document(version string, routes []*api.Route) ([]byte, error) {
	f, err := loadFacts()
	if err != nil {
		return nil, err
	}
	d := &describer{facts: f, schemas: object{}, named: map[string]reflect.Type{}, paths: object{}}
	for _, r := range routes {
		d.route(r)
	}
	d.ingestion()
	maps.Copy(d.schemas, object{
		"Fault": object{
			"type": "object", "required": []string{"result"},
			"description": "A fault, as the protocol has it. Its code stands in the header `Quipu-Error`.",
			"properties": object{
				"result": object{"description": "What is wrong, in words; texts may change, codes do not."},
				"params": numbers(),
			},
		},
		"Problem": object{
			"type": "object", "required": []string{"type", "title", "status"},
			"description": "A fault in the form of RFC 9457, for requests that accept `application/problem+json`.",
			"properties": object{
				"type": object{"type": "string"}, "title": object{"type": "string"}, "status": object{"type": "integer"}, "detail": object{"type": "string"},
				"code":     object{"type": "string", "description": "As in the header `Quipu-Error`."},
				"fields":   object{"type": "object", "additionalProperties": object{"type": "string"}, "description": "What is wrong with parameters, by name."},
				"params":   numbers(),
				"incident": object{"type": "string", "description": "Number of an unexpected fault in the log of the server."},
			},
		},
		"Result": object{
			"type": "object", "required": []string{"result"}, "properties": object{"result": object{"description": "The answer, or `Success`."}},
		},
		"Pending": object{
			"type": "object", "required": []string{"task_id"}, "description": "A read that takes longer than callers wait goes on as a task.",
			"properties": object{"task_id": object{"type": "string", "description": "To be read with `/o/tasks/task`."}},
		},
	})
	doc := object{
		"openapi": "3.1.1",
		"info": object{
			"title": "Quipu", "version": version, "description": about,
			"license": object{"name": "Apache License 2.0", "identifier": "Apache-2.0"},
		},
		"servers": []any{object{"url": "/"}},
		"tags":    d.tags(),
		"paths":   d.paths,
		// What codes mean, by code; operations list theirs under the same name.
		"x-quipu-faults": f.advice,
		"components": object{
			"schemas": d.schemas, "securitySchemes": schemes(), "responses": faults(),
			"headers": object{"Quipu-Error": object{"description": "Code of the fault, such as `request.missing_parameter`.", "schema": object{"type": "string"}}},
		},
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(doc); err != nil {
		return nil, fmt.Errorf("render description: %w", err)
	}
	return b.Bytes(), nil
}

const about = "Quipu's HTTP API.\n\n" +
	"Every path answers to every verb. A parameter may stand in the query string, in a form (`application/x-www-form-urlencoded` or " +
	"`multipart/form-data`) or in a JSON object as the body; a body wins over the query string. This description shows reads as GET with a query " +
	"string, and writes as POST with a body. Values of `/o?method=` have paths of their own below `/o/method/`, which are the same reads.\n\n" +
	"A parameter that makes no sense is ignored with a warning in the header `Quipu-Warning`; with the header `Prefer: handling=strict` it is refused. " +
	"Texts of answers are HTML-escaped unless the request has `Accept: application/json;escape=none`.\n\n" +
	"Faults have a code in the header `Quipu-Error`; decide by the code, never by the text."

func schemes() object {
	return object{
		"api_key":       object{"type": "apiKey", "in": "query", "name": "api_key", "description": "Key of a member. It may stand in the body, too."},
		"auth_token":    object{"type": "apiKey", "in": "query", "name": "auth_token", "description": "A token of `/i/token/create`. It may stand in the body, too."},
		"bearer":        object{"type": "http", "scheme": "bearer", "description": "Key of a member or a token, in the header `Authorization`."},
		"countly_token": object{"type": "apiKey", "in": "header", "name": "countly-token", "description": "A token of `/i/token/create`."},
		"basic":         object{"type": "http", "scheme": "basic", "description": "Name and password of a member."},
	}
}

// codeHeader is the header of answers with faults.
var codeHeader = object{"Quipu-Error": object{"$ref": "#/components/headers/Quipu-Error"}}

func faults() object {
	out := object{}
	for name, text := range map[string]string{
		"BadRequest": "A parameter is missing or makes no sense, or what is wanted is not there.", "Unauthorized": "The caller is unknown, or has no right.",
		"Fault": "Any other fault.",
	} {
		out[name] = object{
			"description": text, "headers": codeHeader,
			"content": object{
				"application/json": object{"schema": object{"$ref": "#/components/schemas/Fault"}},
				api.ProblemType:    object{"schema": object{"$ref": "#/components/schemas/Problem"}},
			},
		}
	}
	return out
}

// numbers are the params of a fault.
func numbers() object {
	return object{"type": "object", "additionalProperties": object{"type": "integer"}, "description": "Numbers that the text names, such as `line` and `character` of a statement; mostly absent."}
}

func fault(name string) object { return object{"$ref": "#/components/responses/" + name} }

// describer collects the parts of a document.
type describer struct {
	facts   *facts
	schemas object
	named   map[string]reflect.Type // that have a schema of a name
	paths   object
	used    []string // tags
}

func (d *describer) tags() []any {
	var out []any
	for _, tag := range d.facts.tags {
		if slices.Contains(d.used, tag[0]) {
			out = append(out, object{"name": tag[0], "description": tag[1]})
		}
	}
	return out
}

func (d *describer) tag(name string) []string {
	if !slices.Contains(d.used, name) {
		d.used = append(d.used, name)
	}
	return []string{name}
}

// route adds the operation of a route.
func (d *describer) route(r *api.Route) {
	fact, ex := d.facts.routes[r.Name()], d.facts.examples[r.Name()]
	verb := http.MethodGet
	if r.Writes() {
		verb = http.MethodPost
	}
	op := object{
		"operationId": operationID(verb, r), "summary": fact.summary, "tags": d.tag(r.Owner), "description": d.description(r, fact),
		"responses": d.responses(r, fact, ex), "x-quipu-access": access(r.Access),
	}
	if codes := d.facts.faultsOf(r); len(codes) > 0 {
		op["x-quipu-faults"] = codes
	}
	op["security"] = []any{}
	if r.Access.Level != api.PublicLevel {
		op["security"] = []any{object{"api_key": []string{}}, object{"auth_token": []string{}}, object{"countly_token": []string{}}, object{"bearer": []string{}}}
	}
	list := r.Parameters()
	if r.Access.App != api.NoApp && !slices.ContainsFunc(list, func(p api.Parameter) bool { return p.Name == "app_id" }) {
		list = append([]api.Parameter{{Name: "app_id", Type: reflect.TypeFor[string]()}}, list...)
	}
	if r.Long {
		for _, name := range []string{"report_name", "report_desc", "period_desc"} {
			list = append(list, api.Parameter{Name: name, Type: reflect.TypeFor[string]()})
		}
	}
	for _, m := range pathElement.FindAllStringSubmatch(r.Path, -1) { // of those that read it by hand
		if !slices.ContainsFunc(list, func(p api.Parameter) bool { return p.Name == m[1] }) {
			list = append(list, api.Parameter{Name: m[1], Path: true, Type: reflect.TypeFor[string]()})
		}
	}
	properties, encoding, required := object{}, object{}, fact.required
	if needsApp(r.Access.App) {
		required = append(slices.Clone(required), "app_id")
	}
	var parameters []any
	for _, p := range list {
		about := d.facts.parameter(r.Name(), p.Name)
		schema, structured := about.schema(p.Type)
		schema = d.facts.shaped(r.Name()+" "+p.Name, schema)
		switch {
		case p.Path && !strings.Contains(r.Path, "{"+p.Name+"}"): // of another route with the same request
		case p.Path:
			parameters = append(parameters, object{
				"name": p.Name, "in": "path", "required": true, "description": about.text, "schema": object{"type": "string"},
				"example": ex.parameter(p.Name, "example"),
			})
		case r.Writes():
			properties[p.Name] = described(schema, about.text, ex, p.Name)
			if structured {
				encoding[p.Name] = object{"contentType": "application/json"}
			}
		default:
			q := object{"name": p.Name, "in": "query", "description": about.text}
			if slices.Contains(required, p.Name) {
				q["required"] = true
			}
			if example, ok := ex.of(schema, p.Name); ok {
				q["example"] = example
			}
			if structured {
				media := object{"schema": schema}
				if example, ok := q["example"]; ok {
					media["example"] = example
					delete(q, "example")
				}
				q["content"] = object{"application/json": media}
			} else {
				q["schema"] = schema
			}
			parameters = append(parameters, q)
		}
	}
	if len(parameters) > 0 {
		op["parameters"] = parameters
	}
	if r.Writes() && (len(properties) > 0 || fact.files != "") {
		op["requestBody"] = d.body(operationID(verb, r)+"Body", properties, encoding, required, fact.files)
	}
	d.add(api.PathOf(r), verb, op)
}

func (d *describer) add(path, verb string, op object) {
	item, ok := d.paths[path].(object)
	if !ok {
		item = object{}
		d.paths[path] = item
	}
	item[strings.ToLower(verb)] = op
}

// needsApp reports whether a request must name an app.
func needsApp(src api.AppSource) bool {
	switch src {
	case api.AppParam, api.AppParamFirst, api.AppParamLegacy, api.AppParamPlain:
		return true
	case api.NoApp, api.AppInArgs, api.AppOptional:
	}
	return false
}

// body is the body of a write: a form, a JSON object, or a form with files.
func (d *describer) body(name string, properties, encoding object, required []string, files string) object {
	schema := object{"type": "object", "properties": properties, "x-request": true}
	if len(required) > 0 {
		schema["required"] = required
	}
	d.schemas[camel(name)] = schema
	ref := object{"$ref": "#/components/schemas/" + camel(name)}
	form := object{"schema": ref}
	if len(encoding) > 0 {
		form["encoding"] = encoding
	}
	content := object{"application/x-www-form-urlencoded": form, "application/json": object{"schema": ref}}
	if files != "" {
		with := maps.Clone(properties)
		with[files] = object{"type": "string", "format": "binary", "description": "A file."}
		upload := maps.Clone(schema)
		upload["properties"] = with
		form = maps.Clone(form)
		form["schema"] = upload
		content["multipart/form-data"] = form
	}
	return object{"content": content, "required": len(required) > 0}
}

func described(schema object, text string, ex example, name string) object {
	out := maps.Clone(schema)
	if text != "" {
		out["description"] = text
	}
	if v, ok := ex.of(schema, name); ok {
		out["examples"] = []any{v}
	}
	return out
}

// access says who may call a route, for programs.
func access(a api.Access) object {
	out := object{"level": a.Level.String()}
	if a.Feature != "" {
		out["features"] = append([]string{a.Feature}, a.Or...)
		out["action"] = a.Action.String()
	}
	if src := a.App.String(); src != "" {
		out["app"] = src
	}
	return out
}

// description says in words what the types cannot.
func (d *describer) description(r *api.Route, fact routeFact) string {
	lines := []string{permission(r.Access)}
	if r.Method != "" {
		lines = append(lines, "The same as `"+r.Name()+"`.")
	}
	switch r.Access.App {
	case api.AppInArgs:
		lines = append(lines, "The app is the field `app_id` of `args`, or else the parameter `app_id`.")
	case api.AppOptional:
		lines = append(lines, "Global administrators may leave out `app_id`.")
	case api.NoApp, api.AppParam, api.AppParamFirst, api.AppParamLegacy, api.AppParamPlain:
	}
	if r.List {
		lines = append(lines, "The answer is a list, which pages, sorts and searches.")
	}
	if r.Long {
		lines = append(lines, "A read that takes too long goes on as a task.")
	}
	if r.Access.TokensOfApps {
		lines = append(lines, "Tokens that are limited to apps may be used.")
	}
	if fact.files != "" {
		lines = append(lines, "Files stand in a form beside the parameters.")
	}
	return strings.Join(lines, " ")
}

func permission(a api.Access) string {
	switch a.Level {
	case api.PublicLevel:
		return "Needs no credentials of a member."
	case api.MemberLevel:
		return "For every member."
	case api.FeatureLevel:
		return fmt.Sprintf("Needs the right to %s `%s`.", a.Action, strings.Join(append([]string{a.Feature}, a.Or...), "` or `"))
	case api.AppUserLevel:
		return "For members who may read something of the app."
	case api.AppAdminLevel:
		return "For administrators of the app."
	case api.GlobalLevel:
		return "For global administrators."
	case api.NoLevel:
	}
	return ""
}

// responses are the answers of a route.
func (d *describer) responses(r *api.Route, fact routeFact, ex example) object {
	out := object{"400": fault("BadRequest"), "default": fault("Fault")}
	if slices.Contains(fact.media, anyMedia) && r.Access.Level == api.PublicLevel { // another protocol's
		own := object{"description": "A fault, in a form of its own.", "content": object{anyMedia: object{"schema": object{}}}}
		out["400"], out["default"] = own, own
	}
	if slices.Contains(fact.media, "text/html") { // faults are pages, too
		out["default"] = object{"description": "Any other fault.", "content": object{"text/html": object{"schema": object{"type": "string"}}}}
	}
	if r.Access.Level != api.PublicLevel {
		out["401"] = fault("Unauthorized")
	}
	out["200"] = object{"description": "The answer.", "content": d.content(r, fact, ex)}
	return out
}

func (d *describer) content(r *api.Route, fact routeFact, ex example) object {
	out := object{}
	for _, media := range fact.media {
		out[media] = object{"schema": object{"type": "string"}}
		if media == anyMedia {
			out[media] = object{"schema": object{}}
		}
	}
	if len(out) > 0 && len(fact.kinds) == 0 {
		return out
	}
	kinds := slices.DeleteFunc(slices.Clone(fact.kinds), func(kind string) bool { return kind == faultKind })
	if len(kinds) > 0 {
		ex.Kinds = kinds
	}
	var schema object
	switch {
	case r.Res == nil || r.Res == reflect.TypeFor[json.RawMessage]() || r.Res.Kind() == reflect.Interface:
		schema = object{}
		switch {
		case r.List && !r.Long: // a plain list, or a table of one
			schema["type"] = []string{"array", "object"}
		case len(ex.Kinds) > 0 && !r.Long:
			schema["type"] = ex.Kinds
		}
	case r.Res == reflect.TypeFor[api.Result]():
		schema = object{"$ref": "#/components/schemas/Result"}
	default:
		if schema = d.schema(r.Res); schema["type"] == "array" && slices.Contains(fact.kinds, "object") { // a list, or why there is none
			schema = object{"anyOf": []any{schema, object{"$ref": "#/components/schemas/Result"}}}
		}
	}
	if len(kinds) < len(fact.kinds) {
		schema = object{"anyOf": []any{schema, object{"type": "object", "required": []string{"error"}, "properties": object{"error": object{"type": "string", "description": "What is wrong."}}}}}
	}
	if r.Long && len(schema) > 0 {
		schema = object{"anyOf": []any{schema, object{"$ref": "#/components/schemas/Pending"}}}
	}
	media := object{"schema": schema}
	if ex.Answer != nil {
		media["example"] = ex.Answer
	}
	out["application/json"] = media
	return out
}

// faultKind stands among the kinds of answers for faults that the protocol has as {"error": text} with the status 200.
const faultKind = "error"

// anyMedia is the media type of answers whose format the request chooses.
const anyMedia = "*/*"

var pathElement = regexp.MustCompile(`\{(\w+)\}`)

var separators = regexp.MustCompile(`[^A-Za-z0-9]+`)

// operationID makes a name for clients of a path: /o/apps/mine becomes getAppsMine, /o?method=users getMethodUsers.
func operationID(verb string, r *api.Route) string {
	path := strings.TrimPrefix(strings.TrimPrefix(api.PathOf(r), "/i/"), "/o/")
	return strings.ToLower(verb) + camel(path)
}

func camel(text string) string {
	var b strings.Builder
	for _, part := range separators.Split(text, -1) {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

// anyText is the type of parameters that come in every form.
var anyText = reflect.TypeFor[params.Value]()

// schema returns the schema of a parameter, and whether it is JSON.
func (p parameterFact) schema(t reflect.Type) (schema object, structured bool) {
	schema = object{}
	defer func() {
		if p.usual != "" {
			schema["default"] = exampleOf(schema, p.usual)
		}
		if r, ok := p.bounds(); ok {
			schema["minimum"], schema["maximum"] = r.Least, r.Most
		}
	}()
	switch t.Kind() { //nolint:exhaustive // others say by their kind what they are
	case reflect.Bool:
		schema["type"] = "boolean"
		return schema, false
	case reflect.Int, reflect.Int64:
		schema["type"] = "integer"
		return schema, false
	case reflect.Float64:
		schema["type"] = "number"
		return schema, false
	}
	kind, values, _ := strings.Cut(p.kind, ":")
	switch kind {
	case "id":
		schema["type"] = "string"
	case "flag":
		schema["type"] = "boolean"
	case "int":
		schema["type"] = "integer"
	case "enum":
		schema["type"], schema["enum"] = "string", strings.Split(values, ",")
	case "object", "object?": // with ?, other forms are taken as well, as the text says
		schema["type"] = "object"
		return schema, true
	case "array", "array?":
		schema["type"], schema["items"] = "array", object{}
		return schema, true
	case "json":
		return schema, true
	default:
		schema["type"] = "string"
	}
	if t == reflect.TypeFor[json.RawMessage]() || t.Kind() == reflect.Struct && t != anyText && t != reflect.TypeFor[model.AppID]() {
		return object{"type": "object"}, true
	}
	return schema, false
}

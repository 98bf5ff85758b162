package openapi

import (
	"fmt"
	"go/format"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// GoClient generates the operations and types of package client: a file for each group of operations with the types that no other
// group has, and types.go with the rest. Keys are the names of the files.
func GoClient(doc []byte) (map[string][]byte, error) {
	d, list, err := read(doc)
	if err != nil {
		return nil, err
	}
	writers := map[string]*goWriter{}
	for group, operations := range grouped(list) {
		g := &goWriter{doc: d, used: map[string]bool{}}
		for _, o := range operations {
			g.operation(o)
		}
		writers[group] = g
	}
	types := &goWriter{doc: d, used: map[string]bool{}}
	own, shared := ownTypes(writers, func(g *goWriter) map[string]bool { return g.used })
	for group, g := range writers {
		for _, name := range own[group] {
			g.component(name)
		}
	}
	for _, name := range shared {
		types.component(name)
	}
	out := map[string][]byte{}
	writers["types"] = types
	for group, g := range writers {
		text := g.b.String()
		var imports []string
		for _, path := range [...]string{"context", "encoding/json"} {
			if strings.Contains(text, path[strings.LastIndex(path, "/")+1:]+".") {
				imports = append(imports, strconv.Quote(path))
			}
		}
		head := "// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.\n\npackage client\n"
		if len(imports) > 0 {
			head += "\nimport (\n" + strings.Join(imports, "\n") + "\n)\n"
		}
		code, err := format.Source([]byte(head + text))
		if err != nil {
			return nil, fmt.Errorf("format generated code of %s: %w", group, err)
		}
		out["api_"+group+".go"] = code
	}
	return out, nil
}

// mostOperations is how many operations a file has.
const mostOperations = 12

// grouped are operations by the names of their groups. Further ones of a large group are in groups with a number.
func grouped(list []*readOperation) map[string][]*readOperation {
	of := map[string][]*readOperation{}
	for _, o := range list {
		of[o.Tags[0]] = append(of[o.Tags[0]], o)
	}
	out := map[string][]*readOperation{}
	for group, operations := range of {
		n := 0
		for part := range slices.Chunk(operations, mostOperations) {
			name := group
			if n++; n > 1 {
				name += strconv.Itoa(n)
			}
			out[name] = part
		}
	}
	return out
}

// ownTypes sorts the components that writers of groups use: those of one group alone, and those of several.
func ownTypes[W any](writers map[string]W, used func(W) map[string]bool) (own map[string][]string, shared []string) {
	of := map[string][]string{}
	for _, group := range slices.Sorted(maps.Keys(writers)) {
		for name := range used(writers[group]) {
			of[name] = append(of[name], group)
		}
	}
	own = map[string][]string{}
	for _, name := range slices.Sorted(maps.Keys(of)) {
		if groups := of[name]; len(groups) == 1 {
			own[groups[0]] = append(own[groups[0]], name)
		} else {
			shared = append(shared, name)
		}
	}
	return own, shared
}

type goWriter struct {
	doc  *readDoc
	b    strings.Builder
	used map[string]bool // components
}

func (g *goWriter) printf(text string, args ...any) { fmt.Fprintf(&g.b, text, args...) }

// comment writes a text as a comment.
func (g *goWriter) comment(text string) {
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		g.printf("// %s\n", line)
	}
}

func (g *goWriter) operation(o *readOperation) {
	name := exported(o.ID)
	schema, _, long := o.answer()
	result := ""
	if schema != nil {
		result = g.goType(schema)
	}
	params := name + "Params"
	if len(o.Parameters) > 0 {
		g.printf("\n// %s are the parameters of %s. Zero values are left out.\ntype %s struct {\n", params, name, params)
		taken := map[string]bool{}
		for _, p := range o.Parameters {
			field := exported(p.Name)
			for taken[field] {
				field += "_"
			}
			taken[field] = true
			text := p.Description
			if p.Required {
				text = "Required. " + text
			}
			g.comment(text)
			tag := p.In + ":\"" + p.Name + "\""
			g.printf("%s %s `%s`\n", field, g.parameterType(p), tag)
		}
		g.printf("}\n")
	}
	g.printf("\n// %s: %s.\n//\n", name, strings.TrimSuffix(lowerFirst(o.Summary), "."))
	g.comment(o.Description)
	g.printf("//\n// It calls %s %s.\n", o.verb, o.path)
	if long {
		g.printf("// A read that takes too long is answered with a *PendingError.\n")
	}
	arguments, given := "ctx context.Context", "nil"
	if len(o.Parameters) > 0 {
		arguments, given = arguments+", p "+params, "p"
	}
	if result == "" {
		g.printf("func (c *Client) %s(%s) ([]byte, error) {\nreturn c.raw(ctx, %q, %q, %s)\n}\n", name, arguments, o.verb, o.path, given)
		return
	}
	g.printf("func (c *Client) %s(%s) (out %s, err error) {\nerr = c.call(ctx, %q, %q, %s, %t, &out)\nreturn out, err\n}\n", name, arguments, result, o.verb, o.path, given, long)
}

// parameterType is the type of a parameter's field. Zero is not sent, so what has another value without it is a pointer.
func (g *goWriter) parameterType(p *readParameter) string {
	kind, _ := p.Schema.plain()
	switch {
	case p.json:
		return "any"
	case p.Schema.Format == "binary":
		return "File"
	case kind == "integer":
		return pointer(p.Schema.Default, "int64")
	case kind == "number":
		return pointer(p.Schema.Default, "float64")
	case kind == "boolean":
		return pointer(p.Schema.Default, "bool")
	}
	return "string"
}

// pointer is the type of what is left out by the server's default unless that is the zero value.
func pointer(usual any, of string) string {
	switch usual {
	case nil, 0.0, false:
		return of
	}
	return "*" + of
}

// goType is the type that holds a value of a schema.
func (g *goWriter) goType(s *readSchema) string {
	if s == nil {
		return "json.RawMessage"
	}
	if name := s.name(); name != "" {
		g.use(name)
		return exported(name)
	}
	if len(s.AnyOf) == 2 && slices.Contains(s.AnyOf[1].Types, "null") && s.AnyOf[0].Ref != "" {
		return "*" + g.goType(s.AnyOf[0])
	}
	kind, null := s.plain()
	var of string
	switch {
	case s.Items != nil && kind == "array":
		return "[]" + g.goType(s.Items)
	case s.More != nil && kind == "object" && len(s.Properties) == 0:
		return "map[string]" + g.goType(s.More.schema)
	case kind == "string":
		of = "string"
	case kind == "integer":
		of = "int64"
	case kind == "number":
		of = "float64"
	case kind == "boolean":
		of = "bool"
	default:
		return "json.RawMessage"
	}
	if null {
		return "*" + of
	}
	return of
}

// use notes a component and those it refers to.
func (g *goWriter) use(name string) {
	if g.used[name] {
		return
	}
	g.used[name] = true
	for _, p := range g.doc.Components.Schemas[name].Properties {
		g.goType(p)
	}
	if s := g.doc.Components.Schemas[name]; len(s.Properties) == 0 {
		g.written(s)
	}
}

// written is the type of a component without a name.
func (g *goWriter) written(s *readSchema) string { return g.goType(s) }

func (g *goWriter) component(name string) {
	s := g.doc.Components.Schemas[name]
	g.printf("\n")
	text := exported(name) + " is part of answers."
	if s.Description != "" {
		text = exported(name) + ": " + s.Description
	}
	g.comment(text)
	if len(s.Properties) == 0 {
		g.printf("type %s = %s\n", exported(name), g.written(s))
		return
	}
	g.printf("type %s struct {\n", exported(name))
	taken := map[string]bool{}
	for _, field := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[field]
		if p.Description != "" {
			g.comment(p.Description)
		}
		of := g.goType(p)
		if of == exported(name) { // a value of itself
			of = "*" + of
		}
		goName := exported(field)
		for taken[goName] {
			goName += "_"
		}
		taken[goName] = true
		tag := field
		if !slices.Contains(s.Required, field) {
			tag += ",omitempty"
		}
		g.printf("%s %s `json:%q`\n", goName, of, tag)
	}
	g.printf("}\n")
}

// initialisms are written in capitals in Go.
var initialisms = map[string]string{"id": "ID", "api": "API", "url": "URL", "ip": "IP", "sdk": "SDK", "ttl": "TTL", "json": "JSON", "ids": "IDs", "uid": "UID", "uids": "UIDs"}

// exported makes an exported name of a name of the API: app_id becomes AppID.
func exported(name string) string {
	var words []string
	word := ""
	flush := func() {
		if word != "" {
			words = append(words, word)
		}
		word = ""
	}
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r) || r > unicode.MaxASCII:
			flush()
		case unicode.IsUpper(r) && word != "" && !unicode.IsUpper(rune(word[len(word)-1])):
			flush()
			word = string(r)
		default:
			word += string(r)
		}
	}
	flush()
	var b strings.Builder
	for _, w := range words {
		if full, ok := initialisms[strings.ToLower(w)]; ok {
			b.WriteString(full)
			continue
		}
		b.WriteString(strings.ToUpper(w[:1]) + w[1:])
	}
	out := b.String()
	if out == "" || !unicode.IsLetter(rune(out[0])) {
		out = "N" + out
	}
	return out
}

func lowerFirst(s string) string {
	if len(s) > 1 && unicode.IsUpper(rune(s[0])) && unicode.IsLower(rune(s[1])) {
		return strings.ToLower(s[:1]) + s[1:]
	}
	return s
}

package openapi

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Pages renders a description as Markdown: a page for each tag, by the name of its file, and README.md, which lists them.
func Pages(doc []byte) (map[string]string, error) {
	d, list, err := read(doc)
	if err != nil {
		return nil, err
	}
	of := map[string][]*readOperation{}
	for _, o := range list {
		of[o.Tags[0]] = append(of[o.Tags[0]], o)
	}
	out := map[string]string{}
	var index strings.Builder
	fmt.Fprintf(&index, "# Reference of the API\n\n%s\n\nThese pages are made of the [description](../openapi.md) that each server has at `/openapi.json`; a test keeps them equal. Codes of faults are explained in [errors.md](../errors.md).\n\n| group | what it is about | operations |\n|---|---|---|\n",
		d.Info.Description)
	for _, tag := range d.Tags {
		var b strings.Builder
		fmt.Fprintf(&b, "# %s\n\n%s\n\nPart of the [reference of the API](README.md).\n\n| operation | what it does |\n|---|---|\n", tag.Name, tag.Description)
		for _, o := range of[tag.Name] {
			fmt.Fprintf(&b, "| [`%s %s`](#%s) | %s |\n", o.verb, o.path, anchor(o.ID), cell(o.Summary))
		}
		for _, o := range of[tag.Name] {
			d.operation(&b, o)
		}
		used := map[string]bool{}
		for _, o := range of[tag.Name] {
			if schema, _, _ := o.answer(); schema != nil {
				d.uses(schema, used)
			}
		}
		if len(used) > 0 {
			b.WriteString("\n## Types\n")
		}
		for _, name := range slices.Sorted(maps.Keys(used)) {
			d.component(&b, name)
		}
		out[tag.Name+".md"] = b.String()
		fmt.Fprintf(&index, "| [%s](%s.md) | %s | %d |\n", tag.Name, tag.Name, cell(tag.Description), len(of[tag.Name]))
	}
	out["README.md"] = index.String()
	return out, nil
}

func anchor(heading string) string { return strings.ToLower(heading) }

// cell is text as it may stand in a cell of a table.
func cell(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "|", `\|`), "\n", " ")
}

func (d *readDoc) operation(b *strings.Builder, o *readOperation) {
	fmt.Fprintf(b, "\n## %s\n\n`%s %s`: %s.\n\n%s\n", o.ID, o.verb, o.path, strings.TrimSuffix(o.Summary, "."), o.Description)
	if len(o.Parameters) > 0 {
		b.WriteString("\n| parameter | in | type | what it is |\n|---|---|---|---|\n")
	}
	for _, p := range o.Parameters {
		text := cell(p.Description)
		if p.Required {
			text = "**Required.** " + text
		}
		if p.Schema != nil && p.Schema.Default != nil {
			usual, _ := json.Marshal(p.Schema.Default) // it came from JSON
			text += fmt.Sprintf(" Usual: `%s`.", cell(string(usual)))
		}
		fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", p.Name, p.In, d.typeText(p.Schema), text)
		d.fieldRows(b, p)
	}
	schema, example, long := o.answer()
	switch {
	case schema == nil:
		fmt.Fprintf(b, "\nThe answer is `%s`.\n", strings.Join(slices.Sorted(maps.Keys(o.Responses["200"].Content)), "`, `"))
	case long:
		fmt.Fprintf(b, "\nThe answer is %s, or `{\"task_id\":…}` of a task that goes on.\n", d.typeText(schema))
	default:
		fmt.Fprintf(b, "\nThe answer is %s.\n", d.typeText(schema))
	}
	if len(example) > 0 {
		var indented bytes.Buffer
		if json.Indent(&indented, example, "", "  ") == nil {
			fmt.Fprintf(b, "\n```json\n%s\n```\n", indented.String())
		}
	}
	if len(o.Faults) > 0 {
		fmt.Fprintf(b, "\nFaults: `%s`.\n", strings.Join(o.Faults, "`, `"))
	}
}

// fieldRows adds a row for each field of a parameter that is an object, or a list of objects.
func (d *readDoc) fieldRows(b *strings.Builder, p *readParameter) {
	of, prefix := p.Schema, p.Name+"."
	if of != nil && of.Items != nil {
		of, prefix = of.Items, p.Name+"[]."
	}
	if of == nil || of.Ref != "" {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(of.Properties)) {
		one := of.Properties[name]
		text := cell(one.Description)
		if slices.Contains(of.Required, name) {
			text = "**Required.** " + text
		}
		fmt.Fprintf(b, "| `%s%s` | `%s` | %s | %s |\n", prefix, name, p.Name, d.typeText(one), text)
	}
	if of.More != nil && of.More.schema.Description != "" {
		fmt.Fprintf(b, "| `%s…` | `%s` | %s | %s |\n", prefix, p.Name, d.typeText(of.More.schema), cell(of.More.schema.Description))
	}
}

// typeText is the type of a schema in words.
func (d *readDoc) typeText(s *readSchema) string {
	switch {
	case s == nil:
		return "anything"
	case s.Ref != "":
		return fmt.Sprintf("[%s](#%s)", s.name(), anchor(s.name()))
	case len(s.AnyOf) > 0:
		var parts []string
		for _, one := range s.AnyOf {
			parts = append(parts, d.typeText(one))
		}
		return strings.Join(parts, " or ")
	case len(s.Enum) > 0:
		var parts []string
		for _, v := range s.Enum {
			parts = append(parts, fmt.Sprintf("`%v`", v))
		}
		return strings.Join(parts, ", ")
	case s.Items != nil:
		return "list of " + d.typeText(s.Items)
	case s.More != nil:
		return "map of " + d.typeText(s.More.schema)
	}
	return cmp.Or(strings.Join(s.Types, " or "), "anything")
}

// uses adds the components that a schema refers to.
func (d *readDoc) uses(s *readSchema, used map[string]bool) {
	if s == nil {
		return
	}
	if name := s.name(); name != "" {
		if used[name] || d.Components.Schemas[name] == nil {
			return
		}
		used[name] = true
		d.uses(d.Components.Schemas[name], used)
		return
	}
	d.uses(s.Items, used)
	if s.More != nil {
		d.uses(s.More.schema, used)
	}
	for _, one := range s.AnyOf {
		d.uses(one, used)
	}
	for _, one := range s.Properties {
		d.uses(one, used)
	}
}

func (d *readDoc) component(b *strings.Builder, name string) {
	s := d.Components.Schemas[name]
	fmt.Fprintf(b, "\n### %s\n\n", name)
	if s.Description != "" {
		fmt.Fprintf(b, "%s\n\n", s.Description)
	}
	if len(s.Properties) == 0 {
		fmt.Fprintf(b, "It is %s.\n", d.typeText(s))
		return
	}
	b.WriteString("| field | type | what it is |\n|---|---|---|\n")
	for _, field := range slices.Sorted(maps.Keys(s.Properties)) {
		p := s.Properties[field]
		text := cell(p.Description)
		if !slices.Contains(s.Required, field) {
			text = strings.TrimSpace("May be absent. " + text)
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", field, d.typeText(p), text)
	}
}

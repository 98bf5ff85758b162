package model_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"testing"

	"quipu/internal/model"
	"quipu/internal/testkit/golden"
)

// ui is the folder of the dashboard's sources.
const ui = "../../ui/src/"

// TestDimensionTable compares the dashboard's table of dimensions with this package's, or writes it under -update.
func TestDimensionTable(t *testing.T) {
	t.Parallel()
	var table bytes.Buffer
	table.WriteString(`// Written by go test ./internal/model -update from the table in internal/model/dimension.go. DO NOT EDIT.

/**
 * What sessions and users are broken down by, by the name where the API names a metric: the key of a profile's field and of the property
 * up.<key> of events, and whether values hold a colon where people read a dot.
 */
export const table = {
`)
	for i := range model.Dimensions {
		d := &model.Dimensions[i]
		fmt.Fprintf(&table, "  %s: { key: '%s', encoded: %t },\n", d.Metrics[0], d.Key, d.Encoded)
	}
	table.WriteString("} as const;\n")
	golden.File(t, ui+"parts/metrics/table.gen.ts", table.Bytes())
}

// dimensionTexts finds the names of dimensions among the texts of the first page.
var dimensionTexts = regexp.MustCompile(`(?m)^  "dimension": \{$[^}]*\}`)

// TestDimensionLabels compares the dashboard's names of dimensions with those of the table, or writes them under -update: those of one
// value have files of their own, those of all stand among the texts of the first page.
func TestDimensionLabels(t *testing.T) {
	t.Parallel()
	for lang, of := range map[string]func(*model.Dimension) model.Label{
		"en": func(d *model.Dimension) model.Label { return d.English },
		"de": func(d *model.Dimension) model.Label { return d.German },
	} {
		one, all := map[string]string{}, map[string]string{}
		for i := range model.Dimensions {
			d := &model.Dimensions[i]
			label := of(d)
			if label.Singular == "" || label.Plural == "" {
				t.Errorf("%s has no label in the language %s: %q", d.Name, lang, label)
			}
			one[d.Metrics[0]], all[d.Metrics[0]] = label.Singular, label.Plural
		}
		golden.File(t, ui+"parts/metrics/"+lang+".json", append(indented(t, map[string]any{"one": one}, ""), '\n'))

		file := ui + "i18n/" + lang + ".json"
		texts, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(dimensionTexts.FindAll(texts, -1)); n != 1 {
			t.Fatalf("%s names dimensions in %d places, want 1", file, n)
		}
		block := append([]byte(`  "dimension": `), indented(t, all, "  ")...)
		golden.File(t, file, dimensionTexts.ReplaceAllLiteral(texts, block))
	}
}

// indented returns a value as JSON in the form of the dashboard's texts, whose lines after the first begin with prefix.
func indented(t *testing.T, value any, prefix string) []byte {
	t.Helper()
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent(prefix, "  ")
	if err := enc.Encode(value); err != nil {
		t.Fatal(err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

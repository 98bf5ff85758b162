package populator

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"

	"quipu/internal/model"
)

// files are the templates that come along, in the form of the wire.
//
//go:embed templates/*.json
var files embed.FS

// builtIn returns the templates that come along, by name, which nobody changes. The servers of a process read them once.
var builtIn = sync.OnceValues(readBuiltIn)

// readBuiltIn reads the templates that come along, by name. Their ids never change: they are made
// of the names of their files.
func readBuiltIn() ([]Template, error) {
	entries, err := files.ReadDir("templates")
	if err != nil {
		return nil, fmt.Errorf("read templates: %w", err)
	}
	var out []Template
	for _, e := range entries {
		text, err := files.ReadFile("templates/" + e.Name())
		if err != nil {
			return nil, fmt.Errorf("read template: %w", err)
		}
		t := Template{Default: true, LastEditedBy: "Quipu"}
		if err := json.Unmarshal(text, &t); err != nil {
			return nil, fmt.Errorf("read template %s: %w", e.Name(), err)
		}
		for _, list := range []*json.RawMessage{&t.Properties, &t.Events, &t.Views, &t.Sequences, &t.Behavior} {
			*list = compact(*list)
		}
		var id model.ID
		copy(id[:], "quipu"+strings.TrimSuffix(e.Name(), ".json"))
		t.ID = id.String()
		if _, err := world(&t); err != nil {
			return nil, fmt.Errorf("template %s: %w", e.Name(), err)
		}
		out = append(out, t)
	}
	slices.SortFunc(out, func(a, b Template) int { return strings.Compare(a.Name, b.Name) })
	return out, nil
}

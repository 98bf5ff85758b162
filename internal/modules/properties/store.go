package properties

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"quipu/internal/fault"
	"quipu/internal/kernel"
	"quipu/internal/store/docs"
)

// labels is what people said about an app's properties, by path; one document an app.
type labels struct {
	Labels map[string]kernel.PropertyLabel `json:"labels"`
}

// labelsKey names the only document of the collection.
const labelsKey = "labels"

// Bounds of what people may say.
const (
	maxPath        = 512     // bytes
	maxLabel       = 200     // characters
	maxDescription = 2000    // characters
	maxLabels      = 5000    // properties of an app
	maxBytes       = 2 << 20 // of an app
)

var (
	errInvalid = fault.New(fault.Invalid, "properties.invalid", "Invalid properties parameter")
	errTooMany = fault.New(fault.Conflict, "properties.too_many", "Too many property descriptions")
)

// Key returns the name of the only document.
func (labels) Key() string { return labelsKey }

// Validate bounds the whole.
func (l labels) Validate() error {
	n := 0
	for path, one := range l.Labels {
		n += len(path) + len(one.Label) + len(one.Description)
	}
	if len(l.Labels) > maxLabels || n > maxBytes {
		return errTooMany
	}
	return nil
}

func spec() docs.Spec[labels] { return docs.Spec[labels]{Name: "properties.labels", Version: 1} }

// change is what is sent of a label; nil = it stays as it is.
type change struct {
	Label       *string `json:"label"`
	Description *string `json:"description"`
	Hidden      *bool   `json:"hidden"`
	none        bool    // nothing is said any more
}

// apply returns a label as it is after the change.
func (c change) apply(l kernel.PropertyLabel) kernel.PropertyLabel {
	if c.none {
		return kernel.PropertyLabel{}
	}
	if c.Label != nil {
		l.Label = strings.TrimSpace(*c.Label)
	}
	if c.Description != nil {
		l.Description = strings.TrimSpace(*c.Description)
	}
	if c.Hidden != nil {
		l.Hidden = *c.Hidden
	}
	return l
}

func (c change) fits() bool {
	text := func(s *string, most int) bool {
		return s == nil || utf8.RuneCountInString(*s) <= most && !strings.ContainsRune(*s, 0)
	}
	return text(c.Label, maxLabel) && text(c.Description, maxDescription)
}

// readChanges reads a JSON object of changes by path; null takes everything back that was said about a property.
func readChanges(raw []byte) (map[string]change, error) {
	var sent map[string]*change
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if d.Decode(&sent) != nil || d.More() || len(sent) == 0 || len(sent) > maxLabels {
		return nil, errInvalid
	}
	out := map[string]change{}
	for path, c := range sent {
		if c == nil {
			c = &change{none: true}
		}
		kept, ok := pathOf(path)
		if _, twice := out[kept]; twice || !ok || len(path) > maxPath || strings.ContainsRune(path, 0) || !c.fits() {
			return nil, errInvalid
		}
		out[kept] = *c
	}
	return out, nil
}

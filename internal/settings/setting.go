package settings

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Setting declares one setting. The type of Default is the type of its values:
// bool, float64 (an int is taken as one), or string.
type Setting struct {
	Default any
	// Min and Max bound numbers, both included; Max 0 = no bound.
	Min, Max float64
	// OneOf lists the texts that are allowed; nil = any up to maxText bytes.
	OneOf []string
	// PerApp lets the plugin settings of an app override the value, PerMember a member.
	PerApp, PerMember bool
}

const maxText = 10_000 // bytes

// accept returns a value in the setting's type. Texts of numbers and switches are read, so that a
// number stays a number. The error says what a value must be.
func (d Setting) accept(v any) (any, error) {
	switch d.Default.(type) {
	case bool:
		switch v {
		case true, "true":
			return true, nil
		case false, "false":
			return false, nil
		}
		return nil, fmt.Errorf("must be true or false")
	case float64:
		n, ok := v.(float64)
		if text, isText := v.(string); isText {
			parsed, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
			n, ok = parsed, err == nil
		}
		if !ok || !(n >= d.Min) || d.Max > 0 && n > d.Max {
			if d.Max > 0 {
				return nil, fmt.Errorf("must be a number from %v to %v", d.Min, d.Max)
			}
			return nil, fmt.Errorf("must be a number, at least %v", d.Min)
		}
		return n, nil
	case string:
		text, ok := v.(string)
		switch {
		case !ok, len(text) > maxText:
			return nil, fmt.Errorf("must be a text of at most %d bytes", maxText)
		case d.OneOf != nil && !slices.Contains(d.OneOf, text):
			return nil, fmt.Errorf("must be one of %q", d.OneOf)
		}
		return text, nil
	}
	return nil, fmt.Errorf("has a default of type %T", d.Default)
}

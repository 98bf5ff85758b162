package settings

import (
	"fmt"
	"slices"
	"strings"

	"quipu/internal/fault"
)

// Declaration tells programs that show a form what a setting is and which values it takes.
type Declaration struct {
	Type      string   `json:"type"` // bool, number or text
	Default   any      `json:"default"`
	Value     any      `json:"value,omitempty"` // of the server, for those who may see it
	Min       float64  `json:"min"`
	Max       float64  `json:"max"` // 0 = no bound
	OneOf     []string `json:"one_of,omitempty"`
	PerApp    bool     `json:"per_app"`
	PerMember bool     `json:"per_member"`
}

// Declared returns every setting by namespace and name, with the server's value.
func (s *Store) Declared() map[string]map[string]Declaration {
	out := map[string]map[string]Declaration{}
	for namespace, list := range s.declared {
		out[namespace] = map[string]Declaration{}
		for name, d := range list {
			kind := "text"
			switch d.Default.(type) {
			case bool:
				kind = "bool"
			case float64:
				kind = "number"
			}
			out[namespace][name] = Declaration{kind, d.Default, s.Get(namespace, name), d.Min, d.Max, d.OneOf, d.PerApp, d.PerMember}
		}
	}
	return out
}

// CheckApp names every value, of those meant for an app, that its declaration refuses, in the fault
// settings.invalid. A nil takes the app's own value away, and passes; so does what is not declared.
func (s *Store) CheckApp(change map[string]any) error {
	var bad []string
	for namespace, v := range change {
		list, _ := v.(map[string]any)
		for name, value := range list {
			d, declared := s.declared[namespace][name]
			if !declared || !d.PerApp || value == nil {
				continue
			}
			if _, err := d.accept(value); err != nil {
				bad = append(bad, fmt.Sprintf("%s.%s %v", namespace, name, err))
			}
		}
	}
	if len(bad) == 0 {
		return nil
	}
	slices.Sort(bad)
	return fault.New(fault.Invalid, "settings.invalid", "Error updating configs: "+strings.Join(bad, ", "))
}

package populator

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"

	"quipu/internal/fault"
	"quipu/internal/traffic"
)

// number is a number that may come as text, as "45" or "45%".
type number float64

// UnmarshalJSON reads a number; what is none is 0.
func (n *number) UnmarshalJSON(b []byte) error {
	var s string
	if json.Unmarshal(b, &s) != nil {
		s = string(b)
	}
	v, err := strconv.ParseFloat(strings.TrimSuffix(strings.TrimSpace(s), "%"), 64)
	if err == nil {
		*n = number(v)
	}
	return nil
}

// weighted is a value with its probability: an object, or the value alone.
type weighted struct {
	Value       string
	Probability number
}

// UnmarshalJSON reads both forms.
func (w *weighted) UnmarshalJSON(b []byte) error {
	var object struct {
		Key         text    `json:"key"`
		Probability *number `json:"probability"`
	}
	w.Probability = 1
	if len(b) > 0 && b[0] == '{' {
		if err := json.Unmarshal(b, &object); err != nil {
			return err
		}
		w.Value = string(object.Key)
		if object.Probability != nil {
			w.Probability = *object.Probability
		}
		return nil
	}
	var t text
	err := json.Unmarshal(b, &t)
	w.Value = string(t)
	return err
}

// text is text, or a number or truth value in its written form.
type text string

// UnmarshalJSON reads scalars.
func (t *text) UnmarshalJSON(b []byte) error {
	var v any
	if err := json.Unmarshal(b, &v); err != nil {
		return err
	}
	switch x := v.(type) {
	case string:
		*t = text(x)
	case float64, bool:
		*t = text(b)
	}
	return nil
}

// property is a property of users or a segment of an event: {"key","values"}, or an object of
// lists of values by name.
type property struct {
	Key    text       `json:"key"`
	Values []weighted `json:"values"`
}

func readProperties(raw json.RawMessage) ([]traffic.PropertySpec, error) {
	var out []traffic.PropertySpec
	add := func(name string, values []weighted) {
		p := traffic.PropertySpec{Name: name}
		for _, v := range values {
			p.Values = append(p.Values, traffic.Weighted{Value: v.Value, Weight: float64(v.Probability)})
		}
		if name != "" && len(values) > 0 {
			out = append(out, p)
		}
	}
	var list []json.RawMessage
	if len(raw) > 0 && raw[0] == '{' {
		list = []json.RawMessage{raw}
	} else if err := unmarshal(raw, &list); err != nil {
		return nil, err
	}
	for _, element := range list {
		var p property
		if err := json.Unmarshal(element, &p); err == nil && p.Key != "" {
			add(string(p.Key), p.Values)
			continue
		}
		var byName map[string][]weighted
		if err := json.Unmarshal(element, &byName); err != nil {
			return nil, err
		}
		for _, name := range slices.Sorted(maps.Keys(byName)) {
			add(name, byName[name])
		}
	}
	return out, nil
}

// extent is a range of a sum or a duration, under the names that are in use.
type extent struct {
	Active   *bool  `json:"isActive"`
	Min      number `json:"min"`
	Max      number `json:"max"`
	MinSum   number `json:"minSumValue"`
	MaxSum   number `json:"maxSumValue"`
	MinValue number `json:"minDurationValue"`
	MaxValue number `json:"maxDurationValue"`
	MinTime  number `json:"minDurationTime"`
	MaxTime  number `json:"maxDurationTime"`
}

func (e extent) bounds() (from, to float64) {
	if e.Active != nil && !*e.Active {
		return 0, 0
	}
	return float64(e.Min + e.MinSum + e.MinValue + e.MinTime), float64(e.Max + e.MaxSum + e.MaxValue + e.MaxTime)
}

func readEvents(raw json.RawMessage) ([]traffic.EventSpec, error) {
	var list []json.RawMessage
	if err := unmarshal(raw, &list); err != nil {
		return nil, err
	}
	var out []traffic.EventSpec
	for _, element := range list {
		var e struct {
			Key         text            `json:"key"`
			Probability *number         `json:"probability"`
			Sum         extent          `json:"sum"`
			Duration    extent          `json:"duration"`
			Segments    json.RawMessage `json:"segmentations"`
		}
		if err := json.Unmarshal(element, &e); err == nil && e.Key != "" {
			spec := traffic.EventSpec{Key: string(e.Key), Weight: 1}
			if e.Probability != nil {
				spec.Weight = float64(*e.Probability)
			}
			spec.SumMin, spec.SumMax = e.Sum.bounds()
			spec.DurationMin, spec.DurationMax = e.Duration.bounds()
			if spec.Segments, err = readProperties(e.Segments); err != nil {
				return nil, err
			}
			out = append(out, spec)
			continue
		}
		var byName map[string][]struct {
			Segments json.RawMessage `json:"segments"`
		}
		if err := json.Unmarshal(element, &byName); err != nil {
			return nil, err
		}
		for _, name := range slices.Sorted(maps.Keys(byName)) {
			spec := traffic.EventSpec{Key: name, Weight: 1}
			for _, part := range byName[name] {
				segments, err := readProperties(part.Segments)
				if err != nil {
					return nil, err
				}
				spec.Segments = append(spec.Segments, segments...)
			}
			if name != "" {
				out = append(out, spec)
			}
		}
	}
	return out, nil
}

func unmarshal(raw json.RawMessage, dst any) error {
	if len(raw) == 0 {
		return nil
	}
	return json.Unmarshal(raw, dst)
}

// readSequences reads ways through the app. A step names a view or an event; the begin and the
// end of the session may be named, too, and mean nothing.
func readSequences(raw json.RawMessage) ([]traffic.SequenceSpec, error) {
	var list []struct {
		Probability *number `json:"probability"`
		Steps       []struct {
			View        text    `json:"view"`
			Event       text    `json:"event"`
			Key         string  `json:"key"` // view, event or session
			Value       text    `json:"value"`
			Probability *number `json:"probability"`
		} `json:"steps"`
	}
	if err := unmarshal(raw, &list); err != nil {
		return nil, err
	}
	var out []traffic.SequenceSpec
	for _, sq := range list {
		spec := traffic.SequenceSpec{Weight: 1}
		if sq.Probability != nil {
			spec.Weight = float64(*sq.Probability)
		}
		for _, st := range sq.Steps {
			step := traffic.StepSpec{View: string(st.View), Event: string(st.Event), Share: 1}
			switch strings.ToLower(st.Key) {
			case "view", "views":
				step.View = string(st.Value)
			case "event", "events":
				step.Event = string(st.Value)
			}
			if st.Probability != nil {
				step.Share = float64(*st.Probability) / 100
			}
			if step.View != "" || step.Event != "" {
				spec.Steps = append(spec.Steps, step)
			}
		}
		out = append(out, spec)
	}
	return out, nil
}

// behavior is how users come back.
type behavior struct {
	// SessionsPerWeek is how often a user comes in the mean; default 2.
	SessionsPerWeek number `json:"sessionsPerWeek"`
	// Weekend is how many sessions a day of the weekend has, as a share of another one; default 0.8.
	Weekend number `json:"weekend"`
}

func (t *Template) behavior() behavior {
	b := behavior{SessionsPerWeek: 2, Weekend: 0.8}
	if json.Unmarshal(t.Behavior, &b) != nil || !(b.SessionsPerWeek > 0) || !(b.Weekend > 0) {
		return behavior{SessionsPerWeek: 2, Weekend: 0.8}
	}
	return behavior{SessionsPerWeek: min(b.SessionsPerWeek, 100), Weekend: min(b.Weekend, 10)}
}

// world makes what the template describes. Fault: populator.unusable.
func world(t *Template) (*traffic.World, error) {
	unusable := func(err error) error {
		return fault.Wrap(err, fault.Invalid, "populator.unusable", "The template cannot be used: "+clip(err.Error()))
	}
	var s traffic.Spec
	var err error
	if s.Properties, err = readProperties(t.Properties); err != nil {
		return nil, unusable(err)
	}
	if s.Events, err = readEvents(t.Events); err != nil {
		return nil, unusable(err)
	}
	if s.Sequences, err = readSequences(t.Sequences); err != nil {
		return nil, unusable(err)
	}
	var views []weighted
	if err := unmarshal(t.Views, &views); err != nil {
		return nil, unusable(err)
	}
	for _, v := range views {
		if v.Value != "" {
			s.Views = append(s.Views, traffic.Weighted{Value: v.Value, Weight: float64(v.Probability)})
		}
	}
	for _, name := range t.Platforms {
		if slices.ContainsFunc(traffic.Platforms(), func(known string) bool { return strings.EqualFold(known, name) }) {
			s.Platforms = append(s.Platforms, name)
		}
	}
	w, err := traffic.NewWorld(s)
	if err != nil {
		return nil, unusable(err)
	}
	return w, nil
}

// clip bounds what an answer repeats.
func clip(s string) string {
	const most = 500
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}

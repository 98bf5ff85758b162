package drill

import (
	"cmp"
	"context"
	"encoding/json"

	"quipu/internal/api"
	"quipu/internal/filter"
	"quipu/internal/params"
	"quipu/internal/period"
	"quipu/internal/query"
)

// step is a condition on what people did, as those of cohorts: type is did or didnot.
type step struct {
	Type   string `json:"type"`
	Event  any    `json:"event"` // a key, or several
	Query  any    `json:"query"`
	Period any    `json:"period"`
	Times  any    `json:"times"`
}

// steps reads conditions on what people did. The paths of their filters are added to paths.
func (s *service) steps(ctx context.Context, c api.Caller, frame period.Frame, whole period.Period, v params.Value, paths *[]string) ([]query.Did, error) {
	if v.String() == "" {
		return nil, nil
	}
	var list []step
	if json.Unmarshal(v.Raw(), &list) != nil || len(list) > maxSteps {
		return nil, bad("steps")
	}
	out := make([]query.Did, len(list))
	for i, st := range list {
		d, err := s.step(ctx, c, frame, whole, st)
		if err != nil {
			return nil, err
		}
		out[i] = d
		*paths = append(*paths, d.Filter.Paths()...)
	}
	return out, nil
}

func (s *service) step(ctx context.Context, c api.Caller, frame period.Frame, whole period.Period, st step) (d query.Did, err error) {
	if d.Not = st.Type == "didnot"; !d.Not && st.Type != "did" {
		return d, bad("steps")
	}
	var keys []string
	switch e := st.Event.(type) {
	case string:
		keys = []string{e}
	case []any:
		for _, k := range e {
			key, _ := k.(string)
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 || len(keys) > maxEvents {
		return d, bad("steps")
	}
	for _, key := range keys {
		if key == "" {
			return d, bad("steps")
		}
		list, err := s.groups.Keys(ctx, c.App.ID, key)
		if err != nil {
			return d, err
		}
		d.Events = append(d.Events, list...)
	}
	if st.Query != nil && st.Query != "" {
		if d.Filter, err = filter.Parse(st.Query); err != nil {
			return d, err
		}
	}
	d.From, d.To = whole.Start, whole.End
	if text := jsonText(st.Period); text != "" {
		p, err := readPeriod(frame, text)
		if err != nil {
			return d, err
		}
		d.From, d.To = p.Start, p.End
	}
	d.Least = 1
	if text := jsonText(st.Times); text != "" {
		err = times(text, &d)
	}
	return d, err
}

// jsonText is a value as text: text as it is, all else as JSON, "" for none.
func jsonText(v any) string {
	if v == nil {
		return ""
	}
	if text, ok := v.(string); ok {
		return text
	}
	b, err := json.Marshal(v)
	if err != nil {
		return ""
	}
	return string(b)
}

// times reads how often: a number, which is the least, or {"$gte":…,"$lte":…,"$gt":…,"$lt":…,"$eq":…}.
func times(text string, d *query.Did) error {
	var n int64
	if json.Unmarshal([]byte(text), &n) == nil {
		d.Least = max(n, 1)
		return nil
	}
	var bounds map[string]int64
	if json.Unmarshal([]byte(text), &bounds) != nil {
		return bad("steps")
	}
	most := func(n int64) error {
		if n < 1 {
			return bad("steps") // to have done it 0 times is not to have done it
		}
		d.Most = cmp.Or(min(n, cmp.Or(d.Most, n)), n)
		return nil
	}
	for op, n := range bounds {
		var err error
		switch op {
		case "$gte":
			d.Least = max(n, 1)
		case "$gt":
			d.Least = max(n, 0) + 1
		case "$lte":
			err = most(n)
		case "$lt":
			err = most(n - 1)
		case "$eq":
			d.Least, err = max(n, 1), most(n)
		default:
			err = bad("steps")
		}
		if err != nil {
			return err
		}
	}
	return nil
}

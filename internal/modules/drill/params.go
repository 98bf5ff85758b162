package drill

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"

	"quipu/internal/api"
	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/params"
	"quipu/internal/period"
)

// Bounds of queries.
const (
	maxProperties = 3
	maxEdges      = 50  // of the ranges of a property
	maxPath       = 512 // bytes of a property's path
	maxBuckets    = 5
	usualLimit    = 10
	maxLimit      = 1000
	maxSkip       = 10_000_000
	maxSteps      = 10 // conditions on what people did
	maxEvents     = 50 // of a condition
)

var errUsers = fault.New(fault.Forbidden, "access.no_right", "User does not have right")

func missing(name string) error {
	return fault.Newf(fault.Invalid, "drill.bad_parameter", "Missing request parameter: %s", name)
}

func bad(name string) error {
	return fault.Newf(fault.Invalid, "drill.bad_parameter", "Bad request parameter: %s", name)
}

// readFilter reads a filter, which has to be a JSON object.
func readFilter(v params.Value, name string) (filter.Expr, error) {
	if !strings.HasPrefix(strings.TrimSpace(string(v.Raw())), "{") || !json.Valid(v.Raw()) {
		return filter.Expr{}, bad(name)
	}
	return filter.Parse(v.Raw())
}

// readPeriod reads a window in a frame.
func readPeriod(f period.Frame, text string) (period.Period, error) {
	if text == "" {
		return period.Period{}, missing("period")
	}
	var pair []float64
	if json.Unmarshal([]byte(text), &pair) == nil && len(pair) == 2 && pair[0] > pair[1] {
		return period.Period{}, fault.New(fault.Invalid, "drill.bad_parameter", "Invalid request parameter: period")
	}
	return f.Parse(text)
}

// texts reads a text, or a JSON list of texts, without those that come again; ok is false for anything else.
func texts(v params.Value) (list []string, ok bool) {
	raw := strings.TrimSpace(string(v.Raw()))
	if raw == "" {
		return nil, true
	}
	if strings.HasPrefix(raw, "[") {
		if json.Unmarshal([]byte(raw), &list) != nil {
			return nil, false
		}
	} else if list = []string{v.String()}; strings.HasPrefix(raw, "{") {
		return nil, false
	}
	var out []string
	for _, text := range list {
		if !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out, true
}

// bucket is a width of buckets under its name on the wire.
type bucket struct {
	name string
	step period.Step
}

func readBuckets(v params.Value) ([]bucket, error) {
	list, ok := texts(v)
	switch {
	case ok && len(list) == 0:
		return nil, missing("bucket")
	case !ok || len(list) > maxBuckets:
		return nil, bad("bucket")
	}
	out := make([]bucket, len(list))
	for i, name := range list {
		step, known := period.ParseStep(name)
		if name == "minutely" {
			step, known = period.MinuteStep, true
		}
		if !known || !strings.HasSuffix(name, "ly") {
			return nil, bad("bucket")
		}
		out[i] = bucket{name, step}
	}
	return out, nil
}

func readProperties(v params.Value) ([]string, error) {
	list, ok := texts(v)
	if !ok || len(list) > maxProperties {
		return nil, bad("projectionKey")
	}
	for i, path := range list {
		if path == "" || len(path) > maxPath || path == cohortPath && slices.Contains(list[:i], path) {
			return nil, bad("projectionKey")
		}
	}
	return list, nil
}

// readBins reads the edges of ranges by property.
func readBins(v params.Value, by []string) (map[string][]float64, error) {
	if v.String() == "" {
		return nil, nil
	}
	var bins map[string][]float64
	if json.Unmarshal(v.Raw(), &bins) != nil {
		return nil, bad("bins")
	}
	for path, edges := range bins {
		if !slices.Contains(by, path) || len(edges) == 0 || len(edges) > maxEdges {
			return nil, bad("bins")
		}
		for i := range edges[1:] {
			if edges[i] >= edges[i+1] {
				return nil, bad("bins")
			}
		}
	}
	return bins, nil
}

// keys are the events that a parameter names: a key, or a JSON list of keys of which any counts, with those of groups in place of these. A text that is
// the key of an event is that, whatever it looks like.
func (s *service) keys(ctx context.Context, app model.AppID, text string) ([]string, error) {
	sent := []string{text}
	if _, there := s.schema.Event(app, text); !there && strings.HasPrefix(strings.TrimSpace(text), "[") && json.Valid([]byte(text)) {
		if json.Unmarshal([]byte(text), &sent) != nil || len(sent) == 0 || len(sent) > maxEvents || slices.Contains(sent, "") {
			return nil, errKeys
		}
	}
	var out []string
	for _, key := range sent {
		of, err := s.groups.Keys(ctx, app, key)
		if err != nil {
			return nil, err
		}
		for _, k := range of {
			if !slices.Contains(out, k) {
				out = append(out, k)
			}
		}
	}
	return out, nil
}

var errKeys = fault.Newf(fault.Invalid, "drill.bad_parameter", "Bad request parameter: event is a key, or a list of up to %d keys", maxEvents)

// permitted refuses paths of filters and of breakdowns that a member may not ask by, see auth.MayAskBy.
func permitted(m *model.Member, app model.AppID, filters, by []string) error {
	if !auth.MayAskBy(m, app, filters, by) {
		return errUsers
	}
	return nil
}

// within reads a whole number between bounds; what is no number, or "", is what stands for none.
func within(v params.Value, none, least, most int, name string) (int, error) {
	if v.String() == "" {
		return none, nil
	}
	var n float64
	if json.Unmarshal([]byte(v.String()), &n) != nil {
		return 0, bad(name)
	}
	return int(min(max(n, float64(least)), float64(most))), nil
}

// withStatus answers a fault with a status of its own.
func withStatus(status int, code, text string) error {
	return api.Status(status, fault.New(fault.Invalid, code, text))
}

var errNoApp = withStatus(http.StatusNotFound, "drill.bad_parameter", "Missing parameter app_id")

// cohortPath is the property of the cohorts that users are in, and maxByCohort how many of them a breakdown has.
const (
	cohortPath  = "chr"
	maxByCohort = 50
)

// cohortsBy are the cohorts that a breakdown has: those that were sent, or the largest that everyone of the app sees; nil for a breakdown by
// other properties.
func (s *service) cohortsBy(ctx context.Context, c api.Caller, by []string, v params.Value) ([]string, error) {
	if !slices.Contains(by, cohortPath) {
		return nil, nil
	}
	if err := permitted(c.Member, c.App.ID, nil, by); err != nil {
		return nil, err
	}
	if v.String() != "" {
		var ids []string
		if json.Unmarshal(v.Raw(), &ids) != nil || len(ids) == 0 || len(ids) > maxByCohort {
			return nil, bad("cohorts")
		}
		slices.Sort(ids)
		return slices.Compact(ids), nil
	}
	sets, err := s.cohorts.Members(ctx, c.App.ID, nil, true)
	if err != nil {
		return nil, err
	}
	ids := slices.SortedFunc(maps.Keys(sets), func(a, b string) int {
		return cmp.Or(cmp.Compare(sets[b].Len(), sets[a].Len()), cmp.Compare(a, b))
	})
	return ids[:min(len(ids), maxByCohort)], nil
}

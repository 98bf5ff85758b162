package bench

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"time"

	"quipu/internal/traffic"
)

// questionRounds is how often each question is sent alone; the first round counts as cold.
const questionRounds = 10

// question is a read that only event rows can answer.
type question struct {
	read
	budget string
	// figure sums up an answer as the statement does that was written by hand for the question; nil where there is none.
	figure func(body []byte) (float64, error)
}

// questions are those of analysts over 30 days of events: each operator there is, in its usual form and its costliest.
// Funnels need one that is kept.
func (s *server) questions(ctx context.Context) ([]question, error) {
	const period = "30days"
	steps := `["Open Product","Tap Product","Buy Product","Share Product","Rate Product"]`
	kept := map[string]string{}
	for _, order := range []string{"sequential", "strict", "any"} {
		id, err := s.keepFunnel(ctx, order, steps)
		if err != nil {
			return nil, err
		}
		kept[order] = id
	}
	ask := func(name, budget, path string, pairs ...string) question {
		v := url.Values{"period": {period}}
		for i := 0; i+1 < len(pairs); i += 2 {
			v.Set(pairs[i], pairs[i+1])
		}
		return question{read: read{name, path, v}, budget: budget}
	}
	drill := func(name, budget string, pairs ...string) question {
		return ask(name, budget, "/o", append([]string{"method", "segmentation", "queryObject", "{}", "bucket", "daily"}, pairs...)...)
	}
	funnel := func(name, budget, order string, pairs ...string) question {
		return ask(name, budget, "/o", append([]string{"method", "funnel", "funnel", kept[order]}, pairs...)...)
	}
	list := []question{
		drill("an event by day, filtered by country", "≤ 400 ms", "event", "Open Product", "queryObject", `{"up.cc":{"$in":["DE","US"]}}`),
		drill("people who viewed, by day", "≤ 400 ms", "event", "[CLY]_view"),
		drill("an event by a property of 400 values", "≤ 500 ms", "event", "Share Product", "projectionKey", `["sg.item"]`, "list", "true", "limit", "1000"),
		drill("an event by a property of 10,000 values", "≤ 500 ms", "event", "Tap Product", "projectionKey", `["sg.sku"]`, "list", "true", "limit", "1000"),
		drill("views by three properties, with other", "", "event", "[CLY]_view", "projectionKey", `["up.cc","up.p","up.av"]`, "other", "true", "limit", "100"),
		drill("percentiles of a sum by day", "", "event", "Buy Product", "measures", `[{"fn":"percentile","of":"s","p":95},{"fn":"median","of":"s"}]`),
		drill("an event of those who did not do another", "", "event", "Open Product", "steps", `[{"type":"didnot","event":"Buy Product"}]`),
		funnel("funnel of 5 steps in sequence", "≤ 500 ms", "sequential"),
		funnel("funnel of 5 steps, strict", "≤ 500 ms", "strict"),
		funnel("funnel of 5 steps in any order", "≤ 500 ms", "any"),
		funnel("funnel of 5 steps by country", "", "sequential", "breakdown", "up.cc"),
		ask("retention by day, first session", "", "/o/retention", "start_type", "first", "span", "30"),
		ask("retention by day, recurring session", "", "/o/retention", "start_type", "recurring", "span", "30"),
		ask("retention by day, recurring event, filtered", "", "/o/retention", "start_type", "recurring", "span", "30", "start", "Open Product", "query", `{"up.cc":"DE"}`),
		ask("lifecycle and stickiness by day", "", "/o/retention/activity", "unit", "day"),
		ask("paths of 8 steps from an event", "", "/o/flows/paths", "type", "events", "start", `"Open Product"`, "options", `{"after":8}`),
		ask("formula of two events by day", "", "/o", "method", "calculated_metrics", "mode", "unsaved", "bucket", "daily",
			"formula", `users("Buy Product", {"up.cc":"DE"}) / users("Open Product", {"up.cc":"DE"})`),
	}
	for i := range list {
		list[i].figure = figures[list[i].name]
	}
	return list, nil
}

func (s *server) keepFunnel(ctx context.Context, order, steps string) (string, error) {
	body, err := s.get(ctx, "/i/funnels/add", url.Values{
		"api_key": {s.apiKey}, "app_id": {s.app.ID}, "funnel_name": {"bench " + order}, "funnel_desc": {""}, "funnel_type": {"session-independent"},
		"steps": {steps}, "queries": {`[{},{},{},{},{}]`}, "queryTexts": {`["","","","",""]`},
		"stepGroups": {`[{"c":"and"},{"c":"and"},{"c":"and"},{"c":"and"},{"c":"and"}]`}, "options": {`{"order":"` + order + `","window":86400}`},
	})
	if err != nil {
		return "", err
	}
	var made struct {
		Result json.RawMessage `json:"result"`
	}
	var id string
	if err := json.Unmarshal(body, &made); err != nil || json.Unmarshal(made.Result, &id) != nil || id == "" {
		return "", fmt.Errorf("keep funnel: %.200s", body)
	}
	return id, nil
}

// queries measures questions over event rows: one after the other on a server that rests, in turn with the same question in SQL that was written by hand,
// on a copy of the server's file; then with 24 clients beside ingestion. It returns the server of the end: for the copy it is started again.
func queries(ctx context.Context, o *Options, r *Report, s *server) (_ *server, err error) {
	if _, err := s.settle(ctx, o); err != nil {
		return s, err
	}
	key := s.apiKey
	byHand, s, err := s.copied(ctx, o)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, byHand.close()) }()
	s.apiKey = key
	list, err := s.questions(ctx)
	if err != nil {
		return s, err
	}
	for _, q := range list {
		if err := s.alone(ctx, o, r, q, byHand); err != nil {
			return s, err
		}
	}
	r.add("queries", "peak memory of the server (RSS) with --memory "+o.Memory, "≤ "+o.Memory, "%s", mib(s.memory("VmHWM")))
	g, err := traffic.New(traffic.Config{Seed: o.Seed + 3, AppKey: s.app.Key, Users: o.Users, Start: o.Now().Add(-24 * time.Hour), SessionsPerDay: float64(o.Users) / 5, EventsPerRequest: 10})
	if err != nil {
		return s, err
	}
	reads := make([]read, 0, len(list))
	for _, q := range list {
		reads = append(reads, q.read)
	}
	return s, s.loaded(ctx, o, r, g, "queries", "24 clients with these questions", 24, reads)
}

// days sets the period of a round, which ends with the day before that of the round before; the first round's ends today. to is not included.
func (q question) days(o *Options, round int) (from, to time.Time) {
	to = o.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 1-round)
	from = to.AddDate(0, 0, -31)
	q.values.Set("period", fmt.Sprintf("[%d,%d]", from.UnixMilli(), to.AddDate(0, 0, -1).UnixMilli()))
	return from, to
}

// alone asks one question again and again. Answers are remembered until data change, so each round has other days.
func (s *server) alone(ctx context.Context, o *Options, r *Report, q question, byHand *hand) error {
	var took, other []time.Duration
	var cold, used, usedByHand time.Duration
	var size int
	for round := range questionRounds + 1 {
		from, to := q.days(o, round)
		before, began := s.cpu(), o.Now()
		body, err := s.read(ctx, q.read)
		needed := o.Now().Sub(began)
		switch {
		case err != nil:
			return fmt.Errorf("%s: %w", q.name, err)
		case bytes.Contains(body, []byte(`"task_id"`)):
			return fmt.Errorf("%s: it went on as a task after %s", q.name, ms(needed))
		}
		cpu := s.cpu() - before
		var neededByHand time.Duration
		own := cpuOf("self")
		if q.figure != nil && byHand != nil {
			if neededByHand, err = byHand.ask(ctx, o, q, body, from, to); err != nil {
				return fmt.Errorf("%s: %w", q.name, err)
			}
		}
		if round == 0 {
			cold, size = needed, len(body)
			continue
		}
		took, other, used, usedByHand = append(took, needed), append(other, neededByHand), used+cpu, usedByHand+cpuOf("self")-own
	}
	if size < 100 {
		return errors.New(q.name + ": the answer is empty")
	}
	r.add("queries", q.name+": p50, max, first, CPU, bytes", q.budget, "%s, %s, %s, %.0f ms, %d",
		ms(quantile(took, 0.5)), ms(quantile(took, 1)), ms(cold), used.Seconds()*1e3/questionRounds, size)
	if q.figure != nil && byHand != nil {
		mine, theirs := quantile(took, 0.5), quantile(other, 0.5)
		r.add("queries", "… in SQL by hand: p50, max, CPU; the server's p50 as a multiple of it", "≤ 1.3", "%s, %s, %.0f ms; %.2f",
			ms(theirs), ms(quantile(other, 1)), usedByHand.Seconds()*1e3/questionRounds, float64(mine)/float64(theirs))
	}
	return nil
}

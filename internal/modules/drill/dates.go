package drill

import (
	"context"
	"regexp"
	"slices"
	"time"

	"quipu/internal/filter"
	"quipu/internal/model"
	"quipu/internal/query"
	"quipu/internal/store/events"
)

// dateFormat is a form of ISO 8601 in which text may tell days or moments.
type dateFormat struct {
	name    string
	pattern string // of package regexp, which filters take as well
}

const isoDay = `\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`

// dateFormats lists the forms that are known.
func dateFormats() []dateFormat {
	return []dateFormat{
		{"date", `^` + isoDay + `$`},
		{"datetime", `^` + isoDay + `[T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d([.,]\d{1,9})?)?(Z|[+-]\d{2}(:?\d{2})?)?$`},
	}
}

// findFormat says whether all values of a text are dates, of the rows of an event or, for "", of users. values are the most frequent ones;
// only when all of these are dates, all others are looked at.
func (s *service) findFormat(ctx context.Context, app model.AppID, p *property, values []string, event, path string) error {
	if len(values) == 0 || p.Type != typeList && p.Type != typeBig {
		return nil
	}
	for _, f := range dateFormats() {
		form, err := regexp.Compile(f.pattern)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(values, func(v string) bool { return !form.MatchString(v) || !isDay(v[:len(time.DateOnly)]) }) {
			continue
		}
		n, err := s.others(ctx, app, f.pattern, event, path)
		if err != nil {
			return err
		}
		if n == 0 {
			p.Format = f.name
		}
		return nil
	}
	return nil
}

// isDay reports whether a text is a day of the calendar.
func isDay(text string) bool {
	_, err := time.Parse(time.DateOnly, text)
	return err == nil
}

// others counts the rows of an event, or for "" the users, whose value is not of a form.
func (s *service) others(ctx context.Context, app model.AppID, pattern, event, path string) (int64, error) {
	conditions := []any{
		map[string]any{path: map[string]any{"$exists": true}},
		map[string]any{path: map[string]any{"$not": map[string]any{"$regex": pattern}}},
	}
	if event != "" {
		e, n := events.Selector(event)
		conditions = append(conditions, map[string]any{"e": e})
		if n != "" {
			conditions = append(conditions, map[string]any{"n": n})
		}
	}
	f, err := filter.Parse(map[string]any{"$and": conditions})
	if err != nil {
		return 0, err
	}
	if event != "" {
		return s.tables.CountEvents(ctx, app, f)
	}
	_, n, err := s.people.List(ctx, app, query.Page{Filter: f})
	return n, err
}

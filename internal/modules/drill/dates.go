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

// format is a form that all values of a text may have.
type format struct {
	name string
	// of is what filters ask of a value to find whether it has the form, and is the same of the text of a value that is listed.
	of any
	is func(text string) bool
}

const isoDay = `\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`

// formats lists the forms that are known: booleans, and forms of ISO 8601 in which text may tell days or moments.
func formats() []format {
	return []format{
		{"boolean", map[string]any{"$in": []any{true, false}}, func(text string) bool { return text == "true" || text == "false" }},
		dated("date", `^`+isoDay+`$`),
		dated("datetime", `^`+isoDay+`[T ]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d([.,]\d{1,9})?)?(Z|[+-]\d{2}(:?\d{2})?)?$`),
	}
}

// dated is the format of texts that begin with a day and match a pattern of package regexp, which filters take as well.
func dated(name, pattern string) format {
	form := regexp.MustCompile(pattern)
	return format{name, map[string]any{"$regex": pattern}, func(text string) bool { return form.MatchString(text) && isDay(text[:len(time.DateOnly)]) }}
}

// findFormat says whether all values of a text are of one form, of the rows of an event or, for "", of users. values are the most frequent ones;
// only when all of these are, all others are looked at.
func (s *service) findFormat(ctx context.Context, app model.AppID, p *property, values []string, event, path string) error {
	if len(values) == 0 || p.Type != typeList && p.Type != typeBig {
		return nil
	}
	for _, f := range formats() {
		if slices.ContainsFunc(values, func(v string) bool { return !f.is(v) }) {
			continue
		}
		n, err := s.others(ctx, app, f.of, event, path)
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
func (s *service) others(ctx context.Context, app model.AppID, form any, event, path string) (int64, error) {
	conditions := []any{
		map[string]any{path: map[string]any{"$exists": true}},
		map[string]any{path: map[string]any{"$not": form}},
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

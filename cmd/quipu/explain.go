package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strconv"
	"strings"

	"quipu/client"
	"quipu/internal/api"
	"quipu/internal/query/explain"
	"quipu/internal/store/events/plan"
)

type explainCommand struct{ asked }

// Help shows examples.
func (*explainCommand) Help() string {
	return `Makes a read as quipu query does and shows, instead of its answer, the effective query, the cells that were read, and what the event store ran: plans, SQL, values, rows read. docs/reference/explain.md says what each of it means. Needs the key of a global administrator, as values of any app's users may be shown.

Examples:

    quipu query explain sessions --app Shop --period 7days

    quipu query explain --app Shop /o/explore/count events='["purchase"]' query='{"sg.plan":"pro"}'

` + remoteHelp
}

// Run makes the read and prints what it did. A read that fails is an error.
func (c *explainCommand) Run(ctx context.Context, out io.Writer) error {
	server, path, params, err := c.parse(ctx)
	if err != nil {
		return err
	}
	read := (&url.URL{Path: path, RawQuery: params.Encode()}).String()
	answer, err := server.GetExplain(ctx, client.GetExplainParams{Read: read})
	var refused *client.Error
	switch {
	case errors.As(err, &refused) && refused.Code == "access.no_right":
		return fmt.Errorf("only global administrators may explain reads, and the key is not one's: %w", err)
	case err != nil:
		return err
	}
	var e api.Explanation
	d := json.NewDecoder(bytes.NewReader(answer))
	d.UseNumber() // values as they are
	if err := d.Decode(&e); err != nil {
		return fmt.Errorf("answer of /o/explain: %w", err)
	}
	if c.Output == "json" {
		err = printJSON(out, answer)
	} else {
		err = printExplanation(out, &e)
	}
	switch {
	case err != nil:
		return err
	case e.Error != "":
		return fmt.Errorf("the read failed: %s (status %d)", e.Error, e.Status)
	}
	return nil
}

// printExplanation prints what a read did, for people.
func printExplanation(out io.Writer, e *api.Explanation) error {
	fmt.Fprintf(out, "Read %s\nAnswer: status %d, %d bytes\n", printable(e.Read), e.Status, e.Bytes)
	if len(e.Query.Periods) > 0 {
		fmt.Fprintln(out, "\nPeriods")
		for _, p := range e.Query.Periods {
			fmt.Fprintf(out, "  %s\n", periodText(p))
		}
	}
	if len(e.Query.Questions) > 0 {
		fmt.Fprintln(out, "\nEffective query")
	}
	for i := range e.Query.Questions {
		if err := printQuestion(out, &e.Query.Questions[i]); err != nil {
			return err
		}
	}
	if len(e.Query.Cohorts) > 0 {
		fmt.Fprintln(out, "\nCohorts")
		for _, c := range e.Query.Cohorts {
			users := strconv.Itoa(c.Users) + " users"
			if c.Unknown {
				users = "unknown"
			}
			fmt.Fprintf(out, "  %s of app %s: %s\n", printable(c.ID), c.App, users)
		}
	}
	fmt.Fprintln(out, "\nCells read")
	if err := printCells(out, e.Cells, e.CellsOmitted); err != nil {
		return err
	}
	fmt.Fprintln(out, "\nStatements of the event store")
	if len(e.Statements) == 0 {
		fmt.Fprintln(out, "  none")
	}
	for i := range e.Statements {
		printStatement(out, i+1, &e.Statements[i])
	}
	return printOmitted(out, e.Omitted)
}

func printOmitted(out io.Writer, n int) (err error) {
	if n > 0 {
		_, err = fmt.Fprintf(out, "  … %d more\n", n)
	}
	return err
}

func periodText(p explain.Period) string { return fmt.Sprintf("%s to %s, %s", p.From, p.To, p.Zone) }

func printQuestion(out io.Writer, q *explain.Question) error {
	why := ""
	if q.Reason != "" {
		why = ": " + q.Reason
	}
	fmt.Fprintf(out, "  %s of app %s, from %s%s\n", q.Asks, q.App, q.Source, why)
	if q.Period != (explain.Period{}) {
		fmt.Fprintf(out, "    period      %s\n", periodText(q.Period))
	}
	line := func(name string, v any, some bool) error {
		if !some {
			return nil
		}
		var text strings.Builder
		enc := json.NewEncoder(&text)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil {
			return fmt.Errorf("print: %w", err)
		}
		_, err := fmt.Fprintf(out, "    %-11s %s\n", name, printable(strings.TrimSpace(text.String())))
		return err
	}
	var steps []error
	for i, step := range q.Steps {
		steps = append(steps, line(fmt.Sprint("step ", i+1), step, len(step) > 0))
	}
	return errors.Join(append(steps,
		line("exclusions", q.Exclusions, len(q.Exclusions) > 0), line("filter", q.Filter, !q.Filter.IsZero()), line("search", q.Search, q.Search != ""),
		line("by", q.By, len(q.By) > 0), line("counted by", q.CountBy, q.CountBy != ""),
	)...)
}

func printCells(out io.Writer, list []explain.Cells, omitted int) error {
	if len(list) == 0 {
		_, err := fmt.Fprintln(out, "  none")
		return err
	}
	rows := [][]string{{"  SERIES", "BUCKETS", "ANSWER", "RETURNED", "CELLS READ", "SECONDS", "APP"}}
	for i := range list {
		c := &list[i]
		series := strings.Join(append([]string{c.Series}, c.Of...), " / ")
		if c.Value != "" {
			series += " = " + c.Value
		}
		var spans []string
		for _, s := range c.Spans {
			buckets := s.Grain + " " + s.First
			if s.Last != s.First {
				buckets = s.Grain + "s " + s.First + " to " + cmp.Or(s.Last, "the last")
			}
			spans = append(spans, buckets)
		}
		read := strconv.FormatInt(c.Read, 10)
		if c.Remembered {
			read = "remembered"
		}
		if c.Error != "" {
			read += ", error: " + c.Error
		}
		rows = append(rows, []string{"  " + series, strings.Join(spans, ", "), c.Answer, strconv.FormatInt(c.Returned, 10), read, fmt.Sprintf("%.6f", c.Seconds), c.App})
	}
	if err := printRows(out, rows); err != nil {
		return err
	}
	return printOmitted(out, omitted)
}

func printStatement(out io.Writer, n int, s *plan.Statement) {
	count := func(rows int64) string {
		if rows < 0 {
			return "unknown"
		}
		return strconv.FormatInt(rows, 10)
	}
	if s.Remembered {
		fmt.Fprintf(out, "  %d. remembered: nothing was run\n", n)
	} else {
		fmt.Fprintf(out, "  %d. rows read: %s, returned: %s, %.6f s\n", n, count(s.Read), count(s.Returned), s.Seconds)
	}
	for _, part := range []struct{ name, text string }{{"plan", s.Plan}, {"SQL", s.SQL}, {"error", s.Error}} {
		if part.text != "" {
			fmt.Fprintf(out, "     %-7s %s\n", part.name, printable(strings.ReplaceAll(part.text, "\n", " ")))
		}
	}
	if len(s.Args) > 0 {
		values := make([]string, len(s.Args))
		for i, v := range s.Args {
			values[i] = fmt.Sprint(v)
			if text, ok := v.(string); ok {
				values[i] = strconv.Quote(text)
			}
		}
		fmt.Fprintf(out, "     values  %s\n", printable(strings.Join(values, ", ")))
	}
}

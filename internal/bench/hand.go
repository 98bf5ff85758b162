package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"quipu/internal/model"
	"quipu/internal/store/events/duck/handsql"
)

// handMemory is what DuckDB takes for statements that were written by hand: twice what it takes in a server of 1 GiB.
const handMemory = 512 << 20

// manyEvents is with how many events no answer may be empty.
const manyEvents = 100_000

// figures sum up answers by the name of their question, as the columns of handsql's statements do.
var figures = map[string]func([]byte) (float64, error){
	"an event by day, filtered by country":        trendFigure,
	"people who viewed, by day":                   trendFigure,
	"an event by a property of 400 values":        trendFigure,
	"an event by a property of 10,000 values":     trendFigure,
	"views by three properties, with other":       breakdownFigure,
	"percentiles of a sum by day":                 trendFigure,
	"an event of those who did not do another":    trendFigure,
	"funnel of 5 steps in sequence":               funnelFigure,
	"funnel of 5 steps, strict":                   funnelFigure,
	"funnel of 5 steps in any order":              funnelFigure,
	"retention by day, first session":             retentionFigure,
	"retention by day, recurring session":         retentionFigure,
	"retention by day, recurring event, filtered": retentionFigure,
	"lifecycle and stickiness by day":             activityFigure,
	"formula of two events by day":                formulaFigure,
}

// trendFigure is users and events of all, users of each day or group, and the first measure of each and of all.
func trendFigure(body []byte) (sum float64, err error) {
	type row struct {
		U, T float64
		M    []float64
	}
	var got struct {
		Totals   row
		Data     struct{ Daily map[string]row }
		Segments map[string]row
	}
	err = json.Unmarshal(body, &got)
	add := func(r row) {
		sum += r.U
		if len(r.M) > 0 {
			sum += r.M[0]
		}
	}
	add(got.Totals)
	sum += got.Totals.T
	for _, r := range got.Data.Daily {
		add(r)
	}
	for _, r := range got.Segments {
		add(r)
	}
	return sum, err
}

// breakdownFigure is users and events of all, and users of each group, of the rest, and of both by day.
func breakdownFigure(body []byte) (sum float64, err error) {
	type row struct{ U, T float64 }
	var got struct {
		Totals   row
		Segments map[string]row
		Data     struct{ Daily map[string]map[string]row }
		Other    struct {
			row
			Data struct{ Daily map[string]row }
		}
	}
	err = json.Unmarshal(body, &got)
	sum = got.Totals.U + got.Totals.T + got.Other.U
	for _, r := range got.Segments {
		sum += r.U
	}
	for _, groups := range got.Data.Daily {
		for _, r := range groups {
			sum += r.U
		}
	}
	for _, r := range got.Other.Data.Daily {
		sum += r.U
	}
	return sum, err
}

// funnelFigure is users of all steps.
func funnelFigure(body []byte) (sum float64, err error) {
	var got struct{ Steps []struct{ Users float64 } }
	err = json.Unmarshal(body, &got)
	for _, s := range got.Steps {
		sum += s.Users
	}
	return sum, err
}

// retentionFigure is users of all cohorts and those who came back by age.
func retentionFigure(body []byte) (sum float64, err error) {
	var got struct {
		Rows []struct {
			Users float64
			Cells []struct{ Users float64 }
		}
	}
	err = json.Unmarshal(body, &got)
	for _, r := range got.Rows {
		sum += r.Users
		for _, c := range r.Cells {
			sum += c.Users
		}
	}
	return sum, err
}

// activityFigure is users of all days.
func activityFigure(body []byte) (sum float64, err error) {
	var got struct {
		Lifecycle []struct{ New, Returning, Resurrected float64 }
	}
	err = json.Unmarshal(body, &got)
	for _, l := range got.Lifecycle {
		sum += l.New + l.Returning + l.Resurrected
	}
	return sum, err
}

// formulaFigure is the sum of the values of all days.
func formulaFigure(body []byte) (sum float64, err error) {
	var got struct {
		Data struct {
			Daily struct{ Current struct{ Value []float64 } }
		}
	}
	err = json.Unmarshal(body, &got)
	for _, v := range got.Data.Daily.Current.Value {
		sum += v
	}
	return sum, err
}

// hand is a copy of a server's event store.
type hand struct {
	db   *handsql.DB
	app  model.AppID
	file string
}

// copied stops the server, copies its event store and starts it again. The copy is nil where the app has too few rows for tables of its own. On an error,
// the server may be nil.
func (s *server) copied(ctx context.Context, o *Options) (*hand, *server, error) {
	app, err := model.ParseID(s.app.ID)
	if err != nil {
		return nil, s, fmt.Errorf("app: %w", err)
	}
	if err := s.stop(); err != nil {
		return nil, nil, errors.Join(err, s.remove())
	}
	h := &hand{app: app, file: filepath.Join(filepath.Dir(s.dir), "copy.duckdb")}
	if err := copyFile(h.file, filepath.Join(s.dir, "events.duckdb")); err != nil {
		return nil, nil, errors.Join(err, s.remove())
	}
	next, err := s.again(ctx, o)
	if err != nil {
		return nil, nil, errors.Join(err, s.remove())
	}
	if h.db, err = handsql.Open(h.file, handMemory, max(1, runtime.NumCPU()/2)); err != nil {
		return nil, next, errors.Join(err, os.Remove(h.file))
	}
	ok, err := h.db.Has(ctx, app)
	if err != nil || !ok {
		return nil, next, errors.Join(err, h.close())
	}
	return h, next, nil
}

func (h *hand) close() error {
	if h == nil {
		return nil
	}
	if err := errors.Join(h.db.Close(), os.Remove(h.file)); err != nil {
		return fmt.Errorf("copy of the event store: %w", err)
	}
	return nil
}

// ask asks the question of a server, whose answer is body, and compares the figures.
func (h *hand) ask(ctx context.Context, o *Options, q question, body []byte, from, to time.Time) (time.Duration, error) {
	want, err := q.figure(body)
	if err == nil && want == 0 && o.ReadEvents >= manyEvents {
		err = errors.New("it is empty")
	}
	if err != nil {
		return 0, fmt.Errorf("answer: %w: %.200s", err, body)
	}
	began := o.Now()
	known := o.Now().UTC().Truncate(24*time.Hour).AddDate(0, 0, 1)
	got, err := h.db.Ask(ctx, q.name, h.app, from.UnixMilli(), to.UnixMilli(), known.UnixMilli())
	took := o.Now().Sub(began)
	if err == nil && math.Abs(got-want) > 1e-9*math.Abs(want) {
		err = fmt.Errorf("from %s on: %v by hand, the server has %v", from.Format(time.DateOnly), got, want)
	}
	return took, err
}

func copyFile(to, from string) error {
	in, err := os.Open(from) // in the folder of the benchmark
	if err != nil {
		return fmt.Errorf("copy: %w", err)
	}
	out, err := os.Create(to)
	if err != nil {
		return errors.Join(fmt.Errorf("copy: %w", err), in.Close())
	}
	_, err = io.Copy(out, in)
	if err := errors.Join(err, in.Close(), out.Close()); err != nil {
		return fmt.Errorf("copy: %w", err)
	}
	return nil
}

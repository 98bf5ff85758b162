package query

import (
	"context"
	"database/sql"
	"fmt"
	"math/big"
	"reflect"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
)

// Bounds of answers, beside their bytes.
const (
	maxAnswers  = 50_000
	answerShare = 16 // an answer that takes more than such a part of the room is not kept
	answerBytes = 200
)

// Versions says when the data of an app changed.
type Versions interface {
	// Version returns a number that grows with each change of what a read of the app's data finds, wherever the change is on its way. It grows when
	// reads can find the change, and before its writer goes on.
	Version(app model.AppID) uint64
}

// Recalling is a reader of the event store over which Tables, People, Funnels and Retentions remember their answers, for as long as the data of the app
// has the same version. A question that is asked again while it is being answered waits for that answer. Make it by Recall.
type Recalling struct {
	events.Reader
	answers *answers
	held    *heldRows  // nil = none are
	texts   *heldTexts // nil = none are
	lookups Lookups
}

// Recall returns a reader of the same rows that remembers answers in about so many bytes.
func Recall(rows events.Reader, versions Versions, bytes int64) *Recalling {
	return &Recalling{Reader: rows, answers: newAnswers(versions, bytes)}
}

// Holding returns a reader of the same rows, with the same answers, that holds rows by user in about so many bytes, for figures of cohorts, while Hold runs. short
// says that memory is short, so that nothing more is to be held.
func (r *Recalling) Holding(versions Rewriting, bytes int64, short func() bool) *Recalling {
	out := *r
	out.held = newHeldRows(versions, bytes, short)
	return &out
}

// Searching returns a reader of the same rows, with the same answers, that holds the texts that searches among users look at in about so many bytes, while Hold runs.
func (r *Recalling) Searching(data Subscriptions, profiles Profiles, bytes int64, short func() bool) *Recalling {
	out := *r
	out.texts = newHeldTexts(rewriting{r.Reader}, data, profiles, bytes, short)
	return &out
}

// Knowing returns a reader of the same rows, with the same answers, in whose plans cohorts and groups of crashes are known.
func (r *Recalling) Knowing(l Lookups) *Recalling {
	out := *r
	out.lookups = l
	return &out
}

// Forget drops the answers about an app.
func (r *Recalling) Forget(app model.AppID) {
	r.answers.forget(app)
	if r.held != nil {
		r.held.forget(app)
	}
	if r.texts != nil {
		r.texts.forget(app)
	}
}

// Bytes returns about how much memory the answers, and rows and texts that are held, take.
func (r *Recalling) Bytes() int64 {
	r.answers.mu.Lock()
	n := r.answers.bytes
	r.answers.mu.Unlock()
	if r.held != nil {
		r.held.mu.Lock()
		n += r.held.bytes + r.held.lent
		r.held.mu.Unlock()
	}
	if r.texts != nil {
		r.texts.mu.Lock()
		n += r.texts.bytes
		r.texts.mu.Unlock()
	}
	return n
}

// answersOf returns what remembers answers over rows; nil = nothing does.
func answersOf(rows Rows) *answers {
	if r, ok := rows.(*Recalling); ok {
		return r.answers
	}
	return nil
}

// heldOf returns what holds rows by user; nil = nothing does.
func heldOf(rows Rows) *heldRows {
	if r, ok := rows.(*Recalling); ok {
		return r.held
	}
	return nil
}

// textsOf returns what holds the texts of users; nil = nothing does.
func textsOf(rows Rows) *heldTexts {
	if r, ok := rows.(*Recalling); ok {
		return r.texts
	}
	return nil
}

// lookupsOf returns what knows the names in plans over rows that Recalling reads.
func lookupsOf(rows Rows) Lookups {
	switch r := rows.(type) {
	case *Recalling:
		return r.lookups
	case knowing:
		return r.lookups
	}
	return Lookups{}
}

// recalled returns a reader of the same rows that remembers the results of plans, if anything remembers.
func recalled(rows Rows, a *answers) Rows {
	if a == nil {
		return rows
	}
	return recalling{rows, a}
}

// answers are values by question. The version of the data is asked for before it is read, so an answer never claims to be newer than it is.
type answers struct {
	versions Versions
	limit    int64 // bytes, estimated

	mu       sync.Mutex
	lru      simplelru.LRUCache[answerKey, *answer]
	bytes    int64
	underWay map[answerKey]chan struct{} // closed when the answer is there, or is not to be had
}

type answerKey struct {
	app model.AppID
	key plan.Key
}

// answer is never changed.
type answer struct {
	version uint64
	value   any
	bytes   int64
}

func newAnswers(versions Versions, limit int64) *answers {
	a := &answers{versions: versions, limit: limit, underWay: map[answerKey]chan struct{}{}}
	a.lru, _ = simplelru.NewLRU(maxAnswers, func(_ answerKey, e *answer) { a.bytes -= e.bytes }) // fails for a size of 0 only
	return a
}

// notKept is the size of a value that is not to be kept.
const notKept = -1

// do returns the value that is remembered of a question, or what compute returns, which is kept unless it is too large, or
// notKept. Values are shared: nobody changes them. The zero answers, nil, remember nothing.
func (a *answers) do(ctx context.Context, app model.AppID, key plan.Key, compute func() (value any, bytes int64, err error)) (value any, remembered bool, err error) {
	if a == nil {
		value, _, err = compute()
		return value, false, err
	}
	k := answerKey{app, key}
	for waited := false; ; waited = true {
		version := a.versions.Version(app)
		e, other, mine := a.find(k, version, waited)
		if e != nil {
			return e.value, true, nil
		}
		if other != nil {
			select {
			case <-other:
				continue
			case <-ctx.Done():
				return nil, false, ctx.Err()
			}
		}
		if mine != nil {
			defer a.end(k, mine)
		}
		value, size, err := compute()
		if err == nil && size != notKept {
			a.put(k, &answer{version: version, value: value, bytes: size + answerBytes})
		}
		return value, false, err
	}
}

// find returns what is remembered in a version, or who else is computing it, or, if nobody is, what others wait for from now on.
// Callers that have waited compute anyway.
func (a *answers) find(k answerKey, version uint64, waited bool) (found *answer, other <-chan struct{}, mine chan struct{}) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if e, ok := a.lru.Get(k); ok {
		if e.version == version {
			return e, nil, nil
		}
		a.lru.Remove(k)
	}
	if c := a.underWay[k]; c != nil {
		if waited {
			return nil, nil, nil
		}
		return nil, c, nil
	}
	mine = make(chan struct{})
	a.underWay[k] = mine
	return nil, nil, mine
}

// end lets those go on who wait.
func (a *answers) end(k answerKey, mine chan struct{}) {
	a.mu.Lock()
	delete(a.underWay, k)
	a.mu.Unlock()
	close(mine)
}

func (a *answers) put(k answerKey, e *answer) {
	if e.bytes > a.limit/answerShare {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.lru.Remove(k)
	a.bytes += e.bytes
	a.lru.Add(k, e)
	for a.bytes > a.limit {
		a.lru.RemoveOldest()
	}
}

func (a *answers) forget(app model.AppID) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, k := range a.lru.Keys() {
		if k.app == app {
			a.lru.Remove(k)
		}
	}
}

// note says in the trace of a context that an answer was remembered.
func note(ctx context.Context, text func() string, rows int64) {
	if t := plan.TraceOf(ctx); t != nil {
		t.Add(plan.Statement{Plan: text(), Remembered: true, Returned: rows})
	}
}

// recalling remembers the results of plans.
type recalling struct {
	Rows
	answers *answers
}

// Run implements Rows.
func (r recalling) Run(ctx context.Context, q *plan.Query, fn func(events.Scanner) error) error {
	value, remembered, err := r.answers.do(ctx, q.App, q.Key(), func() (any, int64, error) {
		rec := &recorder{room: r.answers.limit / answerShare}
		err := r.Rows.Run(ctx, q, func(row events.Scanner) error {
			rec.row, rec.scanned = row, false
			err := fn(rec)
			if !rec.scanned {
				rec.drop()
			}
			return err
		})
		return rec.kept, rec.size(), err
	})
	if err != nil || !remembered {
		return err
	}
	rows, _ := value.([]keptValues)
	note(ctx, q.String, int64(len(rows)))
	for _, row := range rows {
		if err := fn(row); err != nil {
			return err
		}
	}
	return nil
}

// recorder keeps the rows that are scanned through it while they fit into its room.
type recorder struct {
	row     events.Scanner
	scanned bool
	room    int64 // bytes; negative = they do not fit
	bytes   int64
	kept    []keptValues
}

func (r *recorder) size() int64 {
	if r.room < 0 {
		return notKept
	}
	return r.bytes
}

func (r *recorder) drop() { r.room, r.kept = -1, nil }

// Scan implements events.Scanner.
func (r *recorder) Scan(dest ...any) error {
	r.scanned = true
	if r.room < 0 {
		return r.row.Scan(dest...)
	}
	values := make(keptValues, len(dest))
	if err := r.row.Scan(places(values)...); err != nil {
		return err
	}
	if r.bytes += values.size(); r.bytes > r.room {
		r.drop()
	} else {
		r.kept = append(r.kept, values)
	}
	return values.Scan(dest...)
}

// keptValues are the values of a row.
type keptValues []any

// size estimates the bytes of a row.
func (v keptValues) size() int64 {
	n := int64(24)
	for _, value := range v {
		n += 24
		switch value := value.(type) {
		case string:
			n += 8 + int64(len(value))
		case []byte:
			n += 16 + int64(len(value))
		case *big.Int:
			n += 48
		}
	}
	return n
}

// Scan implements events.Scanner, with the conversions of package sql.
func (v keptValues) Scan(dest ...any) error {
	if len(dest) != len(v) {
		return fmt.Errorf("query: %d places for %d values", len(dest), len(v))
	}
	for i, d := range dest {
		if err := assign(d, v[i]); err != nil {
			return fmt.Errorf("query: value %d: %w", i, err)
		}
	}
	return nil
}

// assign puts a value into its place.
func assign(dest, value any) error {
	switch d := dest.(type) {
	case *any:
		*d = value
		return nil
	case sql.Scanner:
		return d.Scan(value)
	case *int64:
		return convert(d, value)
	case *int:
		return convert(d, value)
	case *uint64:
		return convert(d, value)
	case *uint32:
		return convert(d, value)
	case *uint16:
		return convert(d, value)
	case *int8:
		return convert(d, value)
	case *float64:
		return convert(d, value)
	case *string:
		return convert(d, value)
	case *bool:
		return convert(d, value)
	case **string:
		return optional(d, value)
	case **int64:
		return optional(d, value)
	case **float64:
		return optional(d, value)
	}
	to := reflect.ValueOf(dest)
	if to.Kind() == reflect.Pointer && value != nil && reflect.TypeOf(value).AssignableTo(to.Type().Elem()) {
		to.Elem().Set(reflect.ValueOf(value))
		return nil
	}
	return fmt.Errorf("no conversion of %T for %T", value, dest)
}

func convert[T any](dest *T, value any) error {
	if same, ok := value.(T); ok {
		*dest = same
		return nil
	}
	var n sql.Null[T]
	if err := n.Scan(value); err != nil {
		return err
	}
	if !n.Valid {
		return fmt.Errorf("NULL for %T", *dest)
	}
	*dest = n.V
	return nil
}

func optional[T any](dest **T, value any) error {
	if value == nil {
		*dest = nil
		return nil
	}
	*dest = new(T)
	return convert(*dest, value)
}

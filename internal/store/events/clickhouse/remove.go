package clickhouse

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/ch"
	"quipu/internal/store/events"
	"quipu/internal/store/events/plan"
	"quipu/internal/store/events/sqlplan"
	"quipu/internal/store/journal"
	"quipu/internal/store/schema"
)

// removal is a removal under way.
type removal struct {
	s       *Store
	app     model.AppID
	version uint64
	until   string // the condition of rows that came before it
}

// mutationPatience bounds a statement that changes rows: parts of tables are written again.
const mutationPatience = time.Hour

// byUser lists the tables whose rows point to a user.
func byUser() []plan.Table { return []plan.Table{plan.Events, plan.Requests, plan.States} }

// remove runs a removal and moves the watermark, unless the store did so before. A removal that died is done again: nothing came after it. One that an
// earlier holder of the partition still sends removes only what came before it.
func (s *Store) remove(ctx context.Context, id model.AppID, w journal.Watermark, what string, do func(context.Context, *removal) error) error {
	if s.o.Ledger == nil {
		return errReader
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	if err := s.removal(ctx, id, w, do); err != nil {
		return fmt.Errorf("%s of app %s in event store: %w", what, id, err)
	}
	return nil
}

func (s *Store) removal(ctx context.Context, id model.AppID, w journal.Watermark, do func(context.Context, *removal) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	own, err := s.o.Ledger.Watermark(ctx)
	if err != nil {
		return err
	}
	if own.Reaches(w) {
		return nil
	}
	var before []string
	for partition, offset := range w {
		noted, err := s.o.Ledger.Noted(ctx, partition)
		if err != nil {
			return err
		}
		if partition > maxPartition || noted != (events.Sending{}) {
			return fault.Newf(fault.Conflict, codeUnfinished, "rows of partition %d from %d to %d have to be sent before anything is removed", noted.Partition, noted.After, noted.Through)
		}
		first, last := span(events.Sending{Partition: partition, Through: offset})
		before = append(before, fmt.Sprintf("off >= %d AND off <= %d", first, last))
	}
	slices.Sort(before)
	version, err := s.o.Ledger.Version(ctx)
	if err != nil {
		return err
	}
	known, err := s.ask(ctx, id)
	if err != nil {
		return err
	}
	if known[id].exists {
		r := &removal{s: s, app: id, version: version, until: "(" + strings.Join(before, " OR ") + ")"}
		if err := do(ctx, r); err != nil {
			s.forget(id)
			return err
		}
	}
	return s.o.Ledger.Confirm(ctx, w)
}

// mutate changes rows of the app.
func (r *removal) mutate(ctx context.Context, table, change, where string, args ...any) error {
	return r.s.c.Change(ctx, ch.Change{Table: table, Do: change, Where: "app = '" + r.app.String() + "' AND " + where, Args: args, Loose: true, Timeout: mutationPatience})
}

// DropApp implements events.Writer.
func (s *Store) DropApp(ctx context.Context, id model.AppID, w journal.Watermark) error {
	return s.remove(ctx, id, w, "drop rows", func(ctx context.Context, r *removal) error {
		for _, t := range byUser() {
			if err := r.mutate(ctx, tableNames[t], "DELETE", r.until); err != nil {
				return err
			}
		}
		for _, table := range []string{tableNames[plan.Users], mergedTable} {
			if err := r.mutate(ctx, table, "DELETE", "version <= ?", r.version); err != nil {
				return err
			}
		}
		b := ch.NewBuilder([]ch.Spec{{Name: "app", Type: "String"}, {Name: "version", Type: "UInt64"}, {Name: "gone", Type: "UInt8"}})
		b.Text(0, id.String())
		b.Whole(1, r.version)
		b.Whole(2, 1)
		b.End()
		if err := s.c.Insert(ctx, ch.Statement{SQL: "INSERT INTO " + appsTable + " " + b.Names(), Settings: nameless(), Ordered: true}, b); err != nil {
			return err
		}
		s.note(id, app{})
		return nil
	})
}

// DeleteEvents implements events.Writer.
func (s *Store) DeleteEvents(ctx context.Context, id model.AppID, keys []string, w journal.Watermark) error {
	return s.remove(ctx, id, w, "delete events", func(ctx context.Context, r *removal) error {
		if len(keys) == 0 {
			return nil
		}
		return r.mutate(ctx, tableNames[plan.Events], "DELETE", "e = ? AND n IN (?) AND "+r.until, events.CustomKey, cleaned(keys))
	})
}

// DeleteNamed implements events.Writer.
func (s *Store) DeleteNamed(ctx context.Context, id model.AppID, keys, names []string, w journal.Watermark) error {
	return s.remove(ctx, id, w, "delete named rows", func(ctx context.Context, r *removal) error {
		if len(keys) == 0 || len(names) == 0 {
			return nil
		}
		return r.mutate(ctx, tableNames[plan.Events], "DELETE", "e IN (?) AND n IN (?) AND "+r.until, cleaned(keys), cleaned(names))
	})
}

// without is the JSON object in extra without a member, whose name is the placeholder; NULL when nothing is left. The other members stay as they are written.
const without = `nullIf(concat('{', arrayStringConcat(arrayMap(kv -> concat(replaceAll(toJSONString(kv.1), '\\/', '/'), ':', kv.2),
	arrayFilter(kv -> kv.1 != ?, JSONExtractKeysAndValuesRaw(coalesce(extra, '')))), ','), '}'), '{}')`

// ClearProperty implements events.Writer. From the JSON column the member called name is removed.
func (s *Store) ClearProperty(ctx context.Context, id model.AppID, event string, slots []schema.Slot, name string, w journal.Watermark) error {
	key, own := events.Selector(event)
	return s.remove(ctx, id, w, "clear property", func(ctx context.Context, r *removal) error {
		var sets []string
		var args []any
		for _, slot := range slots {
			column := sqlplan.SlotColumn(slot)
			switch {
			case slot.Kind == schema.JSON:
				sets, args = append(sets, sqlplan.RestColumn+" = "+without), append(args, events.CleanText(name))
			case column == "":
				return fmt.Errorf("property %q has no slot %+v", name, slot)
			default:
				sets = append(sets, column+" = NULL")
			}
		}
		if len(sets) == 0 {
			return nil
		}
		where := "e = ? AND " + r.until
		args = append(args, events.CleanText(key))
		if own != "" {
			where, args = "e = ? AND n = ? AND "+r.until, append(args, events.CleanText(own))
		}
		return r.mutate(ctx, tableNames[plan.Events], "UPDATE "+strings.Join(sets, ", "), where, args...)
	})
}

// DeleteUsers implements events.Writer.
func (s *Store) DeleteUsers(ctx context.Context, id model.AppID, uids []uint32, w journal.Watermark) error {
	return s.remove(ctx, id, w, "delete users", func(ctx context.Context, r *removal) error {
		if len(uids) == 0 {
			return nil
		}
		if err := s.rewrite(ctx, id); err != nil { // rows of users who were merged into them are theirs
			return err
		}
		for _, t := range byUser() {
			if err := r.mutate(ctx, tableNames[t], "DELETE", "uid IN (?) AND "+r.until, uids); err != nil {
				return err
			}
		}
		return r.mutate(ctx, tableNames[plan.Users], "DELETE", "uid IN (?) AND version <= ?", uids, r.version)
	})
}

// DropRows implements events.Writer.
func (s *Store) DropRows(ctx context.Context, id model.AppID, before int64, w journal.Watermark) error {
	return s.remove(ctx, id, w, "drop rows", func(ctx context.Context, r *removal) error {
		for _, t := range []plan.Table{plan.Events, plan.Requests} {
			if err := r.mutate(ctx, tableNames[t], "DELETE", "ts < ? AND "+r.until, before); err != nil {
				return err
			}
		}
		// A mutation runs in the background, where the database has to be named.
		used := func(t plan.Table, more string) string {
			return "state NOT IN (SELECT state FROM " + s.c.Database() + "." + tableNames[t] + more + " WHERE app = '" + id.String() + "' AND state IS NOT NULL)"
		}
		return r.mutate(ctx, tableNames[plan.States], "DELETE", used(plan.Events, "")+" AND "+used(plan.Users, " FINAL")+" AND "+r.until)
	})
}

// rewrite gives the rows of merged users their new users, and forgets that they were merged. The caller holds turn.
func (s *Store) rewrite(ctx context.Context, id model.AppID) error {
	known, err := s.ask(ctx, id)
	a := known[id]
	if err != nil || len(a.merged) == 0 {
		return err
	}
	old, to := arrays(a.merged)
	s.log.InfoContext(ctx, "event store rewrites rows of merged users", "app", id.String(), "users", len(a.merged))
	for _, t := range byUser() {
		c := ch.Change{Table: tableNames[t], Do: "UPDATE uid = transform(uid, " + old + ", " + to + ", uid)", Where: "app = '" + id.String() + "' AND has(" + old + ", uid)", Timeout: mutationPatience}
		if err := s.c.Change(ctx, c); err != nil {
			return err
		}
	}
	// Greater than that of all merges that were asked for: what comes later is not forgotten, from whichever writer.
	version, err := s.o.Ledger.Version(ctx)
	if err != nil {
		return err
	}
	b := mergedBuilder()
	for from, to := range a.merged {
		addMerged(b, id.String(), from, to, version, true)
	}
	if err := s.c.Insert(ctx, ch.Statement{SQL: "INSERT INTO " + mergedTable + " " + b.Names(), Settings: nameless(), Ordered: true}, b); err != nil {
		return err
	}
	a.merged = nil
	s.note(id, a)
	return nil
}

func cleaned(values []string) []string {
	out := make([]string, len(values))
	for i, v := range values {
		out[i] = events.CleanText(v)
	}
	return out
}

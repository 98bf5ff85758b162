package clickhouse

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"quipu/internal/model"
	"quipu/internal/store/ch"
	"quipu/internal/store/rollup"
	"quipu/internal/store/rollup/block"
)

// errReader says that the store was opened to read.
var errReader = errors.New("the store of cells was opened without a state: it only reads")

// placeBits are those of the number of an app's part in its block, stepBits those of a step within a part.
const (
	placeBits = 16
	stepBits  = 2
)

// The steps of a part, before each of which what was gathered may be sent.
const (
	stepRemove = iota
	stepReplace
	stepUnmerge
	stepEnd
)

// place is that of a part of a block among all of its partition. It is greater than 0, as blocks are numbered from 1.
func place(number uint64, part int) uint64 { return number<<placeBits | uint64(part) } // Put bounds it

// era is a removal of an app's cells, by its place in a partition. Cells that came behind it have it in their key.
type era struct {
	partition uint16
	at        uint64
}

// Put implements block.Store. Errors: those of package ch.
func (s *Store) Put(ctx context.Context, of block.Sending, blocks []block.Block) error {
	if s.o.State == nil {
		return errReader
	}
	if uint64(len(blocks)) != of.Last-of.First+1 || of.First == 0 {
		return fmt.Errorf("a batch of blocks %d to %d has %d", of.First, of.Last, len(blocks))
	}
	s.turn.Lock()
	defer s.turn.Unlock()
	p := &putting{s: s, of: of}
	defer func() { s.changes.note(p.touched) }() // whatever came through
	if err := p.all(ctx, blocks); err != nil {
		delete(s.at, of.Partition)
		for app := range p.touched {
			delete(s.eras, app)
		}
		return fmt.Errorf("put cells: %w", err)
	}
	return nil
}

// Forget drops what is known of partitions and eras, after the partitions held have changed.
func (s *Store) Forget() {
	s.turn.Lock()
	defer s.turn.Unlock()
	clear(s.at)
	clear(s.eras)
}

// putting is a sending on its way.
type putting struct {
	s       *Store
	of      block.Sending
	at      uint64 // place of the part that is done now
	step    uint64 // of the part
	had     uint64 // up to which step ClickHouse has the partition's inserts
	cells   map[model.AppID]map[uint64]rollup.Delta
	notes   notes
	merged  *ch.Builder
	inserts int
	touched map[model.AppID]bool // apps that changed
}

func (p *putting) all(ctx context.Context, blocks []block.Block) error {
	p.cells, p.notes, p.touched = map[model.AppID]map[uint64]rollup.Delta{}, notes{}, map[model.AppID]bool{}
	p.merged = ch.NewBuilder([]ch.Spec{{Name: "app", Type: "String"}, {Name: "old", Type: "Int64"}, {Name: "new", Type: "Int64"}, {Name: "version", Type: "UInt64"}, {Name: "gone", Type: "UInt8"}})
	if err := p.s.know(ctx, blocks); err != nil {
		return err
	}
	var err error
	if p.had, err = p.s.reached(ctx, p.of.Partition); err != nil {
		return err
	}
	for i, b := range blocks {
		if len(b) >= 1<<placeBits {
			return fmt.Errorf("a block of %d parts", len(b))
		}
		for k := range b {
			p.at = place(p.of.First+uint64(i), k) // few
			if err := p.part(ctx, &b[k]); err != nil {
				return err
			}
		}
	}
	p.step = stepEnd
	return p.flush(ctx)
}

// part does what a part of a block says, from the top down.
func (p *putting) part(ctx context.Context, a *block.App) error {
	p.touched[a.ID] = true
	p.step = stepRemove
	if len(a.Remove) > 0 {
		if err := p.flush(ctx); err != nil {
			return err
		}
		if err := p.s.begin(ctx, a.ID, era{p.of.Partition, p.at}); err != nil {
			return err
		}
		for _, r := range a.Remove {
			if err := p.s.remove(ctx, a.ID, p.at, r); err != nil {
				return err
			}
		}
		p.notes.add(a.ID, grainBucket{})
	}
	now := p.s.eraOf(a.ID, era{p.of.Partition, p.at})
	if len(a.Cells) > 0 {
		p.add(a.ID, now, a.Cells)
		p.notes.cells(a.ID, a.Cells)
	}
	p.step = stepReplace
	if len(a.Replace) > 0 {
		if err := p.flush(ctx); err != nil {
			return err
		}
		if err := p.s.replace(ctx, a.ID, now, a.Replace); err != nil {
			return err
		}
		p.notes.add(a.ID, grainBucket{})
	}
	p.step = stepUnmerge
	if a.Unmerge {
		if err := p.flush(ctx); err != nil {
			return err
		}
		if err := p.s.unmerge(ctx, a.ID, p.at); err != nil {
			return err
		}
		p.notes.add(a.ID, grainBucket{})
	}
	for old, to := range a.Merged {
		p.merged.Text(0, a.ID.String())
		p.merged.Whole(1, uint64(old))
		p.merged.Whole(2, uint64(to))
		p.merged.Whole(3, p.at)
		p.merged.Whole(4, map[bool]uint64{true: 1}[to == 0])
		p.merged.End()
	}
	return nil
}

// add gathers cells, which stay as they are.
func (p *putting) add(app model.AppID, at uint64, d rollup.Delta) {
	eras := p.cells[app]
	if eras == nil {
		eras = map[uint64]rollup.Delta{}
		p.cells[app] = eras
	}
	into := eras[at]
	if into == nil {
		into = make(rollup.Delta, len(d))
		eras[at] = into
	}
	for k, c := range d {
		if c == nil || c.IsZero() {
			continue
		}
		have, ok := into[k]
		if !ok {
			into[k] = c
			continue
		}
		sum := have.Clone()
		sum.Merge(c)
		into[k] = sum
	}
}

// flush sends what was gathered: first who was merged, then the cells with their notes, in one insert.
func (p *putting) flush(ctx context.Context) error {
	if err := p.s.c.Insert(ctx, ch.Statement{SQL: "INSERT INTO " + mergedTable + " " + p.merged.Names(), Settings: nameless(), Ordered: true}, p.merged); err != nil {
		return err
	}
	p.merged.Reset()
	if len(p.cells) == 0 && len(p.notes) == 0 {
		return nil
	}
	cells, changed := p.cells, p.notes
	p.cells, p.notes = map[model.AppID]map[uint64]rollup.Delta{}, notes{}
	p.inserts++
	at := p.at<<stepBits | p.step
	if at <= p.had { // they are there
		return nil
	}
	b, err := rows(cells)
	if err != nil {
		return err
	}
	mark(b, p.of.Partition, at)
	changed.write(b, p.of.Partition, at)
	token := fmt.Sprintf("%d:%d-%d:%d", p.of.Partition, p.of.First, p.of.Last, p.inserts)
	settings := map[string]string{"insert_deduplicate": "1", "insert_deduplication_token": token}
	maps.Copy(settings, p.s.c.Place().Shard(p.of.Partition)) // what an insert brings and how far it reaches is one part of one table
	if p.s.insists {
		settings[insisting] = "enable"
	}
	if err := p.s.c.Insert(ctx, ch.Statement{SQL: "INSERT INTO " + cellsTable + " " + b.Names(), Settings: settings}, b); err != nil {
		return err
	}
	p.had, p.s.at[p.of.Partition] = at, at
	return nil
}

// columns are those of cells, in the order of cell.
func columns() []ch.Spec {
	return []ch.Spec{
		{Name: "app", Type: "String"},
		{Name: "metric", Type: "UInt8"},
		{Name: "dim", Type: "String"},
		{Name: "grain", Type: "UInt8"},
		{Name: "bucket", Type: "UInt64"},
		{Name: "value", Type: "String"},
		{Name: "era", Type: "UInt64"},
		{Name: "first", Type: "UInt64"},
		{Name: "count", Type: "Int64"},
		{Name: "new", Type: "Int64"},
		{Name: "requests", Type: "Int64"},
		{Name: "sum", Type: "Float64"},
		{Name: "dur", Type: "Float64"},
		{Name: "flags", Type: "UInt8"},
		{Name: "users", Type: ch.UserSet},
	}
}

// rows returns cells as rows.
func rows(cells map[model.AppID]map[uint64]rollup.Delta) (*ch.Builder, error) {
	b := ch.NewBuilder(columns())
	var set bytes.Buffer
	for app, eras := range cells {
		name := app.String()
		for at, d := range eras {
			for k, c := range d {
				var few []uint32
				set.Reset()
				switch n := c.Uniques(); {
				case n > ch.MaxFew:
					if _, err := c.Users.WriteTo(&set); err != nil {
						return nil, err
					}
				case n > 0:
					few = c.Users.ToArray()
				}
				first := uint64(math.MaxUint64) // none
				if c.First != 0 {
					first = c.First
				}
				cell(b, name, k, at, first, c, few, set.Bytes())
			}
		}
	}
	return b, nil
}

// cell adds a row.
func cell(b *ch.Builder, app string, k rollup.Key, at, first uint64, c *rollup.Cell, few []uint32, many []byte) {
	b.Text(0, app)
	b.Whole(1, uint64(k.Series.Metric))
	b.Text(2, k.Series.Dim)
	b.Whole(3, uint64(k.Grain))
	b.Whole(4, uint64(k.Bucket))
	b.Text(5, k.Value)
	b.Whole(6, at)
	b.Whole(7, first)
	b.Whole(8, uint64(c.Count))     // its bits
	b.Whole(9, uint64(c.New))       // its bits
	b.Whole(10, uint64(c.Requests)) // its bits
	b.Number(11, c.Sum)
	b.Number(12, c.Dur)
	b.Whole(13, uint64(c.Flags))
	b.UserSet(14, few, many)
	b.End()
}

// mark adds the row that says how far the blocks of a partition are there. It has no app, and the least of its first column is what counts, so that is
// the complement of the step.
func mark(b *ch.Builder, partition uint16, at uint64) {
	cell(b, "", rollup.Key{Series: rollup.Series{Dim: strconv.Itoa(int(partition))}}, 0, complement(at), &rollup.Cell{}, nil, nil)
}

// reached returns up to which step the inserts of a partition are there.
func (s *Store) reached(ctx context.Context, partition uint16) (at uint64, err error) {
	if at, ok := s.at[partition]; ok {
		return at, nil
	}
	st := ch.Statement{SQL: "SELECT toUInt64(min(first)) FROM " + cellsTable + " WHERE app = '' AND metric = 0 AND dim = ? HAVING count() > 0", Args: []any{strconv.Itoa(int(partition))}}
	err = s.c.Each(ctx, st, func(b *ch.Block, row int) error {
		at = math.MaxUint64 - uint64(b.Columns[0].Whole[row]) // its bits
		return nil
	})
	if err == nil {
		s.at[partition] = at
	}
	return at, err
}

// maxEras is of how many apps the eras are known.
const maxEras = 100_000

// know asks for the eras of the apps of blocks that are not known.
func (s *Store) know(ctx context.Context, blocks []block.Block) error {
	if len(s.eras) > maxEras {
		clear(s.eras)
	}
	byName := map[string]model.AppID{}
	for _, b := range blocks {
		for i := range b {
			if _, ok := s.eras[b[i].ID]; !ok {
				byName[b[i].ID.String()] = b[i].ID
			}
		}
	}
	if len(byName) == 0 {
		return nil
	}
	names := make([]string, 0, len(byName))
	for name := range byName {
		names = append(names, name)
	}
	found := map[model.AppID][]era{}
	err := s.c.Each(ctx, ch.Statement{SQL: "SELECT DISTINCT app, partition, era FROM " + erasTable + " WHERE app IN (?)", Args: []any{names}, Ordered: true}, func(b *ch.Block, row int) error {
		app := byName[b.Columns[0].Text[row]]
		found[app] = append(found[app], era{uint16(b.Columns[1].Whole[row]), uint64(b.Columns[2].Whole[row])}) // as it was written
		return nil
	})
	if err != nil {
		return err
	}
	for _, app := range byName {
		s.eras[app] = found[app]
	}
	return nil
}

// begin begins an era of an app.
func (s *Store) begin(ctx context.Context, app model.AppID, e era) error {
	if slices.Contains(s.eras[app], e) {
		return nil
	}
	b := ch.NewBuilder([]ch.Spec{{Name: "app", Type: "String"}, {Name: "partition", Type: "UInt64"}, {Name: "era", Type: "UInt64"}})
	b.Text(0, app.String())
	b.Whole(1, uint64(e.partition))
	b.Whole(2, e.at)
	b.End()
	if err := s.c.Insert(ctx, ch.Statement{SQL: "INSERT INTO " + erasTable + " " + b.Names(), Settings: nameless(), Ordered: true}, b); err != nil {
		return err
	}
	s.eras[app] = append(s.eras[app], e)
	return nil
}

// eraOf returns the era of an app at a place: the last one that is not behind it. Removals of an app are all in one partition; places in other partitions, where no
// more than its refused requests are counted, are in the last era that is known.
func (s *Store) eraOf(app model.AppID, at era) (found uint64) {
	for _, e := range s.eras[app] {
		if e.partition != at.partition || e.at <= at.at {
			found = max(found, e.at)
		}
	}
	return found
}

// Package move copies what a server has collected from the stores of a data folder to those of a cluster, or the other way, and what arrives meanwhile behind it.
//
// The source is frozen: a snapshot in which everything up to an offset of its journal, Through, is projected, or a cluster that projects nothing. Rows go to the event store as the outbox
// moves them, partition by partition, under the offsets that they have; how far they are is the event store's own watermark. All else is a
// sequence of changes of the state, the same one each time that the source is read. Each moves the watermark of its partition by one, behind Through:
// so who begins again after a break leaves out what is committed, and nothing is there twice. Where the watermarks end is
// where the journal of the cluster begins, see journal.Behind: places of what was copied stay below those of what comes.
//
// Records behind Through are appended to the journal of the cluster in their order. As nobody else appends to it, the number of records
// in a partition says how many of them are there.
package move

import (
	"context"

	"quipu/internal/model"
	"quipu/internal/store/events"
	"quipu/internal/store/journal"
	"quipu/internal/store/marks"
	"quipu/internal/store/profile"
	"quipu/internal/store/rollup"
	"quipu/internal/store/schema"
	"quipu/internal/store/state"
)

// Source is what is copied. It must not change, and lists everything in the same order each time.
type Source struct {
	// Apps are those that may have data, the zero id for the server's own included.
	Apps []model.AppID
	// Of is the partition of an app in the source; nil = all are in 0, as in a folder.
	Of func(model.AppID) uint16
	// Through is the offset up to which everything is projected, the greatest of all partitions.
	Through  uint64
	Profiles interface {
		profile.Reader
		rollup.AliasSource
		EachPrint(ctx context.Context, fn func(model.AppID, profile.Print) error) error
	}
	Schema interface {
		Export(ctx context.Context, app model.AppID) (schema.AppChange, error)
	}
	Marks marks.Reader
	Cells rollup.AppScanner
	Rows  events.Reader
	// Places rewrites the journal places that features keep in a profile, each by to; nil means there are none.
	Places func(p *model.Profile, to func(place uint64) uint64)
}

func (s *Source) of(app model.AppID) uint16 {
	if s.Of == nil {
		return 0
	}
	return s.Of(app)
}

// Target is where to.
type Target struct {
	// Partitions is the number of partitions, all of which are held, and Of that of an app.
	Partitions int
	Of         func(model.AppID) uint16
	State      state.Store
	Rows       events.Writer
	// MostRows is how many rows of all kinds go in one commit, unless one record has more; 0 = 100,000. Steps is how many profiles, cells and fingerprints go in one
	// change; 0 = as many as is good for PostgreSQL.
	MostRows, Steps int
	// Cells sends the cells of what is committed to where they lie.
	Cells func(context.Context) error
}

// Progress is what has been copied in this run. Bytes of cells are those of their users.
type Progress struct {
	Rows, Requests, States  int64
	Profiles, Cells, Prints int64
	// Apps is of how many apps all but rows and fingerprints is copied.
	Apps int
	// Skipped counts changes that an earlier run committed.
	Skipped int64
}

// placed is a copy of a profile whose places are in a partition.
func placed(p *model.Profile, partition uint16, further func(*model.Profile, func(uint64) uint64)) *model.Profile {
	p = p.Clone()
	to := func(place uint64) uint64 { return Place(partition, place) }
	p.Open.ID, p.Ended.ID, p.LastRequest = to(p.Open.ID), to(p.Ended.ID), to(p.LastRequest)
	if further != nil {
		further(p, to)
	}
	return p
}

// Place returns the place in a partition that a place in another partition becomes. As an app lies in one partition, its places keep their order.
func Place(partition uint16, place uint64) uint64 {
	if place == 0 {
		return 0
	}
	return journal.Position{Partition: partition, Offset: journal.PositionOf(place).Offset}.Place()
}

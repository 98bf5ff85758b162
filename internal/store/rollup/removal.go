package rollup

// Removal names cells of an app that go, at all grains unless it says otherwise. Its types are those of this file.
type Removal interface{ removal() }

// The removals.
type (
	// RemoveApp removes all cells of the app.
	RemoveApp struct{}
	// RemoveSeries removes a series.
	RemoveSeries struct{ Series Series }
	// RemoveDims removes every series of a metric whose dimension begins with Prefix: with SegmentDim(event, "") all
	// segments of an event.
	RemoveDims struct {
		Metric Metric
		Prefix string
	}
	// RemoveValue removes one value of a series.
	RemoveValue struct {
		Series Series
		Value  string
	}
	// RemoveValues removes some values of a metric in every series.
	RemoveValues struct {
		Metric Metric
		Values []string
	}
	// RemoveFrom removes the cells of a metric from a bucket on, for each grain that From names, in every series.
	RemoveFrom struct {
		Metric Metric
		From   map[Grain]Bucket
	}
	// RemoveBefore removes the cells of a metric before a bucket, for each grain that Before names, in every series.
	RemoveBefore struct {
		Metric Metric
		Before map[Grain]Bucket
	}
	// EraseUsers takes users out of all bitmaps, and removes the values of series that nobody but them has: such a value, a
	// device's name say, identifies a person. What the users added to other counters stays, which cannot tell whose it is.
	// The numbers are taken as they stand in the cells: those of users who were merged into the erased ones have to be
	// named too.
	EraseUsers struct{ UIDs []uint32 }
)

func (RemoveApp) removal()    {}
func (RemoveSeries) removal() {}
func (RemoveDims) removal()   {}
func (RemoveValue) removal()  {}
func (RemoveValues) removal() {}
func (RemoveFrom) removal()   {}
func (RemoveBefore) removal() {}
func (EraseUsers) removal()   {}

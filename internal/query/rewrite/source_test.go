package rewrite_test

import (
	"testing"

	"quipu/internal/query/rewrite"
)

// TestSourceOf has what decides where an answer is, each alone and where two of them meet.
func TestSourceOf(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		asked rewrite.Asked
		from  rewrite.Source
		why   rewrite.Reason
	}{
		"what cells have":                {rewrite.Asked{}, rewrite.Cells, ""},
		"hours, or days of another zone": {rewrite.Asked{Time: true}, rewrite.Rows, rewrite.OfTime},
		"a filter":                       {rewrite.Asked{Filter: true}, rewrite.Rows, rewrite.OfFilter},
		"a breakdown":                    {rewrite.Asked{Breakdown: true}, rewrite.Rows, rewrite.OfBreakdown},
		"other events":                   {rewrite.Asked{Events: true}, rewrite.Rows, rewrite.OfEvents},
		"accounts":                       {rewrite.Asked{Units: true}, rewrite.Rows, rewrite.OfUnits},
		"a value":                        {rewrite.Asked{Value: true}, rewrite.Rows, rewrite.OfValue},
		"moments":                        {rewrite.Asked{Moments: true}, rewrite.Rows, rewrite.OfMoments},
		"first starts":                   {rewrite.Asked{First: true}, rewrite.Cells, ""},
		"chosen starts":                  {rewrite.Asked{Chosen: true}, rewrite.Starts, rewrite.OfStarts},
		"chosen first starts":            {rewrite.Asked{Chosen: true, First: true}, rewrite.Rows, rewrite.OfStarts},
		"chosen starts in another zone":  {rewrite.Asked{Chosen: true, Time: true}, rewrite.Rows, rewrite.OfTime},
		"chosen starts of groups":        {rewrite.Asked{Chosen: true, Breakdown: true}, rewrite.Rows, rewrite.OfBreakdown},
		"the first reason is given":      {rewrite.Asked{Time: true, Filter: true, Breakdown: true, Events: true}, rewrite.Rows, rewrite.OfTime},
	} {
		if from, why := rewrite.SourceOf(c.asked); from != c.from || why != c.why {
			t.Errorf("%s: from %d (%s), want %d (%s)", name, from, why, c.from, c.why)
		}
	}
}

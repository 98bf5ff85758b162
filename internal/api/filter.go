package api

import (
	"encoding/json"
	"strings"

	"quipu/internal/auth"
	"quipu/internal/fault"
	"quipu/internal/filter"
	"quipu/internal/params"
)

// ReadFilter reads the parameter filter of reads of figures: a JSON object, as filters of the wire are; "" and {} select
// everything. Errors: request.bad_filter, the faults of filter.Parse (Invalid); access.no_right (Forbidden) for properties that tell
// who somebody is, where the member may not read users.
func ReadFilter(c Caller, v params.Value) (filter.Expr, error) {
	text := strings.TrimSpace(string(v.Raw()))
	if text == "" {
		return filter.Expr{}, nil
	}
	if text[0] != '{' || !json.Valid(v.Raw()) {
		return filter.Expr{}, fault.New(fault.Invalid, "request.bad_filter", "Bad request parameter: filter")
	}
	f, err := filter.Parse(v.Raw())
	if err != nil {
		return filter.Expr{}, err
	}
	if !auth.MayAskBy(c.Member, c.App.ID, f.Paths(), nil) {
		return filter.Expr{}, fault.New(fault.Forbidden, "access.no_right", "User does not have right")
	}
	return f, nil
}

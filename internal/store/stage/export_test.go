package stage

// What tests reach into.
var (
	AppendPart = appendPart
	DecodePart = decodePart
	RowsOf     = rowsOf
	ErrPart    = errPart
)

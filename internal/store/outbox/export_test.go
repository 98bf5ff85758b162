package outbox

// What tests reach into.
var (
	AppendPart = appendPart
	DecodePart = decodePart
	RowsOf     = rowsOf
	ErrPart    = ErrDamaged
)

// PackedRows are rows in stored form.
type PackedRows = packedRows

package duck

import "quipu/internal/filter"

// Dialect is the filter.Dialect of DuckDB 1.5, with JSON columns of its JSON type.
type Dialect struct{}

var (
	_ filter.Dialect = Dialect{}
	_ filter.Parts   = Dialect{}
)

// Part implements filter.Parts.
func (Dialect) Part(text, placeholder string) string {
	return "contains(" + text + ", " + placeholder + ")"
}

// Flat implements filter.Parts.
func (Dialect) Flat(object string) string { return "NOT contains(substr(" + object + ", 2), '{')" }

// Contains implements filter.Dialect; DuckDB's regular expressions are RE2. What looks at one column alone, DuckDB computes inside its scan, where it
// notices only after a group of 122,880 rows that its client has left, or that the time is over: seconds, with an expensive
// expression. Something that is random keeps the condition out of the scan.
func (Dialect) Contains(text, placeholder string) string {
	return "CASE WHEN random() >= 0 THEN regexp_matches(" + text + ", " + placeholder + ") END"
}

// TextOf implements filter.Dialect.
func (Dialect) TextOf(json string) string {
	return "CASE WHEN json_type(" + json + ") = 'VARCHAR' THEN json_extract_string(" + json + ", '$') END"
}

// NumberOf implements filter.Dialect.
func (Dialect) NumberOf(json string) string {
	return "CASE WHEN json_type(" + json + ") IN ('BIGINT', 'UBIGINT', 'DOUBLE') THEN TRY_CAST(" + json + " AS DOUBLE) END"
}

// BoolOf implements filter.Dialect.
func (Dialect) BoolOf(json string) string {
	return "CASE WHEN json_type(" + json + ") = 'BOOLEAN' THEN TRY_CAST(" + json + " AS BOOLEAN) END"
}

// IsNull implements filter.Dialect.
func (Dialect) IsNull(json string) string {
	return "(coalesce(json_type(" + json + "), 'NULL') = 'NULL')"
}

// SizeOf implements filter.Dialect.
func (Dialect) SizeOf(json string) string {
	return "CASE WHEN json_type(" + json + ") = 'ARRAY' THEN json_array_length(" + json + ") END"
}

// AnyOf implements filter.Dialect.
func (Dialect) AnyOf(json string, cond func(element string) string) string {
	return "coalesce(list_bool_or(list_transform(json_extract(" + json + ", '$[*]'), lambda e: " + cond("e") + ")), FALSE)"
}

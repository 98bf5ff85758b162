package filter

// DuckDB is the Dialect of DuckDB 1.5, with JSON columns of its JSON type.
type DuckDB struct{}

var (
	_ Dialect = DuckDB{}
	_ Parts   = DuckDB{}
)

// Part implements Parts.
func (DuckDB) Part(text, placeholder string) string {
	return "contains(" + text + ", " + placeholder + ")"
}

// Flat implements Parts.
func (DuckDB) Flat(object string) string { return "NOT contains(substr(" + object + ", 2), '{')" }

// Contains implements Dialect; DuckDB's regular expressions are RE2. What looks at one column alone, DuckDB computes inside its scan, where it
// notices only after a group of 122,880 rows that its client has left, or that the time is over: seconds, with an expensive
// expression. Something that is random keeps the condition out of the scan.
func (DuckDB) Contains(text, placeholder string) string {
	return "CASE WHEN random() >= 0 THEN regexp_matches(" + text + ", " + placeholder + ") END"
}

// TextOf implements Dialect.
func (DuckDB) TextOf(json string) string {
	return "CASE WHEN json_type(" + json + ") = 'VARCHAR' THEN json_extract_string(" + json + ", '$') END"
}

// NumberOf implements Dialect.
func (DuckDB) NumberOf(json string) string {
	return "CASE WHEN json_type(" + json + ") IN ('BIGINT', 'UBIGINT', 'DOUBLE') THEN TRY_CAST(" + json + " AS DOUBLE) END"
}

// BoolOf implements Dialect.
func (DuckDB) BoolOf(json string) string {
	return "CASE WHEN json_type(" + json + ") = 'BOOLEAN' THEN TRY_CAST(" + json + " AS BOOLEAN) END"
}

// IsNull implements Dialect.
func (DuckDB) IsNull(json string) string {
	return "(coalesce(json_type(" + json + "), 'NULL') = 'NULL')"
}

// SizeOf implements Dialect.
func (DuckDB) SizeOf(json string) string {
	return "CASE WHEN json_type(" + json + ") = 'ARRAY' THEN json_array_length(" + json + ") END"
}

// AnyOf implements Dialect.
func (DuckDB) AnyOf(json string, cond func(element string) string) string {
	return "coalesce(list_bool_or(list_transform(json_extract(" + json + ", '$[*]'), lambda e: " + cond("e") + ")), FALSE)"
}

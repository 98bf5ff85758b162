package query

// Union is the union of sets, for its test.
type Union = union

// The operations of Union.
var (
	UnionAdd         = (*union).add
	UnionCardinality = (*union).cardinality
	UnionSet         = (*union).set
	UnionReset       = (*union).reset
)

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

// Live returns how many entries of q's memo are kept up to date.
func Live(q *Query) int {
	q.memo.mu.Lock()
	defer q.memo.mu.Unlock()
	n := 0
	for _, e := range q.memo.lru.Values() {
		if e.live != nil && !e.live.following.Ended() {
			n++
		}
	}
	return n
}

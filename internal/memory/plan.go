package memory

// Plan is the cap and what each part may take of it, bytes.
type Plan struct {
	Total int64
	// Events is the limit of the event store, Cache that of the state's block cache and write
	// buffers together, and Buffer the size of one of these, of which up to three are in use.
	Events, Cache, Buffer int64
	// Checkpoint is the size of the event store's log that starts a checkpoint.
	Checkpoint int64
	// Batch is how many bytes of records a batch of the pipeline takes at most. Decoded, as rows and as
	// changes they take up to ten times as much, and three batches are under way.
	Batch int64
	// MoveRows and MoveBytes bound the event rows that are moved to the event store at once.
	MoveRows, MoveBytes int64
	// Prints is what is kept of fingerprints of requests.
	Prints int64
	// Memo is what reads may keep of what they computed.
	Memo int64
	// Cells is what reads may hold of values and users of cells, together; one read may hold half of it.
	Cells int64
	// Recall is what may be kept of answers to questions over event rows.
	Recall int64
	// Held is what may be held of rows by user, for figures of cohorts.
	Held int64
	// Texts is what may be held of the texts of users, for searches.
	Texts int64
	// Bodies is what the bodies of requests, and all that is made of them, may take at a time, and
	// Answers what answers may that clients have not read yet.
	Bodies, Answers int64
	// Connections is how many connections there may be, of which each takes some 20 kB.
	Connections int
	// Sequences is what reads of users' rows in their order, as for funnels, may hold of these: one such read at a time does.
	Sequences int64
	// Reads is how many heavy reads run at a time.
	Reads int
}

const mib = 1 << 20

// fixed is about what the program, its threads and what DuckDB does not count take of any cap.
const fixed = 320 * mib

// Split divides a cap.
func Split(total int64) Plan {
	spare := max(0, total-fixed)
	return Plan{
		Total:       total,
		Events:      max(64*mib, total/4),
		Cache:       max(8*mib, spare/4),
		Buffer:      max(4*mib, min(64*mib, spare/14)),
		Checkpoint:  max(8*mib, min(256*mib, total/32)),
		Batch:       max(1*mib, min(16*mib, spare/192)),
		MoveRows:    max(8<<10, min(spare>>12, 192<<10)), // one and a half row groups: more than one is written once, less than half of one not again
		MoveBytes:   max(4*mib, min(32*mib, spare/24)),
		Prints:      max(2*mib, min(256*mib, total/40)),
		Memo:        max(4*mib, min(256*mib, total/20)),
		Cells:       max(32*mib, total/8),
		Recall:      max(2*mib, min(128*mib, total/40)),
		Held:        max(4*mib, min(512*mib, total/20)),
		Texts:       max(4*mib, min(512*mib, total/20)),
		Bodies:      max(24*mib, total/12),
		Answers:     max(16*mib, total/16),
		Connections: int(max(512, min(total>>18, 32<<10))), // bounded
		Sequences:   min(64*mib, total/16),
		Reads:       4,
	}
}

// margin is what is left free for leaps between two looks at the resident set,
// and for garbage that is made faster than it is collected.
func (p Plan) margin() int64 { return max(80*mib, p.Total/8) }

// garbage is how much garbage Go may make between two collections, unless that is less than half of what is alive.
func (p Plan) garbage() int64 { return max(64*mib, p.Total/8) }

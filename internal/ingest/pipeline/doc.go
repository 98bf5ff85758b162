// Package pipeline turns the records of the journal into profiles, event rows
// and cells, exactly once and in order.
//
// A batch takes the records after the watermark, decodes them in parallel, and
// applies them in one shard an app: apps run side by side, the records of one app
// strictly in the order of the journal. The batch is then committed with the
// watermark in one synced write of the state: profiles, cells, and the rows in the outbox,
// from where package outbox moves them to the event store. Meanwhile the next batch is
// decoded and applied; its commit begins when the one before has ended. After a crash the
// pipeline reads on from the watermark of that batch; the event store skips
// what it has already. What a record does therefore depends on nothing but the
// records before it: no clock and no randomness takes part.
//
// A request runs through named steps: dedup, filter, profile, session, enrich,
// expand, cells. Features add steps of their own. Until the last step has run
// nothing a request does has left its Item, so a request that is dropped, or
// whose step panics, leaves no trace but its outcome.
//
// docs/reference/ingestion.md states the rules in prose.
package pipeline

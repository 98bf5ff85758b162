// Package pipeline turns the records of the journal into profiles, event rows
// and cells, exactly once and in order.
//
// A tick takes the records after the watermark, decodes them in parallel, and
// applies them in one lane an app: apps run side by side, the records of one app
// strictly in the order of the journal. The tick is then committed with the
// watermark in one synced batch of the state: profiles, cells, and the rows in the stage,
// from where package stage moves them to the event store. Meanwhile the next tick is
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

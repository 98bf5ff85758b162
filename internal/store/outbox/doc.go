// Package outbox keeps projected rows until they are moved to the event store.
//
// A batch of the pipeline commits its rows here, in the same atomic write to the
// state database as its profiles and cells. They are moved to the event store in
// large steps: when a whole move has gathered, after a moment, or when someone is
// about to read rows. So the cost that every commit of a column store has, however few its rows
// are, is paid seldom, its row groups are written once, and a user of many batches is
// mirrored once.
//
// The event store's own watermark says what was moved; what a crash left here below it is
// dropped. The state is never behind the event store but for the time of a
// crash, and what the event store lacks is here. docs/format/outbox.md has the layout.
package outbox

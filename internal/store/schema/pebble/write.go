package pebble

import (
	"encoding/binary"
	"fmt"

	"quipu/internal/store/kv"
	"quipu/internal/store/schema"
	"quipu/internal/store/schema/stored"
)

// Writer adds changes to batches. It is for one goroutine at a time.
type Writer struct{ codec *stored.Codec }

// NewWriter returns a writer.
func NewWriter() (*Writer, error) {
	c, err := stored.NewCodec()
	if err != nil {
		return nil, err
	}
	return &Writer{codec: c}, nil
}

// Write adds a change to a batch.
func (w *Writer) Write(b *kv.Batch, c *schema.Change) error {
	for i := range c.Apps {
		if err := w.app(b, &c.Apps[i]); err != nil {
			return fmt.Errorf("write schema of app %s: %w", c.Apps[i].App, err)
		}
	}
	return nil
}

func (w *Writer) app(b *kv.Batch, c *schema.AppChange) error {
	if c.Cleared {
		from := kv.AppKey(kv.PrefixSchema, c.App, 0)
		if err := b.DeleteRange(from, kv.After(from)); err != nil {
			return err
		}
	}
	for _, k := range c.Purged {
		from := segmentPrefix(c.App, k)
		if err := b.DeleteRange(from, kv.After(from)); err != nil {
			return err
		}
	}
	for _, id := range c.GoneEvents {
		if err := b.Delete(eventKey(c.App, id)); err != nil {
			return err
		}
	}
	for i := range c.Events {
		v, err := w.codec.Event(&c.Events[i])
		if err != nil {
			return err
		}
		if err := b.Set(eventKey(c.App, c.Events[i].ID), v); err != nil {
			return err
		}
	}
	if err := w.subjects(b, c); err != nil {
		return err
	}
	if c.Counters != nil {
		if err := b.Set(kindKey(c.App, kindCounters, 0), stored.Counters(*c.Counters)); err != nil {
			return err
		}
	}
	for i := range c.Values {
		if err := values(b, c, &c.Values[i]); err != nil {
			return err
		}
	}
	return nil
}

func (w *Writer) subjects(b *kv.Batch, c *schema.AppChange) error {
	for _, id := range c.GoneSubjects {
		if err := b.Delete(subjectKey(c.App, id)); err != nil {
			return err
		}
	}
	for _, r := range c.Subjects {
		record, err := w.codec.Subject(r.Subject)
		if err != nil {
			return err
		}
		if err := b.Set(subjectKey(c.App, schema.SubjectID{Kind: r.Kind, Num: r.Subject.Num}), record); err != nil {
			return err
		}
	}
	return nil
}

// values writes new values of a segment.
func values(b *kv.Batch, c *schema.AppChange, v *schema.NewValues) error {
	ordinal := v.First
	for _, text := range v.Texts {
		if err := b.Set(binary.BigEndian.AppendUint32(segmentPrefix(c.App, v.Segment), ordinal), []byte(text)); err != nil {
			return err
		}
		ordinal++
	}
	return nil
}

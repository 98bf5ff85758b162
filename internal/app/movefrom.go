package app

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"

	"quipu/internal/move"
)

// moveSource is the server whose data moves: one that runs on the folder, or the command itself.
type moveSource interface {
	begin(ctx context.Context) (moving, error)
	// end is the offset of the last record.
	end(ctx context.Context) (uint64, error)
	records(ctx context.Context, after uint64) ([]move.Record, error)
	documents(ctx context.Context) error
	// pause lets nothing be written until release is called; after finish it stays so.
	pause(ctx context.Context) (p paused, release func(), err error)
	read(ctx context.Context, read moveRead) (moveAnswer, error)
	finish(ctx context.Context) error
}

// ownSource is a folder that no server has.
type ownSource struct{ a *App }

func (s ownSource) begin(ctx context.Context) (moving, error) { return s.a.beginMove(ctx) }

func (s ownSource) end(context.Context) (uint64, error) { return s.a.journal.End()[0], nil }

func (s ownSource) records(ctx context.Context, after uint64) ([]move.Record, error) {
	list, err := s.a.movedRecords(ctx, after)
	if err != nil {
		return nil, err
	}
	return decoded(list)
}

func (s ownSource) documents(ctx context.Context) error { return s.a.copyDocuments(ctx) }

func (s ownSource) pause(ctx context.Context) (paused, func(), error) {
	p, open, err := s.a.pause(ctx)
	return p, func() { open() }, err
}

func (s ownSource) read(ctx context.Context, read moveRead) (moveAnswer, error) {
	return s.a.readAsAdmin(ctx, read)
}

func (s ownSource) finish(ctx context.Context) error { return s.a.finishMove(ctx) }

func decoded(list []movedRecord) ([]move.Record, error) {
	out := make([]move.Record, len(list))
	for i, r := range list {
		payload, err := base64.StdEncoding.DecodeString(r.Payload)
		if err != nil {
			return nil, fmt.Errorf("record %d: %w", r.Offset, err)
		}
		out[i] = move.Record{Offset: r.Offset, Payload: payload}
	}
	return out, nil
}

// serverSource is the server that runs on a folder.
type serverSource struct{ data string }

// ask asks the server for something.
func (s serverSource) ask(ctx context.Context, what string, body, into any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	got, err := askServer(ctx, s.data, "/move/"+what, text)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(got, into); err != nil {
		return fmt.Errorf("answer of the server: %w", err)
	}
	return nil
}

func (s serverSource) begin(ctx context.Context) (m moving, err error) {
	return m, s.ask(ctx, "begin", nil, &m)
}

func (s serverSource) end(ctx context.Context) (at uint64, err error) {
	return at, s.ask(ctx, "end", nil, &at)
}

func (s serverSource) records(ctx context.Context, after uint64) ([]move.Record, error) {
	var list []movedRecord
	if err := s.ask(ctx, "records", after, &list); err != nil {
		return nil, err
	}
	return decoded(list)
}

func (s serverSource) documents(ctx context.Context) error {
	var none any
	return s.ask(ctx, "documents", nil, &none)
}

func (s serverSource) read(ctx context.Context, read moveRead) (m moveAnswer, err error) {
	return m, s.ask(ctx, "read", read, &m)
}

func (s serverSource) finish(ctx context.Context) error {
	var none any
	return s.ask(ctx, "finish", nil, &none)
}

// pause holds the connection for as long as the server is to wait.
func (s serverSource) pause(ctx context.Context) (p paused, release func(), err error) {
	leave, err := holdServer(ctx, s.data, "/move/pause", &p)
	if err != nil {
		return p, nil, fmt.Errorf("pause the server: %w", err)
	}
	return p, func() { _ = leave() }, nil // nothing more is read
}

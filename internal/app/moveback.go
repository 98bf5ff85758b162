package app

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"quipu/internal/store/journal"
)

// moveBackFile is, in the folder of moves, the note of a folder into which data moves, or has moved, from a cluster.
const moveBackFile = "back.json"

// movingBack is the content of moveBackFile.
type movingBack struct {
	// ID is that of the move, which the cluster knows, too.
	ID string `json:"id"`
	// Cluster is the absolute path of the file that says where the stores of the cluster are.
	Cluster string `json:"cluster"`
	// At is up to where the cluster had projected each partition when it was copied, as its journal numbers the records: what comes behind it the
	// server takes from the cluster's journal.
	At journal.Watermark `json:"at"`
	// Bases are what the journal of the cluster begins behind, see movedIn.Bases.
	Bases journal.Watermark `json:"bases,omitempty"`
	// Done says that the data has moved: until then no server starts on the folder.
	Done bool `json:"done"`
}

// readMovingBack reads it; the zero value when nothing moves in, or nothing more is taken from a cluster.
func readMovingBack(data string) (m movingBack, err error) {
	text, err := os.ReadFile(movePath(data, moveBackFile))
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		return m, fmt.Errorf("read how far the move from a cluster is: %w", err)
	}
	return m, nil
}

func (m movingBack) write(data string) error {
	text, err := json.Marshal(m)
	if err == nil {
		err = os.MkdirAll(movePath(data), 0o700)
	}
	if err == nil {
		err = writeWhole(movePath(data, moveBackFile), text)
	}
	if err != nil {
		return fmt.Errorf("note how far the move from a cluster is: %w", err)
	}
	return nil
}

// forgetMovingBack removes it, durably.
func forgetMovingBack(data string) error {
	err := os.Remove(movePath(data, moveBackFile))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err == nil {
		err = syncFolder(movePath(data))
	}
	if err != nil {
		return fmt.Errorf("forget the cluster that the data has moved from: %w", err)
	}
	return nil
}

package main

import (
	"fmt"
	"io"
	"os"

	"quipu/internal/store/events/duck/sqlworker"
)

// sqlWorkerCommand is the process of one statement of SQL, which a server starts.
type sqlWorkerCommand struct{}

// sqlWorker is the command that runs a statement; nil where the program does not know its own file.
func sqlWorker() []string {
	program := "/proc/self/exe" // this very file, even if another stands in its place since
	if _, err := os.Stat(program); err != nil {
		if program, err = os.Executable(); err != nil {
			return nil
		}
	}
	return []string{program, "sql-worker"}
}

// Run runs the statement.
func (sqlWorkerCommand) Run(out io.Writer) error {
	if code := sqlworker.Work(os.Stdin, out); code != 0 {
		return fmt.Errorf("the statement ends with status %d", code)
	}
	return nil
}

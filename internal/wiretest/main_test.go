package wiretest_test

import (
	"os"
	"testing"

	"quipu/internal/store/events/duck/sqlworker"
	"quipu/internal/testkit"
)

// sqlWorker is the argument that makes this test binary the process of a statement of SQL.
const sqlWorker = "sql-worker"

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == sqlWorker {
		os.Exit(sqlworker.Work(os.Stdin, os.Stdout))
	}
	os.Exit(m.Run())
}

// withProgram lets a server run statements.
func withProgram() testkit.Option {
	program, err := os.Executable()
	if err != nil {
		panic(err)
	}
	return testkit.WithProgram(program, sqlWorker)
}

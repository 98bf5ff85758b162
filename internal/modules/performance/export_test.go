package performance

// GroupOf is groupOf for tests.
func GroupOf(name string) string { return groupOf(name) }

package web

// Below is below, for tests.
func Below(path string) string { return below(path) }

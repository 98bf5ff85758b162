package pg

// AddressOf is the address of another database on the same server.
func AddressOf(dsn, name string) (string, error) { return addressOf(dsn, name) }

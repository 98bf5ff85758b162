package ch

import (
	"context"
	"strconv"

	"quipu/internal/fault"
)

// readMemory is what a statement that reads may take of a server's memory where nobody says it, bytes; readShare is its part of what the server may take.
const (
	readMemory = 4 << 30
	readShare  = 4
)

// The parts of a statement's memory from which on it writes to the server's disk what it groups, and what it sorts.
//
// ClickHouse looks at what a statement takes after each block of rows. The hash tables of a grouping become four times as large when they are full, and those of keys that are evenly
// spread are full at the same time: between two looks a grouping may take four times as much as before. So its part has to be less than a quarter. It should not be much less, because each
// file that was written costs memory again when all are merged. What is sorted grows by blocks; newer servers write no less than 100 MiB of it at a time.
const (
	groupPart = 5
	sortPart  = 2
)

// cellBytes is more than a key takes in a hash table of a grouping when it was just enlarged.
const cellBytes = 128

// sortRatio is a setting of newer servers: a part of the whole memory that is free, which overrides the bytes that a statement may sort.
const sortRatio = "max_bytes_ratio_before_external_sort"

// findMemory finds out what a statement that reads may take, and notes the settings that have it take no more.
func (c *Client) findMemory(ctx context.Context) error {
	n, err := c.readMemory(ctx)
	if err != nil {
		return err
	}
	group := max(1, n/groupPart) // 0 would be never
	bounds := map[string]string{
		"max_memory_usage":                   strconv.FormatInt(n, 10),
		"max_bytes_before_external_group_by": strconv.FormatInt(group, 10),
		"max_bytes_before_external_sort":     strconv.FormatInt(max(1, n/sortPart), 10),
		// A server remembers how many keys a grouping had and makes hash tables for as many the next time, however little memory there is.
		"max_size_to_preallocate_for_aggregation": strconv.FormatInt(max(1, group/cellBytes), 10),
	}
	err = c.Each(ctx, Statement{SQL: "SELECT name FROM system.settings WHERE name = ?", Args: []any{sortRatio}}, func(*Block, int) error {
		bounds[sortRatio] = "0"
		return nil
	})
	if err != nil {
		return err
	}
	c.bounds.Store(&bounds)
	return nil
}

// readMemory is what a statement that reads may take: what the options say, else what the profile of the user allows, else a part of what the server may take.
func (c *Client) readMemory(ctx context.Context) (n int64, err error) {
	if c.o.ReadMemory > 0 {
		return c.o.ReadMemory, nil
	}
	take := func(b *Block, row int) error {
		n = b.Columns[0].Whole[row]
		return nil
	}
	if err := c.Each(ctx, Statement{SQL: "SELECT toInt64(getSetting('max_memory_usage'))"}, take); err != nil || n > 0 {
		return n, err
	}
	err = c.Each(ctx, Statement{SQL: "SELECT toInt64OrZero(value) FROM system.server_settings WHERE name = 'max_server_memory_usage'"}, take)
	if err != nil && fault.CodeOf(err) != "clickhouse.denied" {
		return 0, err
	}
	if n /= readShare; n <= 0 {
		n = readMemory
	}
	return n, nil
}

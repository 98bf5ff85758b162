package clickhouse

import (
	"database/sql"
	"fmt"
	"math"
	"reflect"
	"strconv"

	"quipu/internal/store/ch"
)

// row is a row of a block, without its first columns.
type row struct {
	b    *ch.Block
	at   int
	from int
}

// Scan implements events.Scanner.
func (r row) Scan(dest ...any) error {
	columns := r.b.Columns[r.from:]
	if len(dest) != len(columns) {
		return fmt.Errorf("scan %d columns into %d places", len(columns), len(dest))
	}
	for i, d := range dest {
		if err := put(d, value(&columns[i], r.at)); err != nil {
			return fmt.Errorf("column %s: %w", columns[i].Name, err)
		}
	}
	return nil
}

// value returns a value of a column: nil, bool, int64, float64 or string.
func value(c *ch.Column, at int) any {
	if c.Absent(at) {
		return nil
	}
	switch c.Holds() {
	case ch.Text:
		return c.Text[at]
	case ch.Number:
		return c.Number[at]
	default:
		if c.Truth() {
			return c.Whole[at] != 0
		}
		return c.Whole[at]
	}
}

// put stores a value in a place, as database/sql does.
func put(dest, v any) error {
	switch p := dest.(type) {
	case *any:
		*p = v
		return nil
	case *int64:
		if n, ok := v.(int64); ok {
			*p = n
			return nil
		}
	case *string:
		if s, ok := v.(string); ok {
			*p = s
			return nil
		}
	case *float64:
		if f, ok := v.(float64); ok {
			*p = f
			return nil
		}
	case sql.Scanner:
		return p.Scan(v)
	}
	to := reflect.ValueOf(dest)
	if to.Kind() != reflect.Pointer || to.IsNil() {
		return fmt.Errorf("a place of type %T", dest)
	}
	return assign(to.Elem(), v)
}

// assign converts a value to the kind of a place.
func assign(to reflect.Value, v any) error {
	if to.Kind() == reflect.Pointer {
		if v == nil {
			to.SetZero()
			return nil
		}
		to.Set(reflect.New(to.Type().Elem()))
		return assign(to.Elem(), v)
	}
	bad := fmt.Errorf("no place for a %T: %s", v, to.Type())
	switch to.Kind() {
	case reflect.String:
		if v == nil {
			return bad
		}
		to.SetString(fmt.Sprint(v))
	case reflect.Bool:
		b, ok := v.(bool)
		if n, whole := v.(int64); whole && (n == 0 || n == 1) {
			b, ok = n == 1, true
		}
		if !ok {
			return bad
		}
		to.SetBool(b)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n, ok := integer(v)
		if !ok || to.OverflowInt(n) {
			return bad
		}
		to.SetInt(n)
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		n, ok := integer(v)
		if !ok || n < 0 || to.OverflowUint(uint64(n)) {
			return bad
		}
		to.SetUint(uint64(n))
	case reflect.Float32, reflect.Float64:
		switch v := v.(type) {
		case float64:
			to.SetFloat(v)
		case int64:
			to.SetFloat(float64(v))
		default:
			return bad
		}
	default:
		return bad
	}
	return nil
}

// integer returns a value as a whole number.
func integer(v any) (int64, bool) {
	switch v := v.(type) {
	case int64:
		return v, true
	case bool:
		if v {
			return 1, true
		}
		return 0, true
	case float64:
		if v != math.Trunc(v) || math.Abs(v) >= 1<<63 {
			return 0, false
		}
		return int64(v), true
	case string:
		n, err := strconv.ParseInt(v, 10, 64)
		return n, err == nil
	}
	return 0, false
}

package ch

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Bind writes arguments as literals in the places of a statement's placeholders, each a ? that stands in no literal and no quoted
// name. An argument is a string, bool, int, int64, uint32, uint64, finite float64, or a list of strings or numbers.
func Bind(sql string, args []any) (string, error) {
	var b strings.Builder
	var quoted byte
	for i := 0; i < len(sql); i++ {
		c := sql[i]
		switch {
		case quoted != 0 && c == '\\':
			b.WriteByte(c)
			if i++; i == len(sql) {
				return "", fmt.Errorf("clickhouse: unterminated literal")
			}
			c = sql[i]
		case quoted != 0 && c == quoted:
			quoted = 0
		case quoted == 0 && (c == '\'' || c == '`' || c == '"'):
			quoted = c
		case quoted == 0 && c == '?':
			if len(args) == 0 {
				return "", fmt.Errorf("clickhouse: placeholder without an argument")
			}
			if err := literal(&b, args[0]); err != nil {
				return "", err
			}
			args = args[1:]
			continue
		}
		b.WriteByte(c)
	}
	if quoted != 0 || len(args) > 0 {
		return "", fmt.Errorf("clickhouse: %d arguments are left over, or unterminated literal", len(args))
	}
	return b.String(), nil
}

// Quote is a text as a literal.
func Quote(text string) string {
	var b strings.Builder
	b.WriteByte('\'')
	for i := range len(text) {
		switch c := text[i]; c {
		case '\\', '\'':
			b.WriteByte('\\')
			b.WriteByte(c)
		case 0:
			b.WriteString(`\0`)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('\'')
	return b.String()
}

func literal(b *strings.Builder, v any) error {
	switch v := v.(type) {
	case string:
		b.WriteString(Quote(v))
	case bool:
		b.WriteString(strconv.FormatBool(v))
	case int:
		b.WriteString(strconv.Itoa(v))
	case int64:
		b.WriteString(strconv.FormatInt(v, 10))
	case uint32:
		b.WriteString(strconv.FormatUint(uint64(v), 10))
	case uint64:
		b.WriteString(strconv.FormatUint(v, 10))
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return fmt.Errorf("clickhouse: argument is not a finite number")
		}
		b.WriteString(strconv.FormatFloat(v, 'g', -1, 64))
	case []string:
		return list(b, v)
	case []uint32:
		return list(b, v)
	case []int64:
		return list(b, v)
	default:
		return fmt.Errorf("clickhouse: an argument of type %T", v)
	}
	return nil
}

// list writes values with commas between them.
func list[T any](b *strings.Builder, values []T) error {
	for i, v := range values {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := literal(b, v); err != nil {
			return err
		}
	}
	return nil
}

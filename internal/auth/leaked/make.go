//go:build ignore

package main

// It reads leaked passwords, one a line and the most used first, and writes the table of the first 100,000
// that have eight and more characters.

import (
	"bufio"
	"log"
	"os"
	"strings"
	"unicode/utf8"

	"quipu/internal/auth/leaked"
)

func main() {
	words, seen := []string{}, map[string]bool{}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() && len(words) < 100_000 {
		word := strings.ToLower(strings.TrimRight(lines.Text(), "\r"))
		if utf8.RuneCountInString(word) >= 8 && !seen[word] {
			seen[word] = true
			words = append(words, word)
		}
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
	if _, err := os.Stdout.Write(leaked.Table(words)); err != nil {
		log.Fatal(err)
	}
}

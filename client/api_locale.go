// Code generated from the description of the API (quipu describe --openapi); DO NOT EDIT.

package client

import (
	"context"
)

// GetLangmap: languages.
//
// Needs no credentials of a member.
//
// It calls GET /o/langmap.
func (c *Client) GetLangmap(ctx context.Context) (out map[string]LocaleLanguage, err error) {
	err = c.call(ctx, "GET", "/o/langmap", nil, false, &out)
	return out, err
}

// LocaleLanguage is part of answers.
type LocaleLanguage struct {
	EnglishName string `json:"englishName"`
	NativeName  string `json:"nativeName"`
}

// Package model holds the nouns of the product: apps, members, profiles,
// sessions, events, and their identifiers. It has no behaviour beyond what a
// value knows of itself, and imports nothing of the project.
package model

package sdk

import (
	"context"
	"slices"

	"quipu/internal/model"
	"quipu/internal/store/docs"
)

// document holds the behaviour settings of an app's SDKs.
type document struct {
	Config      map[string]any  `json:"config"`
	Enforcement map[string]bool `json:"enforcement"`
}

// documentKey names the only document of the collection.
const documentKey = "settings"

// Key returns the name of the only document.
func (document) Key() string { return documentKey }

// Validate accepts: only known keys are ever stored.
func (document) Validate() error { return nil }

func spec() docs.Spec[document] { return docs.Spec[document]{Name: "sdk.settings", Version: 1} }

func (s *service) load(ctx context.Context, app model.AppID) (document, error) {
	d, err := spec().In(s.docs, app).Get(ctx, documentKey)
	if docs.IsNotFound(err) {
		return document{}, nil
	}
	return d, err
}

// keys are the settings that SDKs know (ingestion of behaviour settings, version 2).
func keys() []string {
	return []string{
		"tracking", "networking", "crt", "vt", "st", "cet", "ecz", "cr", "sui", "eqs", "rqs", "czi", "dort", "scui",
		"lkl", "lvs", "lsv", "lbc", "ltlpt", "ltl", "lt", "rcz", "bom", "bom_at", "bom_rqp", "bom_ra", "bom_d",
		"eb", "ew", "upb", "upw", "sb", "sw", "esb", "esw", "jte",
	}
}

// known drops the keys that no SDK knows; values keep their type.
func known(m map[string]any) map[string]any {
	out := map[string]any{}
	for k, v := range m {
		if slices.Contains(keys(), k) {
			out[k] = v
		}
	}
	return out
}

// delivered is what SDKs get: the settings whose enforcement is not switched
// off. bom_rqp is stored in percent and delivered as a share.
func (d document) delivered() map[string]any {
	out := map[string]any{}
	for k, v := range d.Config {
		if on, said := d.Enforcement[k]; said && !on {
			continue
		}
		if n, ok := v.(float64); ok && k == "bom_rqp" {
			v = n / 100
		}
		out[k] = v
	}
	return out
}

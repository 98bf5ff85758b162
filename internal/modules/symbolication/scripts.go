package symbolication

import (
	"context"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"quipu/internal/fault"
	"quipu/internal/model"
	"quipu/internal/store/docs"
	"quipu/internal/symbols"
	"quipu/internal/symbols/native"
	"quipu/internal/symbols/sourcemap"
)

// sourceMap is the type of images that are scripts: their name is the address that frames have, their id is the debug id.
const sourceMap = "sourcemap"

// scripts are the scripts of a stack with their debug ids, by their addresses.
func scripts(images string) map[string]string {
	if !strings.Contains(images, sourceMap) {
		return nil
	}
	var list []struct {
		Name string `json:"name"`
		ID   string `json:"id"`
		Type string `json:"type"`
	}
	if json.Unmarshal([]byte(images), &list) != nil {
		return nil
	}
	out := map[string]string{}
	for _, s := range list {
		if id := native.ID(s.ID); s.Type == sourceMap && id != "" && len(out) < maxIDs {
			out[s.Name] = id
		}
	}
	return out
}

// dashed is a debug id as tools write it.
func dashed(id string) string {
	if len(id) != 32 {
		return id
	}
	return id[:8] + "-" + id[8:12] + "-" + id[12:16] + "-" + id[16:20] + "-" + id[20:]
}

// byDebugID are the symbols of the scripts of a stack: those whose maps have their debug ids, or that were uploaded for them.
func (s *service) byDebugID(ctx context.Context, app model.AppID, images string) ([]symbol, error) {
	var wanted, named []any
	for _, id := range scripts(images) {
		wanted, named = append(wanted, id), append(named, id, dashed(id))
	}
	if len(wanted) == 0 {
		return nil, nil
	}
	col := spec().In(s.docs, app)
	out, err := col.All(ctx, docs.Query{Where: []docs.Cond{docs.In("id", wanted...)}})
	if err != nil {
		return nil, err
	}
	more, err := col.All(ctx, docs.Query{Where: []docs.Cond{docs.In("build", named...)}})
	if err != nil {
		return nil, err
	}
	for _, sym := range more {
		if !slices.ContainsFunc(out, func(have symbol) bool { return have.ID == sym.ID }) {
			out = append(out, sym)
		}
	}
	out = slices.DeleteFunc(out, func(sym symbol) bool { return sym.Platform != javascript || sym.Problem != "" })
	slices.Reverse(out) // keys sort by time
	return out[:min(len(out), maxIDs)], nil
}

// applyMaps symbolicates the frames of scripts. A script with a debug id has the map with that id; a map that has another id than the script whose name it bears is
// of another build. All others are found by their names.
func (s *service) applyMaps(ctx context.Context, app model.AppID, sym symbol, text, images string) (string, error) {
	var set sourcemap.Set
	left := int64(maxMap)
	wanted := scripts(images)
	ids := map[string]string{}
	for _, p := range sym.Parts {
		byID := false
		for address, id := range wanted {
			byID = byID || slices.Contains(p.IDs, id) && strings.Contains(text, address)
		}
		if !byID && !named(p.Name, text) && len(sym.Parts) > 1 || p.Size > left {
			continue
		}
		left -= p.Size
		o, done, err := s.open(ctx, app, sym.Platform, p)
		if fault.CodeOf(err) == symbols.CodeBadFile || fault.CodeOf(err) == symbols.CodeTooLarge {
			continue // the others may have the frames
		}
		if err != nil {
			return text, err
		}
		defer done() // the maps are used together
		own, other := native.ID(o.js.DebugID), false
		for address, id := range wanted {
			if own == id {
				ids[address] = o.js.DebugID
			} else if own != "" && path.Base(address) == strings.TrimSuffix(p.Name, ".map") {
				other = true
			}
		}
		if !other || byID {
			set.Add(p.Name, o.js)
		}
	}
	out, _, err := set.Symbolicate(ctx, text, ids)
	return out, err
}

// named reports whether a text has the name of the file that a map is of.
func named(name, text string) bool {
	return strings.Contains(text, strings.TrimSuffix(name, ".map"))
}

package crashes

import (
	"context"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"

	"quipu/internal/api"
	"quipu/internal/fault"
	"quipu/internal/model"
)

var (
	errNoReport = fault.New(fault.Invalid, "crashes.no_report", "Crash not found")
	errNoStack  = fault.New(fault.Invalid, "crashes.no_stack", "Crash does not have stacktrace")
	errNoDump   = fault.New(fault.Invalid, "crashes.no_dump", "Crash does not have binary_dump")
)

// one returns a report of an app.
func (s *service) one(ctx context.Context, app model.AppID, id string) (*stored, error) {
	if id == "" {
		return nil, bad("Please provide crash_id parameter")
	}
	var found *stored
	err := s.byIDs(ctx, app, []string{id}, func(r *stored) { found = r })
	if err == nil && found == nil {
		err = errNoReport
	}
	return found, err
}

// attach writes a file of bytes.
func attach(w http.ResponseWriter, name string, content []byte) error {
	h := w.Header()
	h.Set("Content-Type", "application/octet-stream")
	h.Set("Content-Disposition", "attachment;filename="+name) // clients know it without a blank
	h.Set("Content-Length", strconv.Itoa(len(content)))
	_, err := w.Write(content)
	return err
}

// downloadReq names the report of which a part is downloaded.
type downloadReq struct {
	ID string `param:"crash_id"`
}

// downloadStack answers with the stack of a report as it was sent.
func (s *service) downloadStack(w http.ResponseWriter, c api.Caller, r downloadReq) error {
	found, err := s.one(c.Request().Context(), c.App.ID, r.ID)
	if err != nil {
		return err
	}
	if found.error == "" {
		return errNoStack
	}
	return attach(w, found.id+"_stacktrace.txt", []byte(found.error))
}

// downloadBinary answers with the dump of a report.
func (s *service) downloadBinary(w http.ResponseWriter, c api.Caller, r downloadReq) error {
	found, err := s.one(c.Request().Context(), c.App.ID, r.ID)
	if err != nil {
		return err
	}
	for _, m := range found.members {
		if m.key != dumpMember {
			continue
		}
		if text, ok := scalarText(m.value); ok && text != "" {
			if dump, err := decodeDump(text); err == nil {
				return attach(w, found.id+"_bin.dmp", dump)
			}
		}
	}
	if found.dump != nil { // it came in place of the error
		return attach(w, found.id+"_bin.dmp", found.dump)
	}
	return errNoDump
}

// decodeDump decodes base64 of either alphabet, with or without padding and line breaks.
func decodeDump(text string) ([]byte, error) {
	text = strings.NewReplacer("\n", "", "\r", "", " ", "", "-", "+", "_", "/", "=", "").Replace(text)
	return base64.RawStdEncoding.DecodeString(text)
}

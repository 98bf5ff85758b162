package sdk

import (
	"net/http"

	"quipu/internal/api"
	"quipu/internal/fault"
)

// nothingToShow is the page of a widget that does not exist. Anyone who shows it is asked to close it: the web SDK by a
// message to the page around it, the mobile ones by an address that they watch for.
const nothingToShow = `<!DOCTYPE html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Nothing to show</title></head>
<body>
<p>There is nothing to show here.</p>
<script>
if (window.parent !== window) {
  window.parent.postMessage(JSON.stringify({ close: true }), '*');
} else {
  location.href = 'https://countly_action_event/?cly_widget_command=1&close=1';
}
</script>
</body>
</html>
`

// noWidget answers with a page that closes itself. The status keeps SDKs that look first from opening it.
func noWidget(w http.ResponseWriter, _ api.Caller) error {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set(fault.Header, errNoWidget.Code)
	w.WriteHeader(http.StatusNotFound)
	_, err := w.Write([]byte(nothingToShow))
	return err
}

// assets declares the styles that the web SDK loads into the pages it measures. They are empty: there are no widgets yet.
func (s *service) assets(g *api.Registrar) {
	for path, mediaType := range map[string]string{
		"/star-rating/stylesheets/countly-feedback-web.css": "text/css; charset=utf-8",
		"/surveys/stylesheets/countly-surveys.css":          "text/css; charset=utf-8",
	} {
		api.HandleRaw(g, path, api.Public().OfDevices(), "a file for pages", func(w http.ResponseWriter, _ api.Caller) error {
			w.Header().Set("Content-Type", mediaType)
			_, err := w.Write([]byte("/* There is nothing to show. */\n"))
			return err
		})
	}
}

package app

import "runtime/debug"

// release is the version of this source tree.
const release = "0.1.0"

// Release returns the version of the source tree.
func Release() string { return release }

// Version returns the release, and the commit it was built from if that is known.
func Version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return release
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" && len(s.Value) >= 12 {
			return release + "+" + s.Value[:12]
		}
	}
	return release
}

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"quipu/internal/app"
	"quipu/internal/symbols/upload"
)

type symbolsCommand struct {
	Upload symbolsUploadCommand `cmd:"" help:"Send the symbol files of a build, so that its crashes are shown with the names and lines of the source."`
}

type symbolsUploadCommand struct {
	Paths    []string `arg:"" name:"path" help:"Symbol files, or folders to search for them." type:"existingpath"`
	Server   string   `required:"" help:"Address of the server." env:"QUIPU_SERVER" placeholder:"URL"`
	AppKey   string   `help:"Key of the app." env:"QUIPU_APP_KEY" placeholder:"KEY"`
	Token    string   `help:"Token of a member who may create crashes, instead of the key; with --app-id." env:"QUIPU_TOKEN" placeholder:"TOKEN"`
	AppID    string   `name:"app-id" help:"Id of the app, with --token." placeholder:"ID"`
	Platform string   `help:"Platform of the files: android, javascript or another (default: detected from the files)." placeholder:"NAME"`
	Build    []string `help:"Build of the files, as named in its crashes: app version or build number (may be repeated)." placeholder:"VERSION"`
	Note     string   `help:"Note shown in the list of symbols." placeholder:"TEXT"`
	DryRun   bool     `help:"Show what would be sent without sending it."`
	Quiet    bool     `help:"Show no progress." short:"q"`
}

// Help says what is found, what builds are, and shows examples.
func (*symbolsUploadCommand) Help() string {
	return `In folders, the command finds source maps (*.map, except those of style sheets) and mapping.txt of R8 and ProGuard; node_modules and hidden folders are skipped. Several files are packed as one archive.

Crashes are matched with symbols by build: the app version sent by the SDK, the build number, or the program id. Debug ids in source maps and the map id of R8 are added as further builds.

Keep the key out of command lines that others can see: QUIPU_APP_KEY and QUIPU_TOKEN are read from the environment. The command fails if the server cannot read the files, so that the build fails too.

Examples:

    quipu symbols upload --server https://quipu.example --build 2.4.0 app/build/outputs/mapping/release

    quipu symbols upload --server https://quipu.example --build 2.4.0 dist`
}

// Run uploads.
func (c *symbolsUploadCommand) Run(ctx context.Context, out io.Writer) (err error) {
	to := upload.Target{
		Server: c.Server, AppKey: c.AppKey, AppID: c.AppID, Token: c.Token, Note: c.Note, Tool: "quipu " + app.Version(), Builds: c.Build,
	}
	if err := to.Validate(); err != nil {
		return err
	}
	platform, files, err := upload.Find(c.Platform, c.Paths)
	if err != nil {
		return err
	}
	to.Platform = platform
	ids, err := upload.IDs(files)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if len(to.Builds) < upload.MaxBuilds && !slices.Contains(to.Builds, id) {
			to.Builds = append(to.Builds, id)
		}
	}
	packed, err := upload.Pack(files)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, packed.Close()) }()
	var size int64
	for _, f := range files {
		size += f.Size
		fmt.Fprintf(out, "%s (%s)\n", f.Path, bytesText(f.Size))
	}
	what := fmt.Sprintf("%d %s of %s, %s, packed to %s", len(files), plural(len(files), "file"), strings.Join(to.Builds, ", "), bytesText(size), bytesText(packed.Size))
	if c.DryRun {
		fmt.Fprintf(out, "would send %s\n", what)
		return nil
	}
	done, err := upload.Send(ctx, to, packed, c.progress(packed.Size))
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "sent %s: %s symbols %s\n", what, platform, done.ID)
	if done.Problem != "" {
		return fmt.Errorf("the server keeps the files, but finds no frames by them: %s", done.Problem)
	}
	return nil
}

// progress shows how much was sent, on a terminal.
func (c *symbolsUploadCommand) progress(size int64) func(int64) {
	info, err := os.Stderr.Stat()
	if c.Quiet || err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return nil
	}
	shown := int64(-1)
	return func(sent int64) {
		percent := sent * 100 / max(size, 1)
		if percent == shown {
			return
		}
		shown = percent
		end := ""
		if sent >= size {
			end = "\n"
		}
		fmt.Fprintf(os.Stderr, "\r%3d %% of %s%s", percent, bytesText(size), end)
	}
}

// bytesText is a number of bytes as people read it.
func bytesText(n int64) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	case n < 1<<30:
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}

package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"quipu/internal/app"
)

// manualCommand prints the manual page, for packages.
type manualCommand struct{}

// Run prints the manual page in the language of man.
func (manualCommand) Run(k *kong.Kong, out io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH QUIPU 1 \"\" \"quipu %s\" \"Quipu\"\n.SH NAME\nquipu \\- %s\n", roff(app.Release()), roff(strings.TrimSuffix(k.Model.Help, ".")))
	b.WriteString(".SH SYNOPSIS\n.B quipu\n.I COMMAND\n[\\fIFLAGS\\fR]\n.SH COMMANDS\n")
	for _, c := range leaves(k.Model.Node) {
		fmt.Fprintf(&b, ".SS %s\n%s\n", roff(nameOf(c)), roff(c.Help))
		for _, f := range c.Flags {
			if f.Hidden {
				continue
			}
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(flagOf(f)), roff(f.Help))
		}
	}
	b.WriteString(".SH CONFIGURATION\nThe later of these wins: the default, the configuration file, the environment variable, the flag.\n")
	for _, line := range app.ConfigKeys() {
		key, value, _ := strings.Cut(line, " = ")
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(key), roff(value))
	}
	b.WriteString(".SH EXIT STATUS\n0 for success, 2 for an unusable command line, 1 for everything else.\n" +
		".SH FILES\n.TP\n.I /etc/quipu/quipu.yaml\nconfiguration of the service\n.TP\n.I /var/lib/quipu\nits data\n" +
		".SH SEE ALSO\nThe documentation in /usr/share/doc/quipu.\n")
	_, err := io.WriteString(out, b.String())
	return err
}

// roff protects a text from being read as instructions.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`, "\n", " ").Replace(s)
	if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "'") {
		s = `\&` + s
	}
	return s
}

// completionCommand prints a script by which a shell completes commands and flags.
type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Run prints the script.
func (c *completionCommand) Run(k *kong.Kong, out io.Writer) error {
	print := map[string]func(*kong.Node) string{"bash": bashCompletion, "zsh": zshCompletion, "fish": fishCompletion}[c.Shell]
	_, err := io.WriteString(out, print(k.Model.Node))
	return err
}

// leaves lists the commands that do something, without hidden ones.
func leaves(n *kong.Node) (out []*kong.Node) {
	for _, c := range n.Children {
		switch {
		case c.Hidden:
		case c.Leaf():
			out = append(out, c)
		default:
			out = append(out, leaves(c)...)
		}
	}
	return out
}

// nodes lists a node and what stands below it, without what is hidden.
func nodes(n *kong.Node) []*kong.Node {
	out := []*kong.Node{n}
	for _, c := range n.Children {
		if !c.Hidden {
			out = append(out, nodes(c)...)
		}
	}
	return out
}

// nameOf is a command as it is typed, less the program.
func nameOf(n *kong.Node) string {
	if n.Parent == nil || n.Parent.Parent == nil {
		return n.Name
	}
	return nameOf(n.Parent) + " " + n.Name
}

func flagOf(f *kong.Flag) string {
	if f.IsBool() {
		return "--" + f.Name
	}
	holder := f.PlaceHolder
	if holder == "" {
		holder = strings.ToUpper(f.Name)
	}
	return "--" + f.Name + "=" + holder
}

// wordsAfter lists what can stand after a command: commands below it and flags, those of the command that it stands for, too.
func wordsAfter(n *kong.Node) (out []string) {
	if n.DefaultCmd != nil {
		out = slices.DeleteFunc(wordsAfter(n.DefaultCmd), func(w string) bool { return w == "--help" })
	}
	for _, c := range n.Children {
		if !c.Hidden {
			out = append(out, c.Name)
		}
	}
	for _, f := range n.Flags {
		if !f.Hidden && n.Parent != nil {
			out = append(out, "--"+f.Name)
		}
	}
	out = append(out, "--help")
	for _, p := range n.Positional {
		if p.Enum != "" {
			out = append(out, strings.Split(p.Enum, ",")...)
		}
	}
	return out
}

// bashCompletion finds the command among the words typed so far, and offers what can stand after it, or files.
func bashCompletion(root *kong.Node) string {
	var b strings.Builder
	b.WriteString("# bash completion of quipu\n_quipu() {\n\tlocal cur=${COMP_WORDS[COMP_CWORD]} at= w\n\tfor w in \"${COMP_WORDS[@]:1:COMP_CWORD-1}\"; do\n" +
		"\t\tcase \"$at $w\" in\n")
	for _, n := range nodes(root)[1:] {
		fmt.Fprintf(&b, "\t\t' %s') at=' %s' ;;\n", nameOf(n), nameOf(n))
	}
	b.WriteString("\t\tesac\n\tdone\n\tcase \"$at\" in\n")
	for _, n := range nodes(root) {
		at := ""
		if n.Parent != nil {
			at = " " + nameOf(n)
		}
		fmt.Fprintf(&b, "\t'%s') COMPREPLY=($(compgen -W '%s' -- \"$cur\")) ;;\n", at, strings.Join(wordsAfter(n), " "))
	}
	b.WriteString("\tesac\n}\ncomplete -o default -F _quipu quipu\n")
	return b.String()
}

// zshCompletion uses that of bash, which zsh understands.
func zshCompletion(root *kong.Node) string {
	return "#compdef quipu\nautoload -U +X bashcompinit && bashcompinit\n" + bashCompletion(root)
}

func fishCompletion(root *kong.Node) string {
	var b strings.Builder
	b.WriteString("# fish completion of quipu\n")
	quote := func(s string) string { return "'" + strings.NewReplacer(`\`, `\\`, "'", `\'`).Replace(s) + "'" }
	for _, n := range nodes(root) {
		when := "__fish_use_subcommand"
		if n.Parent != nil {
			var parts []string
			for w := range strings.FieldsSeq(nameOf(n)) {
				parts = append(parts, "__fish_seen_subcommand_from "+w)
			}
			when = strings.Join(parts, "; and ")
		}
		for _, c := range n.Children {
			if !c.Hidden {
				fmt.Fprintf(&b, "complete -c quipu -f -n %s -a %s -d %s\n", quote(when), c.Name, quote(c.Help))
			}
		}
		for _, f := range n.Flags {
			if f.Hidden {
				continue
			}
			value := " -r"
			if f.IsBool() {
				value = ""
			}
			fmt.Fprintf(&b, "complete -c quipu -n %s -l %s%s -d %s\n", quote(when), f.Name, value, quote(f.Help))
		}
	}
	return b.String()
}

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"text/template"
)

// plugin is the name of the plugin in krew, and so of its manifest.
const plugin = "operator-maturity"

// platform is what the manifest says of an archive.
type platform struct {
	OS, Arch, URI, SHA256, Bin string
}

// writeManifest fills deploy/krew.yaml.tmpl.
func (r *release) writeManifest(archives []archive) error {
	filled := struct {
		Version   string
		Platforms []platform
	}{Version: r.version}
	for _, a := range archives {
		filled.Platforms = append(filled.Platforms, platform{a.os, a.arch, r.url + "/" + r.version + "/" + a.name, a.sha256, a.binary()})
	}
	manifest, err := template.ParseFiles(filepath.Join(r.root, "deploy", "krew.yaml.tmpl"))
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := manifest.Execute(&b, filled); err != nil {
		return fmt.Errorf("filling the manifest for krew: %w", err)
	}
	return os.WriteFile(filepath.Join(r.out, plugin+".yaml"), b.Bytes(), 0o644)
}

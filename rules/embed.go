// Package rules holds the program's own rules, their tests and the catalogue of
// known operators. It is data: internal/levels and internal/inventory/catalogue
// read it as a file system.
package rules

import "embed"

// FS has levels/*.yaml, operators/*.yaml and tests/*.yaml.
//
//go:embed levels/*.yaml operators/*.yaml tests/*.yaml
var FS embed.FS

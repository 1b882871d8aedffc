// Package rules holds the program's own rules, their tests, the catalogue of
// known operators and the criteria of reviews. It is data: internal/levels,
// internal/inventory/catalogue and internal/review read it as a file system.
package rules

import "embed"

// FS has levels/*.yaml, operators/*.yaml, review/*.yaml and tests/*.yaml.
//
//go:embed levels/*.yaml operators/*.yaml review/*.yaml tests/*.yaml
var FS embed.FS

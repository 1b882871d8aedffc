//go:build race

package manifests

func init() { everyFolder = 25 }

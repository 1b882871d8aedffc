package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func readJSON(file string, into any) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("decoding %s: %w", file, err)
	}
	return nil
}

func writeJSON(file string, from any) error {
	raw, err := json.Marshal(from)
	if err != nil {
		return fmt.Errorf("encoding %s: %w", file, err)
	}
	return os.WriteFile(file, raw, 0o600)
}

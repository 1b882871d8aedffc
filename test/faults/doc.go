// Package faults holds what a scan may say when the server does not answer
// well: its tests let each call go wrong in each way, and interrupt the
// program.
package faults

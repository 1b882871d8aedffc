// Package report writes a scorecard for people and for machines.
//
// Every writer is a pure function of the scorecard and of Options: no clock,
// no environment, no file. It writes once, when the whole text is ready, so a
// failure leaves nothing half written.
//
// The prose formats (table, wide, markdown) are made in two steps. First a
// document is built: blocks of text whose spans say what they are (plain,
// code, good, bad), never how they look (document.go). Then one of the
// printers renders it (terminal.go, markdown.go, html_blocks.go). Cluster text
// therefore has one way out for each format, and that way cleans it (clean.go).
// A new prose report builds a document and gets these formats.
//
// The page of html adds a heat map and charts of its own (html_page.go).
//
// The machine formats (json, yaml, csv, junit, sarif, prometheus, policyreport)
// write the data itself.
//
// A new format is one file and one row in Formats.
package report

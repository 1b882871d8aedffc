// Package promises holds the documentation to the tests that it names: the
// field cases, the threats and the fuzz targets each have one that exists.
package promises

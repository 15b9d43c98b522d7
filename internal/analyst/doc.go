// Package analyst holds what an analyst needs in Neo4j Browser: saved queries, a
// style and a guide. docs/analysts.md shows them at work.
//
// Place in the flow: cmd writes the files beside the private database ([Write])
// and, on request, serves them to Browser ([Handler]). The package imports no
// other of Relata's; its test runs each query on the sample world.
//
// A query is a file queries/NN_name.cypher. Its first line is `// Group: title`,
// the comment lines after it say what it promises and what to change. Then it
// begins with a WITH of example values, so that it runs as it stands; it reads
// one space only, starts from indexed lookups, writes nothing and ends by itself.
package analyst

package embed

// For the tests in package embed_test.
var (
	Cut     = cut
	Accept  = accept
	Explain = explain
	Sleep   = sleep
)

// ModelFileNames are the names of the model's files.
func ModelFileNames() []string {
	var names []string
	for _, f := range modelFiles() {
		names = append(names, f.name)
	}
	return names
}

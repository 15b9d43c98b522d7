package extractor

// The grammar of formats §1, output: two roots, three sections in each, items
// in a section, a source and a target in a replace, leaves with text.

const (
	rootRelations = "relations"
	rootMemories  = "memories"

	secReplaces   = "replaces"
	secIncrements = "increments"
	secRemoves    = "removes"

	itemReplace = "replace"
	halfSource  = "source"
	halfTarget  = "target"
)

// itemOf names the item of each section.
var itemOf = map[string]string{
	secReplaces: itemReplace, secIncrements: "increment", secRemoves: "remove",
}

// relationLeaves and memoryLeaves are the leaves of an item under each root.
// True marks prose: any text may stand in it, also text that looks like markup.
// The others hold a word or a list, so that the next tag ends them.
var (
	relationLeaves = map[string]bool{"date": false, "key": false, "content": true}
	memoryLeaves   = map[string]bool{
		"date": false, "subject": true, "object": true, "relation": false, "content": true,
		"index0": false, "index1": false, "msg_ids": false, "tags": false, "known_by": false, "event_date": false,
	}
)

func leavesOf(root string) map[string]bool {
	if root == rootRelations {
		return relationLeaves
	}
	return memoryLeaves
}

func isRoot(name string) bool    { return name == rootRelations || name == rootMemories }
func isSection(name string) bool { return itemOf[name] != "" }
func isHalf(name string) bool    { return name == halfSource || name == halfTarget }

func isItem(name string) bool {
	return name == itemReplace || name == "increment" || name == "remove"
}

func isLeaf(name string) bool {
	_, ok := memoryLeaves[name]
	return ok || name == "key"
}

func isGrammar(name string) bool {
	return isRoot(name) || isSection(name) || isItem(name) || isHalf(name) || isLeaf(name)
}

// legalChild says whether an element may begin inside the innermost of stack
// (enclosing elements, outermost first). Names that the grammar lacks may stand
// among leaves, as extras that are ignored.
func legalChild(stack []string, name string) bool {
	switch parent := stack[len(stack)-1]; {
	case isRoot(parent):
		return isSection(name)
	case isSection(parent):
		return name == itemOf[parent]
	case parent == itemReplace:
		return isHalf(name)
	default:
		_, leaf := leavesOf(stack[0])[name]
		return leaf || !isGrammar(name)
	}
}

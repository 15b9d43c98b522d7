package graph

import "slices"

// StructuralTypes are the relationship types that Relata uses for itself. No
// key of a vocabulary may become one of them: the typed edges of memories live
// beside these in one graph.
func StructuralTypes() []string {
	return []string{
		"ADDED", "ANSWERED_WITH", "AWARE_OF", "ENTITY_ALIAS", "IN_SPACE", "MEMORY_OBJECT",
		"MEMORY_SOURCE", "MEMORY_SUBJECT", "MIGRATED_TO", "PERSONA_OWNER", "RETIRED",
		"SUPERSEDES", "UPDATED",
	}
}

// IsStructuralType says whether a relationship type is one of [StructuralTypes].
func IsStructuralType(name string) bool { return slices.Contains(StructuralTypes(), name) }

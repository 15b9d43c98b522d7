// The least that a statement costs.
RETURN 1 AS one

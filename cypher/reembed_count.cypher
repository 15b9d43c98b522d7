// How many memories there are, current and retired, in all spaces.
// Params: none
// Returns: count (int)
RETURN COUNT { (:Memory) } + COUNT { (:Retired) } AS count

// Notes that the vectors of another model are being computed beside those in use,
// or, with nulls, that none are.
// Params: $model, $dimensions
// Returns: nothing
MATCH (m:Meta {name: 'relata'})
SET m.next_model = $model, m.next_dimensions = $dimensions

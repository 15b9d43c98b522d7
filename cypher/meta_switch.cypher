// Notes that the vectors in use are being replaced: from here on only a move that
// goes on may use the database.
// Params: none
// Returns: nothing
MATCH (m:Meta {name: 'relata'})
SET m.switching = true

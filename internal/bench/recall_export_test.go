package bench

// What the tests of recall see of the inside.
var FloorTokens = floorTokens

package bench
var SearchAlone = (*Bench).searchAlone

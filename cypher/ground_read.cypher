// What every plan stands on: the vocabulary, the personas, what names mean, and
// how many current memories use some relations.
// Params: $space, $keys, $uses
// Returns: relations, personas, names (lists of maps), keys_ever, types_ever (int), uses (list of maps)
CALL () {
  MATCH (r:Relation) WHERE r.space = $space AND r.key > ''
  WITH r ORDER BY r.date, r.key
  RETURN collect(r {.key, .content, .date, .functional, .symmetric, .inverse, .aliases, .status, .successor}) AS relations
}
CALL () {
  MATCH (r:Relation) WHERE r.space = $space AND r.key > ''
  WITH collect(r.key) AS keys
  OPTIONAL MATCH (g:RetiredRelation) WHERE g.space = $space AND g.key > ''
  WITH keys, collect(DISTINCT g.key) AS gone
  RETURN size(keys) + size([key IN gone WHERE NOT key IN keys]) AS keys_ever
}
CALL () {
  MATCH (t:RelationType)
  RETURN count(t) AS types_ever
}
CALL () {
  MATCH (p:Persona {space: $space})
  OPTIONAL MATCH (p)-[:PERSONA_OWNER]->(o:Entity)
  WITH p, o ORDER BY p.id
  RETURN collect({id: p.id, name: p.name, aliases: p.aliases, voice: p.voice,
    owner: o.name, owner_id: o.id, owner_aliases: o.aliases}) AS personas
}
CALL () {
  UNWIND $keys AS key
  OPTIONAL MATCH (:Alias {space: $space, key: key})-[:ENTITY_ALIAS]->(declared:Entity)
  OPTIONAL MATCH (same:Entity {space: $space, key: key})
  WITH key, coalesce(declared, same) AS e
  WHERE e IS NOT NULL
  RETURN collect({key: key, id: e.id, entity_key: e.key, name: e.name, persona: e:Persona}) AS names
}
CALL () {
  UNWIND $uses AS key
  RETURN collect({key: key, count: COUNT { MATCH (m:Memory {space: $space, relation: key}) }}) AS uses
}
RETURN relations, keys_ever, types_ever, personas, names, uses

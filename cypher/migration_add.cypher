// Records an applied migration.
// Params: $version, $description, $checksum, $now, $milliseconds
// Returns: nothing
CREATE (:Migration {version: $version, description: $description, checksum: $checksum,
  applied_at: $now, milliseconds: $milliseconds})

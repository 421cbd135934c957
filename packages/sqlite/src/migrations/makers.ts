/** Which key made a key, and from which workspace a workspace was made: what ends or is suspended with what. */
export const makers = `
ALTER TABLE api_keys ADD COLUMN made_by TEXT;
CREATE INDEX api_keys_by_maker ON api_keys (made_by) WHERE made_by IS NOT NULL;
ALTER TABLE workspaces ADD COLUMN parent_id TEXT;
ALTER TABLE workspaces ADD COLUMN suspended_with TEXT;
CREATE INDEX workspaces_by_parent ON workspaces (parent_id) WHERE parent_id IS NOT NULL;
`

/**
 * For rows of older releases: the maker of a key is its creator, and only the first key of a workspace is made by a
 * key. Keys whose maker has ended since do not change.
 */
export const nameMakers = `
UPDATE api_keys SET made_by = created_by ->> '$.id' WHERE made_by IS NULL AND created_by ->> '$.type' = 'api_key';
UPDATE workspaces AS w SET parent_id = (
    SELECT m.workspace_id FROM api_keys k JOIN api_keys m ON m.key_id = k.made_by
      WHERE k.workspace_id = w.workspace_id AND k.made_by IS NOT NULL LIMIT 1)
  WHERE parent_id IS NULL AND kind = 'shared';
`

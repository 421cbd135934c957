/** Documents with a duration, by its end: a range of time begins at those that have not ended, and at the index by time. */
export const lasting = `
CREATE INDEX documents_lasting ON documents (workspace_id, ends_at, timestamp) WHERE ends_at IS NOT NULL;
`

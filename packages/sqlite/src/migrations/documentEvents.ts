/** The events of one document: when its versions came. */
export const documentEvents = `
CREATE INDEX events_by_document ON events (workspace_id, document_id, event_seq);
`

/** Which documents the answer to a question cites. */
export const citedDocuments = `
ALTER TABLE questions ADD COLUMN documents TEXT NOT NULL DEFAULT '[]';
`

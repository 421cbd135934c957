/** The trace in which a job was queued. */
export const jobTraces = `
ALTER TABLE jobs ADD COLUMN trace TEXT;
`

/** When a job began to wait; null where an earlier release queued it. */
export const queuedTimes = `
ALTER TABLE jobs ADD COLUMN queued_at INTEGER;
`

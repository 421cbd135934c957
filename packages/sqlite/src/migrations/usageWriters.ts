/** The last batch of each writer of usage: one that is written again is not counted again. */
export const usageWriters = `
CREATE TABLE usage_writers (
  writer TEXT PRIMARY KEY, number INTEGER NOT NULL, day TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX usage_writers_by_day ON usage_writers (day);
`

/** The last batch of each writer of usage: one that is written again is not counted again. */
import type { Migration } from "./Migration.ts"

export const usageWriters: Migration = {
  name: "usage_writers",
  oldestCompatible: 1,
  statements: (schema) => [
    `CREATE TABLE ${schema}.usage_writers (
      writer uuid PRIMARY KEY,
      number bigint NOT NULL,
      day date NOT NULL
    )`,
    `CREATE INDEX usage_writers_by_day ON ${schema}.usage_writers (day)`
  ]
}

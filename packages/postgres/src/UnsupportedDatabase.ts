/** The database cannot be used. The message says why, and what to do. Nothing in it was changed. */
import { Schema } from "effect"

export class UnsupportedDatabase extends Schema.TaggedError<UnsupportedDatabase>()("UnsupportedDatabase", {
  message: Schema.String
}) {}

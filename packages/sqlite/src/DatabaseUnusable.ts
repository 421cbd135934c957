/** The database file cannot be opened; the message says why, and what to do. Nothing in it was changed. */
import { Schema } from "effect"

export class DatabaseUnusable extends Schema.TaggedError<DatabaseUnusable>()("DatabaseUnusable", {
  path: Schema.String,
  problem: Schema.String
}) {
  override get message(): string {
    return `The database ${this.path} cannot be used: ${this.problem}. Nothing in it was changed.`
  }
}

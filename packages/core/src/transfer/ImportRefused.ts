/** The file cannot be imported into this store; the message says why. Nothing was changed. */
import { Schema } from "effect"

export class ImportRefused extends Schema.TaggedError<ImportRefused>()("ImportRefused", {
  message: Schema.String
}) {}

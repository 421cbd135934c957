/** A file or a store that an import does not go with; the message says why. Nothing was changed. */
import { Schema } from "effect"

export class ImportRefused extends Schema.TaggedError<ImportRefused>()("ImportRefused", {
  message: Schema.String
}) {}

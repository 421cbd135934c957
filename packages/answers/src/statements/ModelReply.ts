/** The JSON that a language model is asked to reply with. */
import { Schema } from "effect"

/** `Schema.Int` would write bounds into the JSON schema that some servers refuse. */
export const ModelStatement = Schema.Struct({
  text: Schema.String,
  quotes: Schema.Array(Schema.Struct({ passage: Schema.Finite, quote: Schema.String }))
})
export type ModelStatement = typeof ModelStatement.Type

export const ModelReply = Schema.Struct({ statements: Schema.Array(ModelStatement) })

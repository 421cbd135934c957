/** The answer to a change that is over. */
import { Schema } from "effect"

/** The field that says so, beside the fields of what was changed. */
export const outcome = <const Status extends string>(status: Status) => ({
  /** The outcome. */
  status: Schema.Literal(status)
})

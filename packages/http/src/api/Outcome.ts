/** The answer to a change that is over. */
import { Schema } from "effect"

/** The field that says so; those of what was changed stand beside it. */
export const outcome = <const Status extends string>(status: Status) => ({
  /** What has become of it. */
  status: Schema.Literal(status)
})

/** E-mail addresses of users. */
import { Schema, SchemaTransformation } from "effect"
import { text } from "./Text.ts"
import { violatedBy } from "./Violation.ts"

const LONGEST = 320

/** Case-insensitive: stored in lower case. */
export const Email = text(3, LONGEST).check(
  violatedBy((address) =>
    // Report the length first.
    address.length > 2 * LONGEST || /^[^\s@<>"]+@[^\s@<>"]+$/u.test(address)
      ? undefined
      : { type: "value_error", message: "Value error, not a valid e-mail address" }
  )
).pipe(Schema.decodeTo(Schema.String, SchemaTransformation.toLowerCase()))

/** E-mail addresses, by which people are known. */
import { Schema, SchemaTransformation } from "effect"
import { text } from "./Text.ts"
import { violatedBy } from "./Violation.ts"

const LONGEST = 320

/** Addresses that differ only in case are one: kept in lower case. */
export const Email = text(3, LONGEST).check(
  violatedBy((address) =>
    // What is too long is reported as that.
    address.length > 2 * LONGEST || /^[^\s@<>"]+@[^\s@<>"]+$/u.test(address)
      ? undefined
      : { type: "value_error", message: "Value error, not a valid e-mail address" }
  )
).pipe(Schema.decodeTo(Schema.String, SchemaTransformation.toLowerCase()))

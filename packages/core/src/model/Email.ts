/** E-mail addresses of users. */
import { Option, Schema, SchemaTransformation } from "effect"
import { foldAscii } from "./folding.ts"
import { text } from "./Text.ts"
import { violatedBy } from "./Violation.ts"

const MAX_LENGTH = 320

/** Other characters for the same text, such as the Kelvin sign for K, and invisible ones: it would look like another. */
const isDeceptive = (address: string): boolean => address !== address.normalize("NFKC") || /\p{C}/u.test(address)

/** Case-insensitive in ASCII: stored in lower case. Other letters may not be folded into the address of somebody else. */
export const Email = text(3, MAX_LENGTH).check(
  violatedBy((address) =>
    // Report the length first.
    address.length > 2 * MAX_LENGTH || (/^[^\s@<>"]+@[^\s@<>"]+$/u.test(address) && !isDeceptive(address))
      ? undefined
      : { type: "value_error", message: "Value error, not a valid e-mail address" }
  )
).pipe(
  Schema.decodeTo(Schema.String, SchemaTransformation.transform({ decode: foldAscii, encode: (address) => address }))
)

/** An address as it is stored; null if it is not an address. */
export const emailOf: (address: string) => string | null = (address) =>
  Option.getOrNull(Schema.decodeOption(Email)(address))

/** A field of a request that may be left out; null says the same. */
import { Schema } from "effect"

export const optional = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

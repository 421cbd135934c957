/** An optional field of a request; null means absent. */
import { Schema } from "effect"

export const optional = <S extends Schema.Constraint>(schema: S) => Schema.optionalKey(Schema.NullOr(schema))

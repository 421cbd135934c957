/** Any integer from 0 up to `bound`, without it. */
import { Arbitrary, Schema } from "effect"

export const integerBelow = (bound: number) =>
  Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: bound - 1 })))

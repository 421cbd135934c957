/** Integers in requests. */
import { Schema } from "effect"

/** From `minimum` to `maximum`. Reports one problem at a time: the range is checked only for integers. */
export const integer = (minimum: number, maximum: number) =>
  // @effect-diagnostics-next-line schemaNumber:off
  Schema.Number.check(Schema.isInt().abort()).check(Schema.isBetween({ minimum, maximum }))

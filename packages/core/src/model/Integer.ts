/** Whole numbers of a request. */
import { Schema } from "effect"

/** From `minimum` to `maximum`. One fault is told at a time: what is no whole number is not judged for its size. */
export const integer = (minimum: number, maximum: number) =>
  // @effect-diagnostics-next-line schemaNumber:off
  Schema.Number.check(Schema.isInt().abort()).check(Schema.isBetween({ minimum, maximum }))

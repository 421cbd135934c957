/** An error of the caller's own code, an iterable or a callback. It is rethrown unchanged. */
import { Data } from "effect"

export class CallerError extends Data.TaggedError("CallerError")<{ readonly thrown: unknown }> {}

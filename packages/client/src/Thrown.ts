/** What a caller's own code threw, an iterable or a callback: it is handed back as it is. */
import { Data } from "effect"

export class Thrown extends Data.TaggedError("Thrown")<{ readonly thrown: unknown }> {}

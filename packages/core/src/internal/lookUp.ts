/** Looks up what a client names by its id. */
import { Effect, Option, type Schema } from "effect"
import { parseId } from "../model/Id.ts"

/** Nothing has an id that is not a UUID, and a backend might not even be able to compare it. */
export const lookUp = <Id extends string, A, E>(
  schema: Schema.Codec<Id, string>,
  id: string,
  find: (id: Id) => Effect.Effect<Option.Option<A>, E>
): Effect.Effect<Option.Option<A>, E> =>
  Option.match(parseId(schema)(id), { onNone: () => Effect.succeedNone, onSome: find })

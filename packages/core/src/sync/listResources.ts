/** Lists the resources of a source, which also shows whether the source can be reached. */
import { Duration, Effect } from "effect"
import { MAX_RESOURCES } from "../model/Connection.ts"
import { BadRequest } from "../model/Error.ts"
import { isStorable } from "../model/Text.ts"
import type { Provider } from "../ports/Provider.ts"

const TIMEOUT = Duration.seconds(30)

/** The longest name in code units, since external ids start with it. */
const MAX_NAME = 255

/** `BadRequest`: there is nothing to pull, or the source cannot be reached. */
export const listResources = (
  provider: Provider,
  config: unknown
): Effect.Effect<ReadonlyArray<string>, BadRequest> =>
  provider.resources(config).pipe(
    Effect.mapError(({ message }) => new BadRequest({ message })),
    Effect.timeoutOrElse({
      duration: TIMEOUT,
      orElse: () => Effect.fail(new BadRequest({ message: "The source did not answer within 30 seconds." }))
    }),
    Effect.map((found) =>
      [...new Set(found)].filter((name) => name !== "" && name.length <= MAX_NAME && isStorable(name))
    ),
    Effect.filterOrFail(
      (found) => found.length > 0 && found.length <= MAX_RESOURCES,
      (found) =>
        new BadRequest({
          message: found.length === 0
            ? "There is nothing to pull at this source."
            : `A connection pulls at most ${MAX_RESOURCES} resources, and this source has ${found.length}.`
        })
    )
  )

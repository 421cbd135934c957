/** Secrets of a connection that its source replaces while it is used. */
import { Duration, Effect, Option, Redacted, Schedule } from "effect"
import type { ConnectionId, WorkspaceId } from "../model/Id.ts"
import { ConnectionStore } from "../ports/ConnectionStore.ts"
import { FatalFailure, type ReplaceSecret, RetryableFailure, type SyncFailure } from "../ports/Provider.ts"
import { SecretBox } from "../secrets/SecretBox.ts"
import { openSecrets, sealSecrets } from "./connectionConfig.ts"

/** The source may refuse the previous value from now on, so the new one is not given up easily. */
const RETRY = { times: 7, schedule: Schedule.exponential(Duration.millis(100)) }

const UNAVAILABLE = new RetryableFailure({ message: "The secrets of the connection cannot be stored at present." })

/** `ReplaceSecret` of a stored connection. */
export const replaceSecret = Effect.fnUntraced(function*(workspaceId: WorkspaceId, connectionId: ConnectionId) {
  const store = yield* ConnectionStore
  const box = yield* SecretBox

  /** None if the connection is gone, or has no such secret any more. */
  const find = Effect.fnUntraced(
    function*(field: string) {
      const found = Option.getOrNull(yield* store.find(workspaceId, connectionId))
      if (found === null || found.secrets === null) return Option.none()
      const secrets = yield* openSecrets(box, workspaceId, found)
      const value = secrets[field]
      return typeof value === "string" ? Option.some({ sealed: found.secrets, secrets, value }) : Option.none()
    },
    Effect.catchTags({
      Sealed: ({ message }) => Effect.fail(new FatalFailure({ message })),
      StorageUnavailable: () => Effect.fail(UNAVAILABLE)
    })
  )

  /** Returns false if the secrets were changed meanwhile. A value that somebody else has stored stays. */
  const put = Effect.fnUntraced(function*(field: string, before: string, after: string) {
    const present = Option.getOrNull(yield* find(field))
    if (present?.value !== before) return true
    const sealed = yield* sealSecrets(box, workspaceId, connectionId, { ...present.secrets, [field]: after })
    return sealed === null || (yield* store.reseal(workspaceId, connectionId, present.sealed, sealed))
  })

  const replace: ReplaceSecret = (field, known, use) =>
    Effect.uninterruptibleMask((restore) => {
      const useOf = (used: string): ReturnType<typeof use> =>
        restore(use(Redacted.make(used))).pipe(
          Effect.tap(([, next]) =>
            Redacted.value(next) === used
              ? Effect.void
              : put(field, used, Redacted.value(next)).pipe(
                Effect.repeat({ until: (isDone) => isDone }),
                Effect.retry(RETRY),
                Effect.mapError(() => UNAVAILABLE)
              )
          ),
          Effect.catch((failure: SyncFailure) =>
            Effect.flatMap(find(field), (present) =>
              Option.isSome(present) && present.value.value !== used
                ? useOf(present.value.value)
                : Effect.fail(failure))
          )
        )
      return find(field).pipe(
        Effect.flatMap((present) =>
          useOf(Option.match(present, { onNone: () => Redacted.value(known), onSome: ({ value }) => value }))
        ),
        Effect.map(([result]) => result)
      )
    })
  return replace
})

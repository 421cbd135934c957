/** Secrets in their places, encrypted again with the first key, so that older keys can be removed. */
import { Effect } from "effect"
import type { StorageUnavailable } from "../model/Error.ts"
import type { ConnectionId, WebhookId, WorkspaceId } from "../model/Id.ts"
import { SecretBox } from "./SecretBox.ts"

/** The place of a secret of a connection or a webhook. */
export const placeOf = (workspaceId: WorkspaceId, id: ConnectionId | WebhookId): string => `${workspaceId}/${id}`

interface SealedSecret {
  readonly sealed: string
  /** The place for which it is encrypted. */
  readonly place: string
  /** Does nothing if it was changed meanwhile: then it is encrypted with the first key. */
  readonly replace: (before: string, after: string) => Effect.Effect<boolean, StorageUnavailable>
}

/** Returns whether it was necessary. */
export const rewrapSecret = Effect.fnUntraced(function*({ place, replace, sealed }: SealedSecret) {
  const box = yield* SecretBox
  const { isStale, text } = yield* box.open(sealed, place)
  if (isStale) yield* replace(sealed, yield* box.seal(text, place))
  return isStale
})

/** Seals a secret again under the first key, so that older keys can be taken away. */
import { Effect } from "effect"
import type { StorageUnavailable } from "../model/Error.ts"
import { SecretBox } from "./SecretBox.ts"

export interface SealedSecret {
  readonly sealed: string
  /** What it is sealed for. */
  readonly place: string
  /** Does nothing to one that was changed meanwhile: that is new. */
  readonly replace: (before: string, after: string) => Effect.Effect<boolean, StorageUnavailable>
}

/** Says whether there was a need. */
export const rewrapSecret = Effect.fnUntraced(function*({ place, replace, sealed }: SealedSecret) {
  const box = yield* SecretBox
  const { isStale, text } = yield* box.open(sealed, place)
  if (isStale) yield* replace(sealed, yield* box.seal(text, place))
  return isStale
})

/** Encrypts a secret again with the first key, so that older keys can be removed. */
import { Effect } from "effect"
import type { StorageUnavailable } from "../model/Error.ts"
import { SecretBox } from "./SecretBox.ts"

export interface SealedSecret {
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

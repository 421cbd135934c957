/** Whose a thing is: `Ada's birthday` is not `Grace's birthday`, though both sentences hold the same words. */
import { termOf } from "../text/words.ts"

const OWNED = /([\p{L}\p{M}]+)['\u2019]s\s+([\p{L}\p{M}]+)/gu

const ownersIn = (text: string): ReadonlyArray<readonly [owner: string, thing: string]> =>
  [...text.matchAll(OWNED)].map(([, owner = "", thing = ""]) => [termOf(owner), termOf(thing)])

/** Whether a sentence speaks of what is asked about, and only of somebody else's. */
export const isOfAnother = (asked: string, sentence: string): boolean => {
  const owners = ownersIn(sentence)
  return ownersIn(asked).some(([owner, thing]) => {
    const named = owners.filter(([, other]) => other === thing)
    return named.length > 0 && named.every(([other]) => other !== owner)
  })
}

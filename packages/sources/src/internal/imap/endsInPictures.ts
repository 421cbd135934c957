/** Whether a mail needs no more than its beginning, because nothing but pictures and sounds follows. */
import type { MessageStructureObject } from "imapflow"
import { hasWords, mimeParts, type Part } from "./mimeParts.ts"

const typesOf = ({ parts, type: { value } }: Part): ReadonlyArray<string> =>
  value.startsWith("multipart/") ? parts.flatMap(typesOf) : [value]

/** A mail within a mail counts as one part. */
const toldTypesOf = ({ childNodes = [], type }: MessageStructureObject): ReadonlyArray<string> =>
  type.toLowerCase().startsWith("multipart/") ? childNodes.flatMap(toldTypesOf) : [type.toLowerCase()]

/**
 * The sizes that servers tell are estimates at times, and so are not relied upon: the beginning ends in a picture, and
 * of the parts that the server lists, the first ones are those of the beginning and the others pictures too.
 */
export const endsInPictures = (beginning: Buffer, structure: MessageStructureObject | undefined): boolean => {
  const part = structure === undefined ? null : mimeParts(beginning)
  if (structure === undefined || part === null) return false
  const types = typesOf(part)
  const told = toldTypesOf(structure)
  return types.length > 0 && types.every((type, at) => type === told[at]) &&
    !told.slice(types.length - 1).some(hasWords)
}

/** Whether a mail needs no more than its beginning, because nothing but pictures and sounds follows. */
import type { MessageStructureObject } from "imapflow"
import { hasWords, mimeParts, type Part } from "./mimeParts.ts"

const typesOf = ({ parts, type: { value } }: Part): ReadonlyArray<string> =>
  value.startsWith("multipart/") ? parts.flatMap(typesOf) : [value]

/** A mail within a mail counts as one part. */
const toldTypesOf = ({ childNodes = [], type }: MessageStructureObject): ReadonlyArray<string> =>
  type.toLowerCase().startsWith("multipart/") ? childNodes.flatMap(toldTypesOf) : [type.toLowerCase()]

/** The types of the parts that a mail begins with, when the last of them is a picture. */
export const endingInPicture = (beginning: Buffer): ReadonlyArray<string> | null => {
  const part = mimeParts(beginning)
  const types = part === null ? [] : typesOf(part)
  const last = types.at(-1)
  return last === undefined || hasWords(last) ? null : types
}

/**
 * Of the parts that the server lists, the first ones are those of the beginning and the others pictures too. The sizes
 * that servers tell are not relied upon.
 */
export const endsInPictures = (
  types: ReadonlyArray<string>,
  structure: MessageStructureObject | undefined
): boolean => {
  const told = structure === undefined ? [] : toldTypesOf(structure)
  return types.every((type, at) => type === told[at]) && !told.slice(types.length).some(hasWords)
}

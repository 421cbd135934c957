/** Whether the beginning of a mail is enough, because only pictures and sounds follow. */
import type { MessageStructureObject } from "imapflow"
import { hasWords, partTypes } from "@tributary/extract/Mail"

/** A nested mail counts as one part. */
const reportedTypesOf = ({ childNodes = [], type }: MessageStructureObject): ReadonlyArray<string> =>
  type.toLowerCase().startsWith("multipart/") ? childNodes.flatMap(reportedTypesOf) : [type.toLowerCase()]

/** The types of the parts at the beginning, if the last one is a picture. */
export const endingInPicture = (beginning: Buffer): ReadonlyArray<string> | null => {
  const types = partTypes(beginning)
  const last = types.at(-1)
  return last === undefined || hasWords(last) ? null : types
}

/**
 * Whether the server's list of parts starts with these, and the rest are pictures as well. The sizes that servers
 * report are not reliable.
 */
export const endsInPictures = (
  types: ReadonlyArray<string>,
  structure: MessageStructureObject | undefined
): boolean => {
  const reported = structure === undefined ? [] : reportedTypesOf(structure)
  return types.every((type, at) => type === reported[at]) && !reported.slice(types.length).some(hasWords)
}

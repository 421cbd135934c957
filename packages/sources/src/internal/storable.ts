import { MAX_METADATA_VALUE } from "@tributary/core/model/Text"

/** Makes text of unknown origin storable in every backend. */
export const storable = (text: string): string => text.toWellFormed().replaceAll("\0", "\ufffd")

/** Cut to the length of a metadata value, where a cut may split a character. */
export const metadataValue = (text: string): string => storable(text.slice(0, MAX_METADATA_VALUE))

/** A record without absent or blank values. */
export const filled = (
  fields: Readonly<Record<string, string | ReadonlyArray<string> | null | undefined>>
): Record<string, string | ReadonlyArray<string>> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      value === null || value === undefined || value.length === 0
        ? []
        : [[name, typeof value === "string" ? storable(value) : value.map(storable)]]
    )
  )

const [FIRST, LAST] = [Date.parse("0001-01-01T00:00:00Z"), Date.parse("9999-12-31T23:59:59.999Z")]

/** A time that a file system or a repository names, in a year that every backend can store. */
export const storableDate = (millis: number): Date => new Date(Math.min(Math.max(millis, FIRST), LAST))

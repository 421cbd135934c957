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

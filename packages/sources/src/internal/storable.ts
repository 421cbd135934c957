/** Text of unknown origin as text that every store keeps. */
export const storable = (text: string): string => text.toWellFormed().replaceAll("\0", "\ufffd")

/** A record without what is absent or blank. */
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

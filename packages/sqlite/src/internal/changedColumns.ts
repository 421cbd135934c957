/** Columns of a partial update. */

/** Columns that change; what is undefined stays. */
export const changed = (columns: Readonly<Record<string, string | boolean | null | undefined>>) => {
  const given = Object.entries(columns).filter(
    (entry): entry is [string, string | boolean | null] => entry[1] !== undefined
  )
  return { names: given.map(([name]) => `, ${name} = ?`).join(""), values: given.map(([, value]) => value) }
}

export const json = (value: unknown): string | undefined => value === undefined ? undefined : JSON.stringify(value)

const LISTED: Readonly<Record<string, string>> = { "{": "{\"listed\":[", "}": "]}", ":": "," }

/** The text with each object as a list of its names and values. */
const withLists = (text: string): string => {
  let isInString = false
  return text.replace(/\\.|["{}:]/g, (token) => {
    if (token === "\"") isInString = !isInString
    return isInString ? token : LISTED[token] ?? token
  })
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null

const withObjects = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(withObjects)
  if (!isObject(value)) return value
  const { listed } = value as { readonly listed: ReadonlyArray<unknown> }
  const fields: Array<readonly [string, unknown]> = []
  for (let index = 0; index < listed.length; index += 2) {
    fields.push([String(listed[index]), withObjects(listed[index + 1])])
  }
  return Object.fromEntries(fields)
}

const hasBackslashInName = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.some(hasBackslashInName)
  return isObject(value) &&
    Object.entries(value).some(([name, inner]) => name.includes("\\") || hasBackslashInName(inner))
}

/**
 * `JSON.parse` for names that others choose. V8 mistakes a name with an escape for an earlier one that looks like its
 * beginning: after `{"\\": 1}`, it reads `{"\"": 2}` as `{"\\": 2}` (nodejs/node#63785). What it reads so has a backslash
 * in the name.
 */
export const parseJson = (text: string): ReturnType<typeof JSON.parse> => {
  const value: unknown = JSON.parse(text)
  return text.includes("\\") && hasBackslashInName(value) ? withObjects(JSON.parse(withLists(text))) : value
}

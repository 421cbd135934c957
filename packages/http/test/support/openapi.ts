/** Ways into an OpenAPI document. */

/** The value at a path; undefined if the path does not exist. */
export const at = (value: unknown, ...path: ReadonlyArray<string | number>): unknown =>
  path.reduce<unknown>(
    (inner, name) => (inner as Readonly<Record<string | number, unknown>> | undefined)?.[name],
    value
  )

export const each = (value: unknown): ReadonlyArray<unknown> => value as ReadonlyArray<unknown>

export const entries = (value: unknown): ReadonlyArray<readonly [string, unknown]> => Object.entries(value ?? {})

export const operations = (document: unknown) =>
  entries(at(document, "paths")).flatMap(([path, item]) =>
    entries(item).map(([method, definition]) => ({
      name: String(at(definition, "operationId")),
      method,
      path,
      definition
    }))
  )

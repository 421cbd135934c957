/** Parameters that both drivers understand. PGlite would take more, and the query would then fail on a Postgres server. */

type Parameter = null | string | number | boolean | bigint | Date | Uint8Array | ReadonlyArray<Parameter>

// A view of a pooled or larger buffer takes all of it along to the other thread.
const own = (bytes: Uint8Array): Uint8Array =>
  bytes.byteLength === bytes.buffer.byteLength ? bytes : new Uint8Array(bytes)

const portable = (value: unknown): Parameter => {
  switch (typeof value) {
    case "string":
    case "number":
    case "boolean":
    case "bigint":
      return value
    case "undefined":
      return null
    default:
      if (value === null || value instanceof Date) return value
      if (value instanceof Uint8Array) return own(value)
      if (Array.isArray(value)) return value.map(portable)
      throw new TypeError(`a ${typeof value} is no parameter: pass JSON as text and cast it`)
  }
}

/** Throws a `TypeError` on what is not portable. */
export const portableParameters = (values: ReadonlyArray<unknown>): ReadonlyArray<Parameter> => values.map(portable)

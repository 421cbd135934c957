/** Hostile values, the same on every run. */

/** Numbers from 0 to 1 (mulberry32). */
const numbers = (seed: number) => {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

const KEYS =
  "temporal_settings start end type days date items external_id data text payload kind timestamp metadata name source_name accepted_kinds q query limit sources cursor scopes limits account_id external_ids async mode title url content_type suspended __proto__ constructor toString 😀"
    .split(" ").concat("")

const LEAVES = [
  "null",
  "true",
  "0",
  "-1",
  "1.5",
  "1e400",
  "99999999999999999999",
  "\"\"",
  "\"x\"",
  "\"relative\"",
  "\"2025-02-30\"",
  "\"2025-01-01T00:00:00Z\"",
  "\"+275760-09-13T00:00:00Z\"",
  "\"\\ud800\"",
  "\"\\u0000\"",
  "\"page\"",
  "\"api:read\"",
  "\"😀\"",
  "{\"__proto__\":{}}",
  "[[[[[[]]]]]]",
  `"${"long ".repeat(500)}"`
]

/** Texts for paths, queries and headers, percent-encoded. */
const TEXTS =
  "x 0 5 100 101 -1 1e1 true null queued custom:notes page a %00 %2F %F0%9F%98%80 %25 ..%2f.. a;b %E2%80%AE %zz %ff %0d%0a ' 00000000-0000-0000-0000-000000000000"
    .split(" ").concat("x".repeat(3_000), "9".repeat(30))

const TORN = ["", "}", "\"", ",", "\\", "\u0000", "[[[[", "é", "\r\n--b--"]

export const randomOf = (seed: number) => {
  const next = numbers(seed)
  const chance = (probability: number): boolean => next() < probability
  const pick = <A>(from: ReadonlyArray<A>): A => from[Math.floor(next() * from.length)]!

  const json = (depth: number): string => {
    const kind = next()
    if (depth === 0 || kind < 0.3) return pick(LEAVES)
    const parts = Array.from({ length: Math.floor(next() * 4) }, () => json(depth - 1))
    return kind < 0.45
      ? `[${parts.join(",")}]`
      : `{${parts.map((part) => `${JSON.stringify(pick(KEYS))}:${part}`).join(",")}}`
  }

  /** The JSON of a value, with something else in one or another of its places. */
  const mutated = (value: unknown): string => {
    if (chance(0.1)) return json(2)
    if (Array.isArray(value)) {
      const parts = value.map(mutated)
      return `[${(chance(0.1) ? [...parts, ...parts] : parts).join(",")}]`
    }
    if (typeof value !== "object" || value === null) return chance(0.1) ? pick(LEAVES) : JSON.stringify(value)
    const fields = Object.entries(value).filter(() => !chance(0.05)).map(([key, field]) =>
      [key, mutated(field)] as const
    )
    if (chance(0.1)) fields.push([pick(KEYS), json(1)])
    return `{${fields.map(([key, field]) => `${JSON.stringify(key)}:${field}`).join(",")}}`
  }

  const torn = (text: string): string => {
    const at = Math.floor(next() * text.length)
    return text.slice(0, at) + pick(TORN) + text.slice(at + 1)
  }

  return { chance, pick, json, mutated, torn, text: () => pick(TEXTS) }
}

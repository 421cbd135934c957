/** The largest bodies that operations take, and the worst that they refuse. */
import { formText, type Operation } from "./operations.ts"

const fill = (before: string, piece: string, after: string, bytes: number): string =>
  before + piece.repeat(Math.floor((bytes - before.length - after.length) / piece.length)) + after

/** Input that blocks a service which parses before it counts. */
export const worstOf = (bytes: number): Readonly<Record<string, string>> => {
  const keys = Array.from({ length: Math.floor(bytes / 11) }, (_, key) => `"${String(key).padStart(6, "0")}":1`)
  return {
    "empty objects": fill(`{"items":[{}`, ",{}", "]}", bytes),
    "numbers": fill(`{"items":[1`, ",1", "]}", bytes),
    "unknown keys": `{${keys.join()}}`,
    "deep brackets": fill("", "[", "", bytes),
    "blanks": fill("", " ", "x", bytes),
    "an open string": fill("\"", "\\n", "", bytes),
    "escaped quotes": fill(`{"q":"`, "\\\"", `"`, bytes),
    "digits that would be lost": fill(`{"q":["a"`, ",9007199254740993", "]}", bytes),
    "bytes that are no text": fill("{\"q\":\"é", "é", "\"", bytes / 2) + "\ud800",
    "nothing but commas": fill("[", ",", "]", bytes)
  }
}

const email = (to: number) => ({
  external_id: "a",
  timestamp: "2026-01-01T00:00:00Z",
  payload: { kind: "email", subject: "s", to: Array.from({ length: to }, (_, index) => `${index}@example.org`) }
})

const words = (bytes: number): string => "Deploys run on weekdays, at nine. ".repeat(Math.floor(bytes / 34))

const metadata = (pairs: number) =>
  Object.fromEntries(Array.from({ length: pairs }, (_, index) => [`k${index}`, "é".repeat(2_000)]))

/** The largest bodies of the operations that accept large ones; all others are padded with blanks. */
export const LARGEST: Readonly<Record<string, (limit: number) => ReadonlyArray<string>>> = {
  ingestJson: () => [
    JSON.stringify({ items: [{ data: words(32_000_000) }] }),
    JSON.stringify({ items: [{ data: Array.from({ length: 99_000 }, (_, index) => index) }] }),
    JSON.stringify({
      items: [{ data: Array.from({ length: 30_000 }, (_, index) => ({ [`k${index}`]: words(400) })) }]
    }),
    JSON.stringify({
      items: Array.from({ length: 1_000 }, (_, index) => ({ external_id: `${index}`, data: { a: words(30_000) } }))
    })
  ],
  ingestText: () => [
    JSON.stringify({ items: [{ text: words(32_000_000) }] }),
    JSON.stringify({ items: [{ text: words(16_000_000), content_type: "text/markdown" }] }),
    JSON.stringify({
      items: Array.from({ length: 1_000 }, (_, index) => ({ external_id: `${index}`, text: words(30_000) }))
    })
  ],
  ingestTyped: () => [
    JSON.stringify({ items: [email(90_000)] }),
    JSON.stringify({ items: Array.from({ length: 200 }, (_, index) => ({ ...email(4_000), external_id: `${index}` })) })
  ],
  ingestFile: () => [formText({ kind: "page" }, words(32_000_000))],
  deleteConnectorDocuments: () => [
    JSON.stringify({ external_ids: Array.from({ length: 1_000 }, (_, index) => `${index}`.padEnd(512, "é")) })
  ],
  deleteDocuments: () => [
    JSON.stringify({ document_ids: Array.from({ length: 1_000 }, (_, index) => `${index}`.padEnd(100, "é")) })
  ],
  createConnector: () => [JSON.stringify({ name: "n", source_name: "large", metadata: metadata(50) })],
  updateConnector: () => [JSON.stringify({ metadata: metadata(50) })],
  search: () => [JSON.stringify({ q: "deploys", metadata: metadata(20) })],
  ask: () => [JSON.stringify({ query: "When do deploys run?", metadata: metadata(20) })],
  createToken: () => [JSON.stringify({ expires_in: 60, filter: { metadata: metadata(20) } })]
}

export const largestOf = ({ bodyLimit, example, name }: Operation): ReadonlyArray<string> =>
  LARGEST[name]?.(bodyLimit) ?? [`${JSON.stringify(example ?? {})}`.padEnd(bodyLimit, " ")]

/** The requests to each server, and their number per round. */
import { randomFrom, randomText, randomWord } from "../texts.ts"

export interface Place {
  readonly port: number
  /** The key of a workspace without documents. */
  readonly key: string
  /** The key of the workspace that is searched. */
  readonly searchKey: string
  /** The key of the workspace that documents are pushed to. */
  readonly ingestKey: string
  readonly connectorId: string
}

export interface Scenario {
  readonly name: string
  readonly method: "GET" | "PATCH" | "POST"
  readonly path: (place: Place) => string
  readonly key: (place: Place) => string
  /** The body of a request, by its number. */
  readonly body: ((number: number) => string) | null
  readonly accept?: string
  readonly requests: number
  /** The number of requests before the first round, to warm up the compiler. */
  readonly warmUp: number
}

/** The number of searched documents in thousands, because a batch has a thousand. */
export const DOCUMENTS = Math.ceil(Number(process.env["TRIBUTARY_BENCH_DOCUMENTS"] ?? 10_000) / 1_000) * 1_000

const SETTINGS = JSON.stringify({
  temporal_settings: { start: { type: "relative", days: 365 }, end: { type: "date", date: "2027-12-31" } }
})

const random = randomFrom(7)
const queries = Array.from(
  { length: 500 },
  () => `${randomWord(random)} ${randomWord(random)} ${randomWord(random)}`
)

export const queryOf = (number: number): string => queries[number % queries.length]!

// Every item is new, because a known item is not stored.
let items = 0
const batch = (size: number) => {
  const text = randomText(randomFrom(11), 60)
  return () =>
    JSON.stringify({
      items: Array.from({ length: size }, () => ({ external_id: `item-${items++}`, text, title: "A note" }))
    })
}

/** The number of documents before the first round: until then, V8 compiles the code in the background. */
const WARM_UP = 25_000

const ingest = (size: number, requests: number): Scenario => ({
  name: `ingest of ${size}`,
  method: "POST",
  path: ({ connectorId }) => `/v1/custom-connectors/${connectorId}/ingest/text`,
  key: ({ ingestKey }) => ingestKey,
  body: batch(size),
  requests,
  warmUp: Math.min(5_000, WARM_UP / size)
})

export const INGESTS = [ingest(1, 1_000), ingest(100, 50), ingest(1_000, 6)]

const SETTINGS_PATH = "/v1/knowledge/settings"

/** The smallest request with a key. */
export const SMALLEST = "GET settings"

export const SEARCH = `search over ${DOCUMENTS}`

export const SCENARIOS: ReadonlyArray<Scenario> = [
  {
    name: SMALLEST,
    method: "GET",
    path: () => SETTINGS_PATH,
    key: ({ key }) => key,
    body: null,
    requests: 20_000,
    warmUp: 60_000
  },
  {
    name: "PATCH settings",
    method: "PATCH",
    path: () => SETTINGS_PATH,
    key: ({ key }) => key,
    body: () => SETTINGS,
    requests: 5_000,
    warmUp: 20_000
  },
  {
    name: SEARCH,
    method: "POST",
    path: () => "/v1/knowledge/search",
    key: ({ searchKey }) => searchKey,
    body: (number) => JSON.stringify({ q: queryOf(number) }),
    requests: 1_000,
    warmUp: 6_000
  },
  ...INGESTS
]

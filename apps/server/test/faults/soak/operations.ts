/** Random operations on a workspace, as data, so that a failure can print them. */
import * as fc from "fast-check"

export const CONNECTORS = ["notes", "mail", "wiki"] as const
const KINDS = ["email", "page", "message", "calendar", "issue"] as const
const TEAMS = ["red", "green", "blue"] as const

/** The ids of a connector's documents. */
const IDS = 50

/** Days before now: of documents, and of the ends of ranges between them. */
const AGES = [-40, 5, 60, 200, 500, 1_000]
const ENDS = [-100, -10, 30, 100, 365, 700]

/** Chooses one of those that exist then. */
const pick = fc.nat(9_999)
const id = fc.nat(IDS - 1).map((number) => `note-${number}`)
const connector = fc.constantFrom(...CONNECTORS)
const end = fc.constantFrom(...ENDS)

const item = fc.record({
  id,
  age: fc.constantFrom(...AGES),
  kind: fc.constantFrom(...KINDS),
  team: fc.constantFrom(null, ...TEAMS),
  sentences: fc.constantFrom(0, 0, 2, 150),
  /** Whether the same item is sent again. */
  again: fc.constantFrom(false, false, false, true)
})
export type Draft = typeof item extends fc.Arbitrary<infer A> ? A : never

/** What a search, a question or a token is restricted to. */
const narrowing = fc.oneof(
  fc.constant({}),
  fc.record({ sources: fc.constantFrom(["custom:mail"], ["page", "email"], ["custom", "custom:wiki"]) }),
  fc.record({ team: fc.constantFrom(...TEAMS) }),
  fc.record({ from: end }),
  fc.record({ to: end })
)
export interface Narrowing {
  readonly sources?: ReadonlyArray<string>
  readonly team?: string
  readonly from?: number
  readonly to?: number
}

const condition = fc.oneof(
  fc.record({ source: fc.constantFrom("custom", ...CONNECTORS.map((name) => `custom:${name}`)) }),
  fc.record({ kind: fc.constantFrom("custom", ...KINDS) }),
  fc.record({ connector }),
  fc.record({ from: end }),
  fc.record({ to: end }),
  fc.record({ in_context: fc.boolean() }),
  fc.record({ q: fc.constantFrom("REPORT", "note-1", "page 2") })
)
const filter = fc.array(condition, { maxLength: 2 }).map((all): Filter => Object.assign({}, ...all))
export interface Filter {
  readonly source?: string
  readonly kind?: string
  readonly connector?: string
  readonly from?: number
  readonly to?: number
  readonly in_context?: boolean
  readonly q?: string
}

/** A document that exists, a version that was deleted or replaced, or a document of another workspace. */
const version = fc.record({ of: fc.constantFrom("present", "present", "former", "stranger"), pick })
export type Version = typeof version extends fc.Arbitrary<infer A> ? A : never

const bound = fc.oneof(
  fc.constant(null),
  fc.record({ type: fc.constant("relative" as const), days: fc.constantFrom(30, 100, 365, 700) }),
  fc.record({ type: fc.constant("date" as const), daysAgo: fc.constantFrom(30, 100, 365) })
)
export type Bound = typeof bound extends fc.Arbitrary<infer A> ? A : never

const limit = fc.constantFrom(11, 40, 100)

const act = fc.oneof(
  {
    weight: 28,
    arbitrary: fc.record({
      type: fc.constant("ingest" as const),
      form: fc.constantFrom("text", "json", "typed"),
      connector,
      items: fc.oneof(
        fc.array(item, { minLength: 1, maxLength: 3 }),
        fc.array(item, { minLength: 15, maxLength: 30, size: "max" })
      )
    })
  },
  {
    weight: 10,
    arbitrary: fc.record({
      type: fc.constant("remove" as const),
      pick,
      by: fc.constantFrom("document_id", "external_id")
    })
  },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant("removeSome" as const),
      connector,
      ids: fc.uniqueArray(id, { minLength: 1, maxLength: 10 })
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant("removeMatching" as const), filter, isConfirmed: fc.boolean() })
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant("emptyConnector" as const), connector }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant("setRange" as const), start: bound, end: fc.constantFrom(null, 20, 100) })
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("refresh" as const), isAlone: fc.boolean() }) },
  { weight: 20, arbitrary: fc.record({ type: fc.constant("search" as const), version, narrowing }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant("searchAll" as const), narrowing, limit }) },
  {
    weight: 12,
    arbitrary: fc.record({
      type: fc.constant("ask" as const),
      version,
      narrowing,
      isLater: fc.boolean(),
      waits: fc.boolean()
    })
  },
  {
    weight: 10,
    arbitrary: fc.record({
      type: fc.constant("list" as const),
      filter,
      limit,
      sort: fc.constantFrom("timestamp", "updated_at", "title", "size"),
      isDescending: fc.boolean()
    })
  },
  { weight: 4, arbitrary: fc.record({ type: fc.constant("listConnector" as const), connector, limit }) },
  {
    weight: 12,
    arbitrary: fc.record({
      type: fc.constant("read" as const),
      version,
      by: fc.constantFrom("document_id", "external_id")
    })
  },
  { weight: 5, arbitrary: fc.record({ type: fc.constant("createKey" as const), isReader: fc.boolean() }) },
  { weight: 5, arbitrary: fc.record({ type: fc.constant("revokeKey" as const), pick }) },
  { weight: 6, arbitrary: fc.record({ type: fc.constant("createToken" as const), narrowing, version, limit }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("listKeys" as const) }) },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("listJobs" as const), limit }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant("rereadJob" as const), pick }) },
  { weight: 4, arbitrary: fc.record({ type: fc.constant("usage" as const) }) }
)
type Act = typeof act extends fc.Arbitrary<infer A> ? A : never
export type Of<T extends Act["type"]> = Extract<Act, { readonly type: T }>

/** `nodes` has a bit for each request: the server that it is sent to. */
const operation = fc.record({ act, nodes: fc.nat(), key: pick })
export type Operation = typeof operation extends fc.Arbitrary<infer A> ? A : never

/** The end of a server after some operations of all workspaces, a few milliseconds into the requests then. */
const ending = fc.record({
  after: fc.integer({ min: 10, max: 80 }),
  node: pick,
  how: fc.constantFrom("SIGKILL" as const, "SIGKILL" as const, "SIGTERM" as const),
  delay: fc.integer({ min: 0, max: 40 })
})

/** An endless sequence: the same for the same seed. */
const drawn = function*<A>(arbitrary: fc.Arbitrary<A>, seed: number): Generator<A, never> {
  for (let round = 0;; round++) yield* fc.sample(arbitrary, { seed: Math.imul(seed + round, 0x9E3779B1), numRuns: 50 })
}

/** Rounds of different workspaces must not meet. */
const FAR = 1_000_003

export const operationsOf = (seed: number, workspace: number): Iterator<Operation, never> =>
  drawn(operation, seed + (workspace + 1) * FAR)

export const endingsOf = (seed: number) => drawn(ending, seed)

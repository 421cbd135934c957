/**
 * Documents per second, compared with statements that only insert the same rows into the same tables: without limits,
 * comparison with stored documents, change numbers, chunking and hashing.
 */
import { Ingest, PendingChunks } from "@tributary/core/Ingest"
import { Connectors } from "@tributary/core/Connectors"
import { Workspaces } from "@tributary/core/Workspaces"
import * as Extract from "@tributary/extract/Extract"
import { Effect, Layer } from "effect"
import { median } from "../print.ts"
import { type Batch, newBatch } from "./batches.ts"
import { LANES } from "./databases.ts"
import { newPlace, type Place } from "./places.ts"
import type { MeasuredStore } from "./stores.ts"

/** The first run warms up. */
const ROUNDS = 4

// No context is built here, so ingest must not wait for one.
const services = Layer.mergeAll(
  Layer.provide(Ingest.layer, Layer.succeed(PendingChunks, null)),
  Connectors.layer,
  Workspaces.layer
).pipe(
  Layer.provide(Extract.layer)
)

interface Case {
  readonly name: string
  readonly batch: number
  readonly batches: number
  readonly lanes: number
}

/** Several batches per lane, because the first ones run in lockstep. */
const CASES: ReadonlyArray<Case> = [
  { name: "one workspace", batch: 1, batches: 40, lanes: 1 },
  { name: "one workspace", batch: 10, batches: 20, lanes: 1 },
  { name: "one workspace", batch: 100, batches: 24, lanes: 1 },
  { name: "one workspace", batch: 1_000, batches: 4, lanes: 1 },
  { name: `${LANES} workspaces at once`, batch: 1, batches: 80, lanes: LANES },
  { name: `${LANES} workspaces at once`, batch: 10, batches: 80, lanes: LANES },
  { name: `${LANES} workspaces at once`, batch: 100, batches: 64, lanes: LANES },
  { name: `${LANES} workspaces at once`, batch: 1_000, batches: 16, lanes: LANES }
]

/** The seconds to store all batches, with the lanes in parallel. */
const timed = <E, R>(
  { batch, batches, lanes }: Case,
  places: ReadonlyArray<Place>,
  act: (place: Place, batch: Batch) => Effect.Effect<unknown, E, R>
) =>
  Effect.gen(function*() {
    const work = Array.from({ length: lanes }, () => Array.from({ length: batches / lanes }, () => newBatch(batch)))
    const begin = performance.now()
    yield* Effect.forEach(
      work,
      (mine, lane) => Effect.forEach(mine, (batch) => act(places[lane]!, batch), { discard: true }),
      { concurrency: "unbounded", discard: true }
    )
    return (performance.now() - begin) / 1_000
  })

const measure = Effect.fnUntraced(function*({ name, prepareRaw }: MeasuredStore) {
  const rawInsert = yield* prepareRaw
  const ingest = yield* Ingest
  const places = yield* Effect.forEach(Array.from({ length: LANES }), () => newPlace)
  const rows: Array<ReadonlyArray<string>> = []
  for (const one of CASES) {
    const [ours, raw]: [Array<number>, Array<number>] = [[], []]
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(
        yield* timed(one, places, ({ connectorId, workspace }, { items }) => ingest.text(workspace, connectorId, items))
      )
      raw.push(yield* timed(one, places, rawInsert))
    }
    const rate = (seconds: number) => (one.batch * one.batches) / seconds
    const ratios = ours.map((seconds, round) => raw[round]! / seconds)
    rows.push([
      name,
      one.name,
      String(one.batch),
      rate(median(ours.slice(1))).toFixed(0),
      rate(median(raw.slice(1))).toFixed(0),
      median(ratios.slice(1)).toFixed(2)
    ])
  }
  return rows
}, Effect.scoped)

export const INGEST_HEAD = ["database", "into", "batch", "ours, documents/s", "raw, documents/s", "ours / raw"]

/** Rows of the table of rates. */
export const ingestRates = (store: MeasuredStore) =>
  Effect.provide(measure(store), Layer.provide(services, store.ports), { local: true })

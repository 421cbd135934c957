/**
 * Documents per second of whole ingests, of the storage's part of them alone, and of its statements without the way to
 * the thread that writes, compared with statements that only insert the same rows into the same tables: without limits,
 * comparison with stored documents, change numbers, chunking and hashing.
 */
import { Ingest, PendingChunks } from "@tributary/core/Ingest"
import { Connectors } from "@tributary/core/Connectors"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { Workspaces } from "@tributary/core/Workspaces"
import * as Extract from "@tributary/extract/Extract"
import { Effect, Layer } from "effect"
import { median } from "../statistics.ts"
import { type Batch, newBatch } from "./batches.ts"
import { LANES } from "./databases.ts"
import { newPlace, type Place } from "./places.ts"
import type { Admit, MeasuredStore } from "./stores.ts"

/** The first run warms up. */
const ROUNDS = 6

// No context is built here, so ingest must not wait for one.
const ingestLayer = Ingest.layer.pipe(Layer.provide(Layer.succeed(PendingChunks, null)), Layer.provide(Extract.layer))

const services = Layer.mergeAll(ingestLayer, Connectors.layer, Workspaces.layer)

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

/** The seconds to store all batches, with the lanes in parallel, after what `prepare` does with each of them. */
const timed = <A, E, R, F>(
  { batch, batches, lanes }: Case,
  places: ReadonlyArray<Place>,
  prepare: (place: Place, batch: Batch) => Effect.Effect<A, E, R>,
  act: (prepared: A) => Effect.Effect<unknown, F>
) =>
  Effect.gen(function*() {
    const work = yield* Effect.forEach(places.slice(0, lanes), (place) =>
      Effect.forEach(Array.from({ length: batches / lanes }), () => prepare(place, newBatch(batch))))
    const begin = performance.now()
    yield* Effect.forEach(work, (mine) =>
      Effect.forEach(mine, act, { discard: true }), {
      concurrency: "unbounded",
      discard: true
    })
    return (performance.now() - begin) / 1_000
  })

/** What an ingest stores: it runs on a storage that only takes note of it. */
const prepareAdmission = Effect.fnUntraced(function*({ connectorId, workspace }: Place, { items }: Batch) {
  const store = yield* DocumentStore
  let noted: Parameters<Admit> | undefined
  const noting = DocumentStore.of({
    ...store,
    admit: (...admit) =>
      Effect.sync(() => {
        noted = admit
        return admit[2].map(({ document_id }) => ({ status: "created", resource: null, document_id }))
      })
  })
  const ingest = Layer.provide(ingestLayer, Layer.succeed(DocumentStore, noting))
  yield* Effect.provide(Effect.flatMap(Ingest, (ingest) => ingest.text(workspace, connectorId, items)), ingest, {
    local: true
  })
  return noted!
})

const measure = Effect.fnUntraced(function*({ name, openDirect }: MeasuredStore) {
  const direct = yield* openDirect
  const ingest = yield* Ingest
  const store = yield* DocumentStore
  const places = yield* Effect.forEach(Array.from({ length: LANES }), () => newPlace)
  const asIs = (place: Place, batch: Batch) => Effect.succeed({ place, batch })
  const admitting = (admit: Admit) => (one: Case) =>
    timed(one, places, prepareAdmission, (admission) => admit(...admission))
  const ways = [
    (one: Case) =>
      timed(one, places, asIs, ({ batch, place }) => ingest.text(place.workspace, place.connectorId, batch.items)),
    admitting(store.admit),
    (one: Case) => timed(one, places, asIs, ({ batch, place }) => direct.insert(place, batch)),
    ...(direct.admit === null ? [] : [admitting(direct.admit)])
  ]
  return yield* Effect.forEach(CASES, (one) =>
    Effect.gen(function*() {
      const rounds = yield* Effect.forEach(
        Array.from({ length: ROUNDS }),
        () => Effect.forEach(ways, (way) => way(one))
      )
      const counted = rounds.slice(1)
      const rate = (way: number) => (one.batch * one.batches / median(counted.map((round) => round[way]!))).toFixed(0)
      const toRaw = (way: number) => median(counted.map((round) => round[2]! / round[way]!)).toFixed(2)
      const here = direct.admit === null ? "–" : toRaw(3)
      return [name, one.name, String(one.batch), ...[0, 1, 2].map(rate), ...[0, 1].map(toRaw), here]
    }))
}, Effect.scoped)

export const INGEST_HEAD = [
  "database",
  "into",
  "batch",
  "ingest, documents/s",
  "admission, documents/s",
  "raw, documents/s",
  "ingest / raw",
  "admission / raw",
  "in the calling thread / raw"
]

/** Rows of the table of rates. */
export const ingestRates = (store: MeasuredStore) =>
  Effect.provide(measure(store), Layer.provideMerge(services, store.ports), { local: true })

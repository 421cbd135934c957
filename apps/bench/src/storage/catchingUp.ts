/** The first search after an ingest, which indexes what is not in a snapshot yet; and building everything anew. */
import { Ingest } from "@tributary/core/Ingest"
import { KnowledgeContext } from "@tributary/core/KnowledgeContext"
import { Search } from "@tributary/core/Search"
import * as Tributary from "@tributary/core/Tributary"
import * as Extract from "@tributary/extract/Extract"
import * as Postgres from "@tributary/postgres/Postgres"
import { Clock, Effect, Layer } from "effect"
import { SCHEMA } from "./databases.ts"
import { newPlace, newTexts, type Place } from "./places.ts"

const services = Tributary.layer.pipe(Layer.provide(Postgres.layer({ schema: SCHEMA })), Layer.provide(Extract.layer))

const NEW = [1, 100, 10_000]

export const CATCH_UP_HEAD = [
  "database",
  "nothing new, ms",
  ...NEW.map((count) => `${count} new, ms`),
  "rebuild, s",
  "documents rebuilt"
]

const timed = <A, E, R>(act: Effect.Effect<A, E, R>) =>
  Effect.gen(function*() {
    const began = yield* Clock.currentTimeMillis
    yield* act
    return (yield* Clock.currentTimeMillis) - began
  })

const isSettled = Effect.fnUntraced(function*({ workspace }: Place) {
  const status = yield* (yield* KnowledgeContext).status(workspace.workspace_id)
  return status.pending_documents === 0 && status.state === "ready"
})

const settled = (place: Place) =>
  Effect.repeat(Effect.delay(isSettled(place), "50 millis"), { while: (done: boolean) => !done })

const measure = Effect.fnUntraced(function*(name: string) {
  const [context, ingest, search] = [yield* KnowledgeContext, yield* Ingest, yield* Search]
  const place = yield* newPlace
  const { connectorId, workspace } = place
  const ask = search.search(workspace.workspace_id, { q: "karo" })
  const add = Effect.fnUntraced(function*(count: number) {
    const texts = newTexts(count)
    for (let at = 0; at < count; at += 1_000) {
      yield* ingest.text(workspace, connectorId, texts.slice(at, at + 1_000)).pipe(
        Effect.retry({ while: (error) => error._tag === "StorageUnavailable", times: 10 })
      )
    }
  })
  yield* add(2_000)
  yield* settled(place)
  yield* ask
  const idle = yield* timed(ask)
  const times: Array<number> = []
  for (const count of NEW) {
    yield* add(count)
    times.push(yield* timed(ask))
    yield* settled(place)
  }
  const rebuild = yield* timed(
    Effect.andThen(
      context.configure(workspace.workspace_id, { temporal_settings: { start: null, end: null } }),
      settled(place)
    )
  )
  const documents = 2_000 + NEW.reduce((sum, count) => sum + count, 0)
  return [name, String(idle), ...times.map(String), (rebuild / 1_000).toFixed(1), String(documents)]
})

/** A row of the table of searches after an ingest, for the database in this context. */
export const catchUpCost = (name: string) => Effect.provide(measure(name), services)

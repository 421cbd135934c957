/** A database of its own in the data directory, whose socket is where commands reach the server. */
import * as MemoryRateWindows from "@tributary/memory/MemoryRateWindows"
import * as ControlChannel from "@tributary/postgres/pglite/ControlChannel"
import { DataDirectory } from "@tributary/postgres/pglite/DataDirectory"
import * as PgliteClient from "@tributary/postgres/pglite/PgliteClient"
import * as Postgres from "@tributary/postgres/Postgres"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { type Exchange, Sent } from "../transport/Exchange.ts"
import type { Storage } from "../settings/Settings.ts"
import * as HeldDirectory from "./HeldDirectory.ts"
import { Store } from "./Store.ts"

type Embedded = Extract<Storage, { readonly kind: "embedded" }>

/** The name of the one request that the control channel knows. */
export const REQUEST = "api"

const answering = (exchange: Exchange): ControlChannel.Answer<never> => (name, payload) =>
  name === REQUEST
    ? Schema.decodeUnknownEffect(Sent)(payload).pipe(
      Effect.mapError(() => new ControlChannel.RequestRefused({ message: "the request is not of this release" })),
      Effect.flatMap(exchange)
    )
    : Effect.fail(new ControlChannel.RequestRefused({ message: `there is no request "${name}"` }))

const store = Layer.effect(
  Store,
  Effect.map(DataDirectory, (directory) => ({
    place: `embedded: kept in ${directory.path}`,
    // The directory is held by this process alone.
    alone: (task) => task,
    answerCommands: (exchange) =>
      Layer.build(ControlChannel.layer(answering(exchange))).pipe(
        Effect.provideService(DataDirectory, directory),
        Effect.asVoid
      )
  }))
)

/** The database, and the hold on its directory. */
const client = ({ directory, fsync }: Embedded) =>
  PgliteClient.layerDirectory({ fsync }).pipe(Layer.provideMerge(HeldDirectory.layer(directory)))

/** Every port on the embedded database; rate windows, which nobody else shares, stay in memory. */
export const layer = (storage: Embedded) =>
  Layer.mergeAll(store, Postgres.layer({ schema: storage.schema, alone: true }), MemoryRateWindows.layer).pipe(
    Layer.provide(client(storage))
  )

/** The database, with its schema brought up to date. */
export const layerDatabase = (storage: Embedded) =>
  Postgres.layerMigrations({ schema: storage.schema }).pipe(Layer.provideMerge(client(storage)))

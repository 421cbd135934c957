/** What a host does that installed PGlite: the database and its worker thread come out of the packed files. */
import { DataDirectory, PgliteClient } from "@tributary/postgres/pglite"
import * as Postgres from "@tributary/postgres/Postgres"
import { openWith } from "@tributary/tributary"
import { Layer } from "effect"

const client = Layer.provide(PgliteClient.layerDirectory(), DataDirectory.layer("data"))

const kb = await openWith(Layer.provideMerge(Postgres.layer(), client))
const workspace = await kb.createWorkspace({ name: "Handbook" })
const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
await workspace.ingest.text(connector_id, [{ title: "Keys", text: "The spare key is kept in locker 7." }])
const { results } = await workspace.search({ q: "spare key" })
process.stdout.write(`${results.map(({ title }) => title).join()}\n`)
await kb.close()

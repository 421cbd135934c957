/** Two nodes of a host over its own pool, with the tables of Tributary in a schema of their own. */
import { open } from "@tributary/tributary"
import { Pool } from "pg"

const pool = new Pool({ connectionString: process.env["DATABASE_URL"], max: 10 })
pool.on("error", (error) => console.error("a connection of the pool was lost", error.message))
const storage = { storage: "postgres", sql: pool, schema: process.env["SCHEMA"] ?? "knowledge" } as const

// A step of the deployment migrates, as a role that may; the nodes only look whether that was done.
await (await open(storage)).close()
await using one = await open({ ...storage, migrate: "check", logger: false })
await using other = await open({ ...storage, migrate: "check", logger: false })

const workspace = await one.createWorkspace({ name: "Handbook" })
const { connector_id } = await workspace.connectors.create({ name: "Handbook", source_name: "handbook" })
await workspace.ingest.text(connector_id, [{ title: "Keys", text: "The spare key is kept in locker 7." }])

// Nothing is copied between nodes, and what one has taken in, every other one finds at once.
const { results } = await other.workspace(workspace.id).search({ q: "spare key" })
process.stdout.write(`${results.map(({ title }) => title).join()}\n`)

await Promise.all([one.close(), other.close()])
await pool.end()

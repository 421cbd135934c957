import { assert, it } from "@effect/vitest"
import { DocumentStore } from "@tributary/core/ports/DocumentStore"
import { Effect, Option } from "effect"
import { spawn } from "node:child_process"
import { fileURLToPath } from "node:url"
import { describePostgres, newSchema, portsIn } from "./support/database.ts"
import { newSource, type Source } from "./support/source.ts"
import { databaseUrl } from "./support/testServer.ts"
import { countedIn } from "./support/truth.ts"

const schema = newSchema()

/** Runs a node until it has answered for this many batches, kills it without a warning, and says which those were. */
const killedAfter = (batches: number, { connectorId, workspaceId }: Source) =>
  Effect.promise(() =>
    new Promise<ReadonlyArray<readonly [lane: string, batch: number]>>((resolve, reject) => {
      const script = fileURLToPath(new URL("support/ingesting.ts", import.meta.url))
      const node = spawn(process.execPath, [script, databaseUrl ?? "", schema, workspaceId, connectorId])
      let [said, complaints] = ["", ""]
      const lines = () => said.split("\n").slice(0, -1)
      node.stdout.on("data", (data) => {
        said += String(data)
        if (lines().length >= batches) node.kill("SIGKILL")
      })
      node.stderr.on("data", (data) => {
        complaints += String(data)
      })
      node.on("close", () => {
        if (lines().length < batches) return reject(new Error(complaints))
        return resolve(lines().map((line) => [line.split(" ")[0]!, Number(line.split(" ")[1])]))
      })
    })
  )

describePostgres("a crash", () => {
  it.layer(portsIn(schema), { excludeTestServices: true })((it) => {
    it.effect("of a node during ingest loses no acknowledged write, and keeps the meters exact", () =>
      Effect.gen(function*() {
        const documents = yield* DocumentStore
        const source = yield* newSource
        for (const batches of [5, 23, 60]) {
          const answered = yield* killedAfter(batches, source)
          for (const [lane, batch] of answered) {
            for (const id of [`${lane}-${batch}-0`, `${lane}-${batch}-9`, `${lane}-10`]) {
              const found = yield* documents.findByExternalId(source.workspaceId, source.connectorId, id)
              assert.isTrue(Option.isSome(found), id)
            }
          }
          // Read at one moment: requests in progress when the node died may still complete or fail later.
          const { change_seq, changes, documents: count, events, metered, storage, strays } = yield* countedIn(
            schema,
            source.workspaceId
          )
          assert.deepStrictEqual(metered, { documents: count, storage })
          assert.deepStrictEqual(events, events.map((_, index) => index + 1))
          assert.strictEqual(changes.at(-1), change_seq)
          assert.strictEqual(count % 10, 0)
          assert.strictEqual(strays, 0)
        }
      }))
  })
})

import { assert, it } from "@effect/vitest"
import { DocumentStore, type Selection } from "@tributary/core/ports/DocumentStore"
import { Effect, Fiber } from "effect"
import { describePostgres, newSchema, portsIn } from "../support/database.ts"
import { otherServer } from "../support/otherServer.ts"
import { isWaitingIn } from "../support/isWaiting.ts"
import { admit, item, newJob, newSource, NOW, type Source } from "../support/source.ts"

const schema = newSchema()

describePostgres("a removal that waits for a change", () => {
  const other = otherServer()

  const isWaiting = isWaitingIn(schema)

  /** What is removed when the document changes while the removal waits for that change. */
  const removed = Effect.fnUntraced(function*(
    { connectorId, workspaceId }: Source,
    document_id: string,
    selection: Selection
  ) {
    const documents = yield* DocumentStore
    const run = yield* other
    yield* run("BEGIN")
    yield* run(`SELECT FROM ${schema}.counters WHERE workspace_id = $1 FOR UPDATE`, workspaceId)
    const removal = yield* Effect.forkChild(documents.remove(workspaceId, selection, NOW, newJob(workspaceId)))
    yield* Effect.repeat(isWaiting, { until: (waits) => waits })
    yield* run(
      `UPDATE ${schema}.documents SET change_seq = 2 WHERE connector_id = $1 AND document_id = $2`,
      connectorId,
      document_id
    )
    yield* run("COMMIT")
    return yield* Fiber.join(removal)
  }, Effect.scoped)

  it.layer(portsIn(schema), { excludeTestServices: true })((it) => {
    it.effect("leaves the document, whether it was chosen by its version or by the time of its change", () =>
      Effect.gen(function*() {
        for (const byVersion of [true, false]) {
          const source = yield* newSource
          const sent = item("a", "alpha")
          yield* admit(source, [sent])
          const selection: Selection = byVersion
            ? { versions: [{ document_id: sent.document_id, change_seq: 1 }] }
            : { connector_id: source.connectorId, first: 10, until: 1 }
          assert.deepStrictEqual(yield* removed(source, sent.document_id, selection), [])
        }
      }))
  })
})

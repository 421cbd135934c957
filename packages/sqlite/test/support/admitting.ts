/**
 * A process that admits batches from several lanes until it is killed or done, and notes each batch when it was answered.
 *
 *     node admitting.ts DATABASE ANSWERS BATCHES (answers go to standard output with "-")
 */
import { WorkspaceId } from "@tributary/core/model/Id"
import { KnowledgeStore } from "@tributary/core/ports/KnowledgeStore"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { openSync, writeSync } from "node:fs"
import { admit, item, newSource } from "../../../postgres/test/support/source.ts"
import * as Sqlite from "../../src/Sqlite.ts"
import { LANES, newIds, replacedIds } from "./answers.ts"

const [path = "", answers = "", batches = "Infinity"] = process.argv.slice(2)
const STDOUT = 1
const file = answers === "-" ? STDOUT : openSync(answers, "a")
const say = (line: string) => Effect.sync(() => writeSync(file, `${line}\n`))

const SEGMENT_EVERY = 7
const SEGMENT_BYTES = 200_000

const admitting = Effect.gen(function*() {
  const knowledge = yield* KnowledgeStore
  const source = yield* newSource
  yield* say(`${source.workspaceId} ${source.connectorId}`)
  const lane = Effect.fnUntraced(function*(lane: number) {
    for (let batch = 0; batch < Number(batches); batch++) {
      const ids = [...newIds(lane, batch), ...replacedIds(lane)]
      const text = randomBytes(300).toString("hex")
      yield* admit(source, ids.map((id) => item(id, text, { title: String(batch) })))
      yield* say(`${lane} ${batch}`)
      if (batch % SEGMENT_EVERY !== 0) continue
      const bytes = new Uint8Array(randomBytes(SEGMENT_BYTES))
      yield* knowledge.putSegment(WorkspaceId.make(source.workspaceId), `segment-${lane}`, bytes)
    }
  })
  yield* Effect.forEach(Array.from({ length: LANES }, (_, at) => at), lane, { concurrency: LANES, discard: true })
})

await Effect.runPromise(Effect.provide(admitting, Sqlite.layer({ path })))

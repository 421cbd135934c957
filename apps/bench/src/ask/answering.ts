/** The service over memory with some documents in it, as it is shipped, and what it tells who asks. */
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import { Asks } from "@tributary/core/Asks"
import { Connectors } from "@tributary/core/Connectors"
import { Ingest } from "@tributary/core/Ingest"
import { KnowledgeContext } from "@tributary/core/KnowledgeContext"
import { OPERATOR } from "@tributary/core/model/Principal"
import * as Tributary from "@tributary/core/Tributary"
import { Workspaces } from "@tributary/core/Workspaces"
import * as Extract from "@tributary/extract/Extract"
import * as Memory from "@tributary/memory/Memory"
import { Effect, Layer, ManagedRuntime } from "effect"
import type { Text } from "../retrieval/collections.ts"

export interface Told {
  readonly question: Text
  readonly answered: boolean
  /** The documents that are cited, by the ids of their collection. */
  readonly cited: ReadonlyArray<string>
}

const BATCH = 500

const services = Tributary.layer.pipe(
  Layer.provide(ExtractiveAnswerer.layer),
  Layer.provideMerge(Memory.layer),
  Layer.provide(Extract.layer)
)

const fill = Effect.fnUntraced(function*(documents: ReadonlyArray<Text>) {
  const { personal_workspace: workspace } = yield* (yield* Workspaces).createAccount({ name: "Bench", tier: "pro" })
  const { connector_id } = yield* (yield* Connectors).create(
    workspace.workspace_id,
    { name: "Bench", source_name: "bench" },
    OPERATOR
  )
  const ingest = yield* Ingest
  const context = yield* KnowledgeContext
  for (let at = 0; at < documents.length; at += BATCH) {
    const items = documents.slice(at, at + BATCH).map(({ id, text, title }) => ({
      external_id: id,
      text: text === "" ? title : text,
      ...(title === "" ? {} : { title })
    }))
    yield* ingest.text(workspace, connector_id, items.filter(({ text }) => text.trim() !== ""))
  }
  while ((yield* context.status(workspace.workspace_id)).pending_documents > 0) yield* Effect.sleep("100 millis")
  return workspace.workspace_id
})

export const answering = async (documents: ReadonlyArray<Text>) => {
  const runtime = ManagedRuntime.make(services)
  const workspaceId = await runtime.runPromise(fill(documents))
  return {
    ask: (questions: ReadonlyArray<Text>): Promise<ReadonlyArray<Told>> =>
      runtime.runPromise(Effect.forEach(questions, (question) =>
        Effect.map(
          Effect.flatMap(Asks, (asks) => asks.ask(workspaceId, { query: question.text })),
          ({ answered, citations }) => ({
            question,
            answered,
            cited: citations.map(({ entity }) => entity.external_id)
          })
        ))),
    [Symbol.asyncDispose]: () => runtime.dispose()
  }
}

/** The service in memory with a set of documents, and an answerer that can be observed. */
import * as ExtractiveAnswerer from "@tributary/answers/ExtractiveAnswerer"
import { Asks } from "@tributary/core/Asks"
import { Connectors } from "@tributary/core/Connectors"
import { Ingest } from "@tributary/core/Ingest"
import { KnowledgeContext } from "@tributary/core/KnowledgeContext"
import { OPERATOR } from "@tributary/core/model/Principal"
import type { Answer } from "@tributary/core/model/Ask"
import { Answerer } from "@tributary/core/ports/Answerer"
import { Search } from "@tributary/core/Search"
import * as Tributary from "@tributary/core/Tributary"
import { Workspaces } from "@tributary/core/Workspaces"
import * as Extract from "@tributary/extract/Extract"
import * as Memory from "@tributary/memory/Memory"
import { Effect, Layer, ManagedRuntime } from "effect"
import type { SetDocument } from "./questionSets.ts"

const BATCH = 100

const OPEN = { temporal_settings: { start: null, end: null } }

const moment = ({ timestamp }: SetDocument): Date => timestamp === undefined ? new Date() : new Date(timestamp)

const fileOf = ({ file, id, text = "" }: SetDocument) => ({
  bytes: new TextEncoder().encode(text),
  name: file ?? id,
  contentType: "application/octet-stream"
})

const fill = Effect.fnUntraced(function*(documents: ReadonlyArray<SetDocument>) {
  const { personal_workspace: workspace } = yield* (yield* Workspaces).createAccount({ name: "Bench", tier: "pro" })
  const { workspace_id } = workspace
  const context = yield* KnowledgeContext
  yield* context.configure(workspace, OPEN, OPERATOR)
  const { connector_id } = yield* (yield* Connectors).create(
    workspace,
    { name: "Bench", source_name: "bench" },
    OPERATOR
  )
  const ingest = yield* Ingest
  const of = (how: SetDocument["how"]) => documents.filter((document) => document.how === how)
  for (let at = 0; at < of("text").length; at += BATCH) {
    const items = of("text").slice(at, at + BATCH).map(({ content_type, id, text = "", title, ...document }) => ({
      external_id: id,
      text,
      timestamp: moment(document as SetDocument),
      ...(title === undefined ? {} : { title }),
      ...(content_type === undefined ? {} : { content_type })
    }))
    yield* ingest.text(workspace, connector_id, items)
  }
  for (const document of of("typed")) {
    const item = { external_id: document.id, timestamp: moment(document), payload: document.payload as never }
    yield* ingest.typed(workspace, connector_id, [item])
  }
  for (const document of of("upload")) {
    const item = { file: fileOf(document), external_id: document.id, timestamp: moment(document) }
    yield* ingest.file(workspace, connector_id, item)
  }
  while ((yield* context.status(workspace_id)).pending_documents > 0) yield* Effect.sleep("100 millis")
  return workspace_id
})

export interface Answering extends AsyncDisposable {
  readonly ask: (query: string) => Promise<Answer>
  readonly search: (query: string) => Promise<unknown>
}

/** `watch` sees every question with its evidence before it is answered. */
export const answering = async (
  documents: ReadonlyArray<SetDocument>,
  watch: (answerer: Answerer["Service"]) => Answerer["Service"]
): Promise<Answering> => {
  const answerer = Layer.succeed(Answerer, watch(ExtractiveAnswerer.make()))
  const runtime = ManagedRuntime.make(
    Tributary.layer.pipe(
      Layer.provide(answerer),
      Layer.provideMerge(Memory.layer),
      Layer.provide(Extract.layer)
    )
  )
  const workspaceId = await runtime.runPromise(fill(documents))
  return {
    ask: (query) => runtime.runPromise(Effect.flatMap(Asks, (asks) => asks.ask(workspaceId, { query }))),
    search: (q) => runtime.runPromise(Effect.flatMap(Search, (search) => search.search(workspaceId, { q }))),
    [Symbol.asyncDispose]: () => runtime.dispose()
  }
}

/** Core's services over memory, with a text extractor that only takes tags away. */
import { Connectors } from "@tributary/core/Connectors"
import { Documents } from "@tributary/core/Documents"
import { Ingest } from "@tributary/core/Ingest"
import { OPERATOR } from "@tributary/core/model/Principal"
import type { WorkspacePatch, WorkspaceRecord } from "@tributary/core/model/Workspace"
import { TextExtractor } from "@tributary/core/ports/TextExtractor"
import { Workspaces } from "@tributary/core/Workspaces"
import * as Memory from "@tributary/memory/Memory"
import { Effect, Layer, Struct } from "effect"

const extracted = (content: string, isHtml: boolean) => ({
  title: /^# (.*)$/m.exec(content)?.[1] ?? /<title>(.*?)<\/title>/.exec(content)?.[1] ?? null,
  text: isHtml ? content.replaceAll(/<[^>]*>/g, "") : content,
  authors: Array.from(content.matchAll(/<meta name="author" content="(.*?)">/g), ([, author = ""]) => author)
})

const extractor = Layer.mock(TextExtractor, {
  fromMarkup: (content, contentType) => Effect.succeed(extracted(content, contentType === "text/html")),
  fromFile: ({ bytes, name }) => Effect.succeed(extracted(new TextDecoder().decode(bytes), name.endsWith(".html")))
})

const core = Layer.mergeAll(Connectors.layer, Documents.layer, Ingest.layer, Workspaces.layer)
const memory = Layer.mergeAll(Memory.layer, extractor)

/** A fresh store for every test that provides it. */
export const services = core.pipe(Layer.provideMerge(memory))

/** The same, with what a test puts between them and one of the stores. */
export const servicesOver = <Store extends Layer.Success<typeof Memory.layer>>(
  store: Layer.Layer<Store, never, Store>
) => core.pipe(Layer.provideMerge(store), Layer.provideMerge(memory))

/** A workspace in a new account, with changes by an operator. */
export const workspaceWith = Effect.fnUntraced(function*(patch: WorkspacePatch = {}) {
  const workspaces = yield* Workspaces
  const { personal_workspace } = yield* workspaces.createAccount({ name: "Ada" })
  return yield* workspaces.update(personal_workspace.workspace_id, patch)
})

interface ConnectorOptions {
  readonly kinds?: ReadonlyArray<string>
  readonly metadata?: Record<string, string>
}

/** A workspace with a connector in it. */
export const connectedIn = Effect.fnUntraced(function*(
  workspace: WorkspaceRecord,
  { kinds = [], metadata = {} }: ConnectorOptions = {}
) {
  const connectors = yield* Connectors
  const connector = yield* connectors.create(workspace, {
    name: "Notes",
    source_name: "notes",
    accepted_kinds: kinds,
    metadata: metadata
  }, OPERATOR)
  return { workspace, id: workspace.workspace_id, connector, source: connector.connector_id }
})

/** A workspace in a new account, and a connector in it. */
export const connected = Effect.fnUntraced(function*(options: ConnectorOptions & WorkspacePatch = {}) {
  return yield* connectedIn(yield* workspaceWith(Struct.omit(options, ["kinds", "metadata"])), options)
})

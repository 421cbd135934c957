/** The demo: a workspace with the product's own guides, and a question about them. */
import { Asks } from "@tributary/core/Asks"
import { Connectors } from "@tributary/core/Connectors"
import { Ingest } from "@tributary/core/Ingest"
import type { Answer } from "@tributary/core/model/Ask"
import { OPERATOR } from "@tributary/core/model/Principal"
import type { WorkspaceRecord } from "@tributary/core/model/Workspace"
import * as Effect from "effect/Effect"
import { readGuides } from "./Documentation.ts"

export interface DemoAnswer {
  readonly documents: number
  readonly question: string
  readonly answer: Answer
}

const QUESTION = "How do I rotate an API key without downtime?"

export const run = Effect.fnUntraced(function*(workspace: WorkspaceRecord) {
  const sections = yield* Effect.sync(readGuides)
  const connector = yield* (yield* Connectors).create(
    workspace,
    { name: "Documentation", source_name: "documentation" },
    OPERATOR
  )
  yield* (yield* Ingest).text(
    workspace,
    connector.connector_id,
    sections.map((section) => ({ ...section, content_type: "text/markdown" }))
  )
  const answer = yield* (yield* Asks).ask(workspace.workspace_id, { query: QUESTION })
  return { documents: sections.length, question: QUESTION, answer } satisfies DemoAnswer
})

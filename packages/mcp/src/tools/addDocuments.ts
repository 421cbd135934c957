/** `add_documents`: pushes texts through a custom connector. */
import { IngestResult, TextItem } from "@tributary/core/model/Ingest"
import { Effect, Schema } from "effect"
import * as PublicApi from "../PublicApi.ts"
import { tool } from "../Tool.ts"
import { connector, connectorPath } from "./connector.ts"

export const addDocuments = tool({
  name: "add_documents",
  title: "Add documents",
  description: `Stores texts in the knowledge base through a custom connector; they can be found at once.

Use it only when the user wants something kept: a note, a decision, a summary. A document with an external_id that the connector already has is replaced whole, so reuse the id to correct a text and choose a new, descriptive one to add another. The connector has to exist: list_sources names those there are. Give a title and, where the text has a home, its url.

Example: {"connector": "notes", "documents": [{"external_id": "decision-2026-03-pricing", "title": "Pricing decision, March 2026", "text": "We keep the free plan. Reason: ..."}]}

The result names each document with its status (created, updated, unchanged or rejected); rejected ones did not fit the plan.`,
  scopes: ["custom_connectors:ingest"],
  writes: true,
  // A text without an external id is stored again.
  idempotent: false,
  input: Schema.Struct({
    connector,
    documents: Schema.Array(TextItem).check(Schema.isMinLength(1), Schema.isMaxLength(1_000)).annotate({
      description:
        "The documents. Only text is required; without an external_id the server makes one. content_type says how " +
        "text is written, text/plain when left out. timestamp is the date of the document, now when left out."
    })
  }),
  output: Schema.toEncoded(IngestResult),
  run: (given) =>
    Effect.flatMap(
      connectorPath(given.connector),
      (path) =>
        PublicApi.expect(Schema.JsonObject)(PublicApi.postLong(`${path}/ingest/text`, { items: given.documents }))
    )
})

/** `delete_documents`: removes what was pushed through a custom connector. */
import { ExternalId } from "@tributary/core/model/Ingest"
import { Effect, Schema } from "effect"
import * as PublicApi from "../PublicApi.ts"
import { tool } from "../Tool.ts"
import { connector, connectorPath } from "./connector.ts"

export const deleteDocuments = tool({
  name: "delete_documents",
  title: "Delete documents",
  description:
    `Deletes documents of a custom connector for good. They are gone from search and ask at once and cannot be restored.

Use it only when the user asked for these documents to be deleted. It takes the external_id of each, which search and fetch show, not its id; the connector is their source without "custom:". What a connection pulled cannot be deleted here.

Example: {"connector": "notes", "external_ids": ["decision-2026-03-pricing"]}

The result lists the external ids that existed and are deleted now.`,
  scopes: ["custom_connectors:ingest"],
  writes: true,
  input: Schema.Struct({
    connector,
    external_ids: Schema.Array(ExternalId).check(Schema.isMinLength(1), Schema.isMaxLength(1_000)).annotate({
      description: "The external ids of the documents to delete."
    })
  }),
  output: Schema.Struct({ status: Schema.Literal("deleted"), external_ids: Schema.Array(Schema.String) }),
  run: ({ external_ids, ...named }) =>
    Effect.flatMap(
      connectorPath(named.connector),
      (path) => PublicApi.expect(Schema.JsonObject)(PublicApi.post(`${path}/documents/delete`, { external_ids }))
    )
})

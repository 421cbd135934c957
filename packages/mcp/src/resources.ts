/** Documents as resources: `tributary://document/{id}`. */
import { FullDocument } from "@tributary/core/model/Document"
import { Effect, Schema } from "effect"
import * as PublicApi from "./PublicApi.ts"
import { fetch } from "./tools/fetch.ts"

export const documentTemplate = {
  uriTemplate: "tributary://document/{id}",
  name: "document",
  title: "Document",
  description: "The full text of a document of the knowledge base. The tool search finds the ids.",
  mimeType: "text/plain"
}

/** A caller that may fetch a document may read it as a resource. */
export const { scopes } = fetch

export const textOf = (id: string) =>
  Effect.map(
    PublicApi.expect(Schema.toEncoded(FullDocument))(PublicApi.get(`/v1/documents/${encodeURIComponent(id)}`)),
    ({ text }) => text
  )

/** `fetch`: one document, whole, in pages when it is long. */
import { FullDocument } from "@tributary/core/model/Document"
import { text } from "@tributary/core/model/Text"
import { Effect, Schema } from "effect"
import * as PublicApi from "../PublicApi.ts"
import { Refused } from "../Refused.ts"
import { tool } from "../Tool.ts"
import { documentIdOf, linked, optionalField } from "./fields.ts"
import { Cursor, PAGE, pageOf } from "./fetchPage.ts"

const changed = Refused.of(
  "bad_request",
  "The document has changed since the cursor was made. Fetch it again without a cursor."
)

export const fetch = tool({
  name: "fetch",
  title: "Fetch a document",
  description: `Returns the full text of one document, with its title, url and metadata.

Use it after search or ask, when a snippet or a quote is not enough to answer, or when you are asked to summarise or compare whole documents. It takes an id from search or ask; it does not load web pages.

A text longer than ${
    PAGE.toLocaleString("en")
  } characters comes in pages: while next_cursor is not null, call fetch again with the same id and that cursor.

Example: {"id": "0190b3f0-7c4e-7d2a-9f6b-3d1c5a7e8b21"}`,
  scopes: ["custom_connectors:read", "connections:read"],
  input: Schema.Struct({
    id: text(1, 200).annotate({
      description:
        "The id of a search result or of a citation's entity, or a url that begins with tributary://document/."
    }),
    cursor: optionalField(Cursor, "The next_cursor of the page before.")
  }),
  output: Schema.Struct({
    id: Schema.String,
    title: Schema.String,
    text: Schema.String,
    url: Schema.String,
    metadata: Schema.Record(Schema.String, Schema.String),
    source: Schema.String,
    external_id: Schema.String.annotate({
      description: "For add_documents and delete_documents, as its source names it."
    }),
    timestamp: Schema.String,
    next_cursor: Schema.NullOr(Schema.String)
  }),
  run: ({ cursor, id }) =>
    PublicApi.get(`/v1/documents/${encodeURIComponent(documentIdOf(id) ?? id)}`).pipe(
      PublicApi.expect(Schema.toEncoded(FullDocument)),
      Effect.flatMap((document) => {
        const page = pageOf(document.text, document.updated_at, cursor)
        if (page === null) return Effect.fail(changed)
        const { title, url } = linked(document.document_id, document)
        return Effect.succeed({
          id: document.document_id,
          title,
          text: page.text,
          url,
          metadata: document.metadata,
          source: document.source,
          external_id: document.external_id,
          timestamp: document.timestamp,
          next_cursor: page.next
        })
      })
    )
})

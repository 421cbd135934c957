/** `list_sources`: where the documents of a workspace come from. */
import { Connection } from "@tributary/core/model/Connection"
import { Connector, sourceOf } from "@tributary/core/model/Connector"
import { DocumentList } from "@tributary/core/model/DocumentList"
import { UNEXPECTED } from "@tributary/core/model/Violation"
import { Effect, Schema } from "effect"
import * as PublicApi from "../PublicApi.ts"
import type { Refused } from "../Refused.ts"
import { tool } from "../Tool.ts"

/** Sources whose documents are counted in one call. */
const COUNTED = 100

/** Requests of one call that run side by side. */
const CONCURRENCY = 4

const connectors = PublicApi.expect(Schema.Array(Schema.toEncoded(Connector)))
const connections = PublicApi.expect(Schema.Array(Schema.toEncoded(Connection)))
const documents = PublicApi.expect(Schema.toEncoded(DocumentList))

const Counted = Schema.Struct({
  documents: Schema.NullOr(Schema.Int).annotate({
    description: "How many documents there are; null when that is unknown, as without the scope knowledge:read."
  }),
  documents_exact: Schema.Boolean.annotate({ description: "False: there are at least that many." }),
  last_change: Schema.NullOr(Schema.String).annotate({ description: "When a document of it last changed." })
})
type Counted = typeof Counted.Type

const UNCOUNTED: Counted = { documents: null, documents_exact: false, last_change: null }

/** A key may be allowed to see one kind of source and not the other, or no documents. */
const orOutOfScope = <A, R>(read: Effect.Effect<A, Refused, R>, fallback: A) =>
  read.pipe(
    Effect.catch((error) => error.code === "insufficient_scopes" ? Effect.succeed(fallback) : Effect.fail(error))
  )

/** The number of documents of one source, and the one that changed last. */
const countOf = (source: string) =>
  orOutOfScope(
    Effect.map(
      documents(PublicApi.get(`/v1/documents?${source}&sort=-updated_at&limit=1`)),
      ({ documents: [latest], total, total_at_least }): Counted => ({
        documents: total ?? total_at_least ?? null,
        documents_exact: total !== undefined,
        last_change: latest?.updated_at ?? null
      })
    ),
    UNCOUNTED
  )

const counted = <Source>(sources: ReadonlyArray<Source>, queryOf: (source: Source) => string) =>
  Effect.forEach(
    sources,
    (source, index) =>
      Effect.map(
        index < COUNTED ? countOf(queryOf(source)) : Effect.succeed(UNCOUNTED),
        (count) => ({ source, count })
      ),
    { concurrency: CONCURRENCY }
  )

/** A struct without fields would accept any. */
const NoInput = Schema.Record(Schema.String, Schema.Never.annotate({ typeViolation: () => UNEXPECTED }))

export const listSources = tool({
  name: "list_sources",
  title: "List sources",
  description:
    `Lists where the documents of this knowledge base come from: custom connectors, which programs push into, and connections, which are pulled on a schedule. Each comes with how many documents it holds and when they last changed.

Use it to learn what the knowledge base covers, to find the value for the sources filter of search and ask (the field source), or the connector for add_documents. It takes no input.`,
  scopes: ["custom_connectors:read", "connections:read"],
  input: NoInput,
  output: Schema.Struct({
    connectors: Schema.Array(
      Schema.Struct({
        connector_id: Schema.String,
        name: Schema.String,
        source_name: Schema.String,
        source: Schema.String.annotate({ description: "For the sources filter." }),
        ...Counted.fields
      })
    ),
    connections: Schema.Array(
      Schema.Struct({
        connection_id: Schema.String,
        name: Schema.String,
        provider: Schema.String,
        source: Schema.String.annotate({ description: "For the sources filter." }),
        status: Schema.String,
        ...Counted.fields
      })
    )
  }),
  run: Effect.fnUntraced(function*() {
    const pushed = yield* counted(
      yield* orOutOfScope(connectors(PublicApi.get("/v1/custom-connectors")), []),
      ({ connector_id }) => `connector_id=${connector_id}`
    )
    const pulled = yield* counted(
      yield* orOutOfScope(connections(PublicApi.get("/v1/connections")), []),
      ({ connection_id }) => `connection_id=${connection_id}`
    )
    return {
      connectors: pushed.map(({ count, source: { connector_id, name, source_name } }) => ({
        connector_id,
        name,
        source_name,
        source: sourceOf({ source_name }),
        ...count
      })),
      connections: pulled.map(({ count, source: { connection_id, name, provider, status } }) => ({
        connection_id,
        name,
        provider,
        source: provider,
        status,
        ...count
      }))
    }
  })
})

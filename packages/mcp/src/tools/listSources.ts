/** `list_sources`: where the documents of a workspace come from. */
import { Connection, SyncState } from "@tributary/core/model/Connection"
import { Connector } from "@tributary/core/model/Connector"
import { Document } from "@tributary/core/model/Document"
import { Effect, Schema } from "effect"
import * as PublicApi from "../PublicApi.ts"
import type { Refused } from "../Refused.ts"
import { tool } from "../Tool.ts"

/** Sources whose documents are counted in one call. */
const COUNTED = 100

/** Requests of one call that run side by side. */
const AT_A_TIME = 4

const connectors = PublicApi.expect(Schema.Array(Schema.toEncoded(Connector)))
const connections = PublicApi.expect(Schema.Array(Schema.toEncoded(Connection)))
const syncStates = PublicApi.expect(Schema.Array(Schema.toEncoded(SyncState)))
const documents = PublicApi.expect(
  Schema.Struct({
    documents: Schema.Array(Schema.toEncoded(Document)),
    next_cursor: Schema.NullOr(Schema.String)
  })
)

const latest = (moments: ReadonlyArray<string | null>): string | null =>
  moments.reduce((newest, moment) => (moment ?? "") > (newest ?? "") ? moment : newest, null)

const Counted = Schema.Struct({
  documents: Schema.NullOr(Schema.Int).annotate({ description: "How many documents there are; null when unknown." }),
  documents_exact: Schema.Boolean.annotate({ description: "False: there are at least that many." }),
  last_change: Schema.NullOr(Schema.String).annotate({ description: "When a document of it last changed." })
})
type Counted = typeof Counted.Type

const UNCOUNTED: Counted = { documents: null, documents_exact: false, last_change: null }

const contentsOf = ({ connector_id }: typeof Connector.Encoded) =>
  Effect.map(
    documents(PublicApi.get(`/v1/custom-connectors/${connector_id}/documents?limit=100`)),
    ({ documents, next_cursor }): Counted => ({
      documents: documents.length,
      documents_exact: next_cursor === null,
      last_change: latest(documents.map(({ updated_at }) => updated_at))
    })
  )

const pulledBy = ({ connection_id }: typeof Connection.Encoded) =>
  Effect.map(
    syncStates(PublicApi.get(`/v1/connections/${connection_id}/sync`)),
    (states): Counted => ({
      documents: states.reduce((sum, { documents }) => sum + (documents ?? 0), 0),
      documents_exact: states.every(({ documents }) => documents !== null),
      last_change: latest(states.map(({ last_synced_at }) => last_synced_at))
    })
  )

const counted = <Source, R>(
  sources: ReadonlyArray<Source>,
  count: (source: Source) => Effect.Effect<Counted, Refused, R>
) =>
  Effect.forEach(
    sources,
    (source, index) =>
      Effect.map(
        index < COUNTED ? count(source) : Effect.succeed(UNCOUNTED),
        (count) => ({ source, count })
      ),
    { concurrency: AT_A_TIME }
  )

/** A key may be allowed to see the one kind of source and not the other, and a token with a filter sees no connections. */
const REFUSED = new Set<string | undefined>(["insufficient_scopes", "permission_denied"])

const visible = <A, R>(sources: Effect.Effect<ReadonlyArray<A>, Refused, R>) =>
  sources.pipe(Effect.catch((error) => REFUSED.has(error.code) ? Effect.succeed([]) : Effect.fail(error)))

export const listSources = tool({
  name: "list_sources",
  title: "List sources",
  description:
    `Lists where the documents of this knowledge base come from: custom connectors, which programs push into, and connections, which are pulled on a schedule. Each comes with how many documents it holds and when they last changed.

Use it to learn what the knowledge base covers, to find the value for the sources filter of search and ask (the field source), or the connector for add_documents. It takes no input.`,
  scopes: ["custom_connectors:read", "connections:read"],
  input: Schema.Struct({}),
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
    const pushed = yield* counted(yield* visible(connectors(PublicApi.get("/v1/custom-connectors"))), contentsOf)
    const pulled = yield* counted(yield* visible(connections(PublicApi.get("/v1/connections"))), pulledBy)
    return {
      connectors: pushed.map(({ count, source: { connector_id, name, source_name } }) => ({
        connector_id,
        name,
        source_name,
        source: `custom:${source_name}`,
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

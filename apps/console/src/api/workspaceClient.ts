/** A client of the public API for one workspace, authenticated by the session. */
import type {
  AnsweredAskJob,
  AskEvent,
  AskJob,
  AskJobStatus,
  AskRequest,
  ConnectionPatch,
  ConnectorPatch,
  CustomConnector,
  DeletedDocuments,
  DocumentFilter,
  DocumentList,
  FullDocument,
  IngestResult,
  IssuedWebhook,
  KnowledgeSettings,
  KnowledgeSettingsPatch,
  KnowledgeStatus,
  NewConnection,
  NewConnector,
  NewFeedback,
  NewText,
  NewWebhook,
  ProviderDescription,
  Question,
  SearchAnswer,
  SearchRequest,
  SourceConnection,
  StoredDocument,
  SyncRun,
  SyncState,
  Usage,
  UsageHistory,
  Webhook,
  WebhookDelivery,
  WebhookPatch,
  WorkspaceEvent
} from "./models.ts"
import { type Request, send } from "./send.ts"
import { stream } from "./streaming.ts"
import { uploadFile } from "./uploading.ts"

/** One page of a list. */
interface Paged<A> {
  readonly items: ReadonlyArray<A>
  readonly next_cursor: string | null
}

interface Options {
  readonly signal?: AbortSignal | undefined
}

type PageQuery = { readonly cursor: string | null; readonly limit: number }

const part = encodeURIComponent
const connector = (id: string) => `/v1/custom-connectors/${part(id)}`
const connection = (id: string) => `/v1/connections/${part(id)}`
const document = (id: string) => `/v1/documents/${part(id)}`
const job = (id: string) => `/v1/knowledge/ask/jobs/${part(id)}`
const webhook = (id: string) => `/v1/webhooks/${part(id)}`

export const workspaceClient = (workspaceId: string) => {
  const headers = { "x-workspace-id": workspaceId }
  const call = <A>(request: Request) => send<A>({ ...request, headers: { ...headers, ...request.headers } })
  const get = <A>(path: string, { signal }: Options = {}, query: Request["query"] = {}) =>
    call<A>({ path, query, signal })
  /** `list` is the response's field with the items. */
  const page = async <A>(path: string, list: string, query: Request["query"], options?: Options): Promise<Paged<A>> => {
    const { next_cursor, [list]: items } = await get<Record<string, unknown>>(path, options, query)
    return { items, next_cursor } as Paged<A>
  }

  return {
    connectors: {
      list: (options?: Options) =>
        get<ReadonlyArray<CustomConnector>>("/v1/custom-connectors", options, { include_inactive: true }),
      get: (id: string, options?: Options) => get<CustomConnector>(connector(id), options),
      create: (body: NewConnector) => call<CustomConnector>({ method: "POST", path: "/v1/custom-connectors", body }),
      update: (id: string, body: ConnectorPatch) =>
        call<CustomConnector>({ method: "PATCH", path: connector(id), body }),
      /** Deactivates it; its documents stay. */
      delete: (id: string) => call<CustomConnector>({ method: "DELETE", path: connector(id) }),
      /** Texts, as a program pushes them. */
      add: (id: string, items: ReadonlyArray<NewText>) =>
        call<IngestResult>({ method: "POST", path: `${connector(id)}/ingest/text`, body: { items } }),
      /** Calls `onSent` with the number of bytes sent so far. */
      upload: (id: string, file: File, onSent: (bytes: number) => void, options: Options = {}) =>
        uploadFile<IngestResult>(
          `${connector(id)}/ingest/typed/upload`,
          file,
          headers,
          onSent,
          options.signal
        )
    },

    providers: {
      list: (options?: Options) => get<ReadonlyArray<ProviderDescription>>("/v1/providers", options)
    },

    connections: {
      list: (options?: Options) => get<ReadonlyArray<SourceConnection>>("/v1/connections", options),
      get: (id: string, options?: Options) => get<SourceConnection>(connection(id), options),
      create: (body: NewConnection) => call<SourceConnection>({ method: "POST", path: "/v1/connections", body }),
      update: (id: string, body: ConnectionPatch) =>
        call<SourceConnection>({ method: "PATCH", path: connection(id), body }),
      delete: (id: string, query: { readonly delete_documents?: boolean } = {}) =>
        call<unknown>({ method: "DELETE", path: connection(id), query }),
      states: (id: string, options?: Options) => get<ReadonlyArray<SyncState>>(`${connection(id)}/sync`, options),
      sync: (id: string) =>
        call<ReadonlyArray<SyncState>>({ method: "POST", path: `${connection(id)}/sync`, body: {} }),
      cancelSync: (id: string, resource: string) =>
        call<SyncState>({ method: "DELETE", path: `${connection(id)}/sync/${part(resource)}` }),
      /** Those that have ended, newest first. */
      runs: (id: string, query: PageQuery, options?: Options) =>
        page<SyncRun>(`${connection(id)}/runs`, "runs", query, options),
      confirmDeletions: (id: string, resource: string) =>
        call<SyncState>({ method: "POST", path: `${connection(id)}/sync/${part(resource)}/confirm` })
    },

    documents: {
      list: (connectorId: string, query: PageQuery & { readonly external_id?: string }, options?: Options) =>
        page<StoredDocument>(`${connector(connectorId)}/documents`, "documents", query, options),
      browse: (query: NonNullable<Request["query"]>, options?: Options) =>
        get<DocumentList>("/v1/documents", options, query),
      deleteMany: (document_ids: ReadonlyArray<string>) =>
        call<DeletedDocuments>({ method: "POST", path: "/v1/documents/delete", body: { document_ids } }),
      /** Fails if the filter matches a different number of documents. */
      deleteMatching: (filter: DocumentFilter, confirm_total: number) =>
        call<DeletedDocuments>({ method: "POST", path: "/v1/documents/delete", body: { filter, confirm_total } }),
      get: (id: string, options?: Options) => get<FullDocument>(document(id), options),
      delete: (id: string) => call<unknown>({ method: "DELETE", path: document(id) })
    },

    knowledge: {
      settings: (options?: Options) => get<KnowledgeSettings>("/v1/knowledge/settings", options),
      updateSettings: (body: KnowledgeSettingsPatch) =>
        call<KnowledgeSettings>({ method: "PATCH", path: "/v1/knowledge/settings", body }),
      status: (options?: Options) => get<KnowledgeStatus>("/v1/knowledge/status", options),
      refresh: () => call<unknown>({ method: "POST", path: "/v1/knowledge/refresh", body: {} }),
      search: (body: SearchRequest, { signal }: Options = {}) =>
        call<SearchAnswer>({ method: "POST", path: "/v1/knowledge/search", body, signal }),
      /** Streams an answer: citations, parts of the text, and finally the whole answer. */
      askStream: async function*(body: AskRequest, { signal }: Options = {}): AsyncGenerator<AskEvent> {
        for await (
          const { data, event } of stream({ method: "POST", path: "/v1/knowledge/ask", body, headers, signal })
        ) {
          yield { event, data: JSON.parse(data) } as AskEvent
        }
      },
      askLater: (body: AskRequest) =>
        call<AskJob>({ method: "POST", path: "/v1/knowledge/ask", body: { ...body, async: true } }),
      jobs: (query: PageQuery & { readonly status?: AskJobStatus }, options?: Options) =>
        page<AskJob>("/v1/knowledge/ask/jobs", "jobs", query, options),
      job: (id: string, options?: Options) => get<AnsweredAskJob>(job(id), options),
      cancelJob: (id: string) => call<AskJob>({ method: "DELETE", path: job(id) })
    },

    webhooks: {
      list: (options?: Options) => get<ReadonlyArray<Webhook>>("/v1/webhooks", options),
      create: (body: NewWebhook) => call<IssuedWebhook>({ method: "POST", path: "/v1/webhooks", body }),
      update: (id: string, body: WebhookPatch) => call<Webhook>({ method: "PATCH", path: webhook(id), body }),
      delete: (id: string) => call<unknown>({ method: "DELETE", path: webhook(id) }),
      test: (id: string) => call<WebhookDelivery>({ method: "POST", path: `${webhook(id)}/test` }),
      /** The latest, newest first. */
      deliveries: async (id: string, options?: Options): Promise<ReadonlyArray<WebhookDelivery>> => {
        const { items } = await page<WebhookDelivery>(`${webhook(id)}/deliveries`, "deliveries", { limit: 20 }, options)
        return items
      },
      resend: (id: string, event: string) =>
        call<WebhookDelivery>({
          method: "POST",
          path: `${webhook(id)}/deliveries/${part(event)}/send`
        })
    },

    questions: {
      list: (query: PageQuery, options?: Options) =>
        page<Question>("/v1/knowledge/questions", "questions", query, options),
      rate: (id: string, body: NewFeedback) =>
        call<Question>({ method: "POST", path: `/v1/knowledge/questions/${part(id)}/feedback`, body }),
      deleteAll: () => call<unknown>({ method: "DELETE", path: "/v1/knowledge/questions" })
    },

    events: {
      /** Of one document, in the last 90 days, oldest first. */
      of: (document_id: string, cursor: string | null, options?: Options) =>
        page<WorkspaceEvent>("/v1/runtime/events", "events", { document_id, limit: 100, cursor }, options)
    },

    usageHistory: (options?: Options) => get<UsageHistory>("/v1/usage/history", options),
    usage: (options?: Options) => get<Usage>("/v1/usage/current", options)
  }
}

export type Client = ReturnType<typeof workspaceClient>

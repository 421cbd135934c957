/**
 * The client with promises: every operation as a promise, lists as iterables, errors as `TributaryError`s. A new
 * operation of the definition needs one line here.
 */
import type { AskEvent, AskJobStatus, AskRequest } from "@tributary/core/model/Ask"
import type { AuditFilter } from "@tributary/core/model/AuditEntry"
import type { ConnectionPatch, NewConnection, SyncConfigPatch } from "@tributary/core/model/Connection"
import type { ConnectorPatch, NewConnector } from "@tributary/core/model/Connector"
import type { DocumentDeletion, DocumentFilter, DocumentSort } from "@tributary/core/model/DocumentList"
import type { JsonItem, TextItem, TypedItem } from "@tributary/core/model/Ingest"
import type { KnowledgeSettingsPatch } from "@tributary/core/model/KnowledgeSettings"
import type { KnowledgeStatus, RefreshRequest } from "@tributary/core/model/KnowledgeStatus"
import type { NewFeedback } from "@tributary/core/model/Question"
import type { SearchRequest } from "@tributary/core/model/Search"
import type { NewToken } from "@tributary/core/model/Token"
import type { DeliveryStatus, NewWebhook, WebhookPatch } from "@tributary/core/model/Webhook"
import { Effect, Stream } from "effect"
import { answerOf, jobOf } from "./askResponse.ts"
import { CALL, type CallOptions, given, within } from "./calling.ts"
import { connect, type Connected, CONNECTION, type Connection, SERVICE, type Service } from "./connecting.ts"
import * as Bulk from "./ingestAll.ts"
import { following } from "./following.ts"
import { checkNames, type Names } from "./optionNames.ts"
import { type Listing, paging } from "./paging.ts"
import { askEventOf, type LiveEvent, liveEventOf } from "./transport/streaming.ts"
import { CallerError } from "./CallerError.ts"
import { TributaryClient } from "./TributaryClient.ts"
import { formOf, type Upload } from "./uploading.ts"
import { untilJobEnds, untilUpToDate } from "./waiting.ts"

export type { CallOptions } from "./calling.ts"
export type { Connection, Retries, Service } from "./connecting.ts"
export type { Forms, Ingested } from "./ingestAll.ts"
export type * from "./models.ts"
export { type Page, Pages } from "./Pages.ts"
export type { Retry } from "./Policy.ts"
export type { LiveEvent } from "./transport/streaming.ts"
export * from "./TributaryError.ts"
export type { Upload } from "./uploading.ts"

/** Which events are listed or followed. */
interface EventFilter {
  readonly source?: string
  readonly kind?: string
  readonly document_id?: string
}

interface Waiting extends Pick<CallOptions, "signal"> {
  /** Milliseconds; ten minutes by default. */
  readonly timeout?: number | undefined
}

const WAITING: Names<Waiting> = CALL

interface WaitingForContext extends Waiting {
  readonly onProgress?: (status: KnowledgeStatus) => void
}

const WAITING_FOR_CONTEXT: Names<WaitingForContext> = { ...WAITING, onProgress: true }

/** Which events are followed, and from where. */
interface Following extends CallOptions {
  readonly after?: string
}

const FOLLOWING: Names<Following> = { ...CALL, after: true }

/** Filters and sorting of a list of documents. */
type Browsing = { readonly [Name in keyof DocumentFilter]?: NonNullable<DocumentFilter[Name]> } & {
  readonly sort?: DocumentSort
}

const INGESTING = { ...Bulk.OPTIONS, ...CALL }

const TEN_MINUTES = 600_000

const streamOf = <A>(items: Iterable<A> | AsyncIterable<A>) =>
  Symbol.asyncIterator in items
    ? Stream.fromAsyncIterable(items, (thrown) => new CallerError({ thrown }))
    : Stream.fromAsyncIterable(
      async function*() {
        yield* items
      }(),
      (thrown) => new CallerError({ thrown })
    )

const clientOf = ({ api, call, stream }: Connected<TributaryClient, typeof TributaryClient.Service>) => {
  const pages = paging(call)

  const waitForJob = async (jobId: string, options: Waiting = {}) => {
    checkNames(WAITING, options)
    const { signal, timeout = TEN_MINUTES } = options
    return call(within(untilJobEnds(jobId), timeout), { signal })
  }

  const deliveriesOf = (webhook_id: string, query: { readonly status?: DeliveryStatus }, options: Listing) =>
    pages(
      "deliveries",
      options,
      (position) => api.webhooks.listDeliveries({ params: { webhook_id }, query: { ...given(query), ...position } })
    )

  return {
    connectors: {
      create: (connector: NewConnector, options?: CallOptions) =>
        call(api.connectors.createConnector({ payload: given(connector) }), options),
      list: (query: { readonly include_inactive?: boolean } = {}, options?: CallOptions) =>
        call(api.connectors.listConnectors({ query: given(query) }), options),
      get: (connector_id: string, options?: CallOptions) =>
        call(api.connectors.getConnector({ params: { connector_id } }), options),
      update: (connector_id: string, patch: ConnectorPatch, options?: CallOptions) =>
        call(api.connectors.updateConnector({ params: { connector_id }, payload: given(patch) }), options),
      /** Deactivates it; its documents stay unless they are to be deleted, too. */
      delete: (connector_id: string, query: { readonly delete_documents?: boolean } = {}, options?: CallOptions) =>
        call(api.connectors.deactivateConnector({ params: { connector_id }, query: given(query) }), options)
    },

    providers: {
      list: (options?: CallOptions) => call(api.connections.listProviders(), options)
    },

    connections: {
      /** Tries the source first, and rejects when it cannot be reached. */
      create: (connection: NewConnection, options?: CallOptions) =>
        call(api.connections.createConnection({ payload: given(connection) }), options),
      list: (options?: CallOptions) => call(api.connections.listConnections(), options),
      get: (connection_id: string, options?: CallOptions) =>
        call(api.connections.getConnection({ params: { connection_id } }), options),
      update: (connection_id: string, patch: ConnectionPatch, options?: CallOptions) =>
        call(api.connections.updateConnection({ params: { connection_id }, payload: given(patch) }), options),
      /** Its documents stay unless they are to be deleted, too. */
      delete: (connection_id: string, query: { readonly delete_documents?: boolean } = {}, options?: CallOptions) =>
        call(api.connections.deleteConnection({ params: { connection_id }, query: given(query) }), options),
      /** One state per resource. */
      states: (connection_id: string, options?: CallOptions) =>
        call(api.connections.listSyncStates({ params: { connection_id } }), options),
      /** Syncs that have ended, newest first: the last 100 of each resource. */
      runs: (connection_id: string, query: { readonly resource?: string } = {}, options: Listing = {}) =>
        pages(
          "runs",
          options,
          (position) =>
            api.connections.listSyncRuns({ params: { connection_id }, query: { ...given(query), ...position } })
        ),
      sync: (
        connection_id: string,
        request: { readonly sync_config?: SyncConfigPatch } = {},
        options?: CallOptions
      ) => call(api.connections.startSync({ params: { connection_id }, payload: given(request) }), options),
      cancelSync: (connection_id: string, resource: string, options?: CallOptions) =>
        call(api.connections.cancelSync({ params: { connection_id, resource } }), options),
      /** Deletes documents that are gone at the source and were held because there were many. */
      confirmDeletions: (connection_id: string, resource: string, options?: CallOptions) =>
        call(api.connections.confirmDeletions({ params: { connection_id, resource } }), options)
    },

    ingest: {
      json: (connector_id: string, items: ReadonlyArray<JsonItem>, options?: CallOptions) =>
        call(api.ingest.ingestJson({ params: { connector_id }, payload: { items: items.map(given) } }), options),
      text: (connector_id: string, items: ReadonlyArray<TextItem>, options?: CallOptions) =>
        call(api.ingest.ingestText({ params: { connector_id }, payload: { items: items.map(given) } }), options),
      typed: (connector_id: string, items: ReadonlyArray<TypedItem>, options?: CallOptions) =>
        call(api.ingest.ingestTyped({ params: { connector_id }, payload: { items: items.map(given) } }), options),
      file: (connector_id: string, upload: Upload, options?: CallOptions) =>
        call(
          Effect.suspend(() => api.ingest.ingestFile({ params: { connector_id }, payload: formOf(upload) })),
          options
        )
    },

    /** Any number of items, in batches; the result sums them up. */
    ingestAll: async <Form extends keyof Bulk.Forms>(
      connectorId: string,
      items: Iterable<Bulk.Forms[Form]> | AsyncIterable<Bulk.Forms[Form]>,
      options: Bulk.Options<Form> & CallOptions
    ) => {
      checkNames(INGESTING, options)
      const { signal, timeout, ...own } = options
      return call(Bulk.ingestAll(connectorId, Stream.map(streamOf(items), given), own), { signal, timeout })
    },

    documents: {
      list: (connector_id: string, query: { readonly external_id?: string } = {}, options: Listing = {}) =>
        pages(
          "documents",
          options,
          (position) =>
            api.documents.listDocuments({ params: { connector_id }, query: { ...given(query), ...position } })
        ),
      /** A page of all documents of the workspace, with the number of matches. */
      browse: (query: Browsing & { readonly limit?: number; readonly cursor?: string } = {}, options?: CallOptions) =>
        call(api.documents.browseDocuments({ query: given(query) }), options),
      /** All of it, page by page. */
      browseAll: (query: Browsing = {}, options: Listing = {}) =>
        pages(
          "documents",
          options,
          (position) => api.documents.browseDocuments({ query: { ...given(query), ...position } })
        ),
      /** By ids or by a filter; with a filter, the number of matches must be confirmed. */
      deleteSelected: (deletion: DocumentDeletion, options?: CallOptions) =>
        call(api.documents.deleteDocuments({ payload: given(deletion) }), options),
      get: (document_id: string, options?: CallOptions) =>
        call(api.documents.getDocument({ params: { document_id } }), options),
      delete: (document_id: string, options?: CallOptions) =>
        call(api.documents.deleteDocument({ params: { document_id } }), options),
      /** Ids that mean something in a path, `.` and `..`, are found by `list` only. */
      getByExternalId: (connector_id: string, external_id: string, options?: CallOptions) =>
        call(api.documents.getConnectorDocument({ params: { connector_id, external_id } }), options),
      deleteByExternalId: (connector_id: string, external_id: string, options?: CallOptions) =>
        call(api.documents.deleteConnectorDocument({ params: { connector_id, external_id } }), options),
      deleteMany: (connector_id: string, external_ids: ReadonlyArray<string>, options?: CallOptions) =>
        call(api.documents.deleteConnectorDocuments({ params: { connector_id }, payload: { external_ids } }), options)
    },

    knowledge: {
      settings: (options?: CallOptions) => call(api.knowledge.getSettings(), options),
      updateSettings: (patch: KnowledgeSettingsPatch, options?: CallOptions) =>
        call(api.knowledge.updateSettings({ payload: given(patch) }), options),
      status: (options?: CallOptions) => call(api.knowledge.getStatus(), options),
      refresh: (request: RefreshRequest = {}, options?: CallOptions) =>
        call(api.knowledge.refresh({ payload: given(request) }), options),
      search: (request: SearchRequest, options?: CallOptions) =>
        call(api.knowledge.search({ payload: given(request) }), options),
      /** Every result, page by page, as deep as the service goes. `limit` is the size of a page. */
      searchAll: (request: Omit<SearchRequest, "cursor">, options?: CallOptions) =>
        pages(
          "results",
          options ?? {},
          (position) => api.knowledge.search({ payload: { ...given(request), ...position } })
        ),
      ask: (request: Omit<AskRequest, "async">, options?: CallOptions) =>
        call(Effect.flatMap(api.knowledge.ask({ payload: given(request) }), answerOf), options),
      /** The streamed answer: citations, pieces of text, and finally the whole answer. */
      askStream: (request: Omit<AskRequest, "async">, options?: CallOptions): AsyncIterable<AskEvent> =>
        stream(api.knowledge.ask({ payload: given(request), responseMode: "response-only" }), askEventOf, options),
      /** Answers with a job, at once; `waitForJob` has its answer. */
      askLater: (request: Omit<AskRequest, "async">, options?: CallOptions) =>
        call(Effect.flatMap(api.knowledge.ask({ payload: { ...given(request), async: true } }), jobOf), options),
      jobs: (query: { readonly status?: AskJobStatus } = {}, options: Listing = {}) =>
        pages("jobs", options, (position) => api.knowledge.listAskJobs({ query: { ...given(query), ...position } })),
      /** `wait`: seconds, up to 30, in which to wait for the job's end. */
      job: (job_id: string, query: { readonly wait?: number } = {}, options?: CallOptions) =>
        call(api.knowledge.getAskJob({ params: { job_id }, query: given(query) }), options),
      cancelJob: (job_id: string, options?: CallOptions) =>
        call(api.knowledge.cancelAskJob({ params: { job_id } }), options),
      waitForJob,
      /** Ends once the context is built with the present settings; rejects when the build failed. */
      waitUntilUpToDate: async (options: WaitingForContext = {}) => {
        checkNames(WAITING_FOR_CONTEXT, options)
        const { onProgress, signal, timeout = TEN_MINUTES } = options
        return call(within(untilUpToDate(onProgress), timeout), { signal })
      }
    },

    questions: {
      /** The questions of the last 30 days, newest first; with `answered: false`, the unanswered ones. */
      list: (query: { readonly answered?: boolean } = {}, options: Listing = {}) =>
        pages(
          "questions",
          options,
          (position) => api.questions.listQuestions({ query: { ...given(query), ...position } })
        ),
      rate: (question_id: string, feedback: NewFeedback, options?: CallOptions) =>
        call(api.questions.rateQuestion({ params: { question_id }, payload: given(feedback) }), options),
      delete: (question_id: string, options?: CallOptions) =>
        call(api.questions.deleteQuestion({ params: { question_id } }), options),
      /** All of them, or those that were asked before a moment. */
      deleteAll: (query: { readonly before?: Date } = {}, options?: CallOptions) =>
        call(api.questions.deleteQuestions({ query: given(query) }), options)
    },

    events: {
      /** Oldest first. */
      list: (query: EventFilter = {}, options: Listing = {}) =>
        pages("events", options, (position) => api.runtime.listEvents({ query: { ...given(query), ...position } })),
      /** Events as they happen, from now on, or from after an earlier one's id. Ends with an error or by leaving it. */
      live: (query: EventFilter = {}, options: Following = {}): AsyncIterable<LiveEvent> => {
        checkNames(FOLLOWING, options)
        const { after, ...rest } = options
        return stream(
          api.runtime.listEvents({ query: given(query), responseMode: "response-only" }),
          liveEventOf,
          rest,
          after === undefined ? {} : { "last-event-id": after }
        )
      }
    },

    webhooks: {
      /** The secret is shown here once. */
      create: (webhook: NewWebhook, options?: CallOptions) =>
        call(api.webhooks.createWebhook({ payload: given(webhook) }), options),
      list: (options?: CallOptions) => call(api.webhooks.listWebhooks(), options),
      get: (webhook_id: string, options?: CallOptions) =>
        call(api.webhooks.getWebhook({ params: { webhook_id } }), options),
      update: (webhook_id: string, patch: WebhookPatch, options?: CallOptions) =>
        call(api.webhooks.updateWebhook({ params: { webhook_id }, payload: given(patch) }), options),
      delete: (webhook_id: string, options?: CallOptions) =>
        call(api.webhooks.deleteWebhook({ params: { webhook_id } }), options),
      /** The secret before signs as well for a day. */
      rotateSecret: (webhook_id: string, request: { readonly secret?: string } = {}, options?: CallOptions) =>
        call(api.webhooks.rotateWebhookSecret({ params: { webhook_id }, payload: given(request) }), options),
      /** Queues a test event; `delivery` shows what came of it. */
      test: (webhook_id: string, options?: CallOptions) =>
        call(api.webhooks.testWebhook({ params: { webhook_id } }), options),
      /** Newest first. */
      deliveries: (webhook_id: string, query: { readonly status?: DeliveryStatus } = {}, options: Listing = {}) =>
        deliveriesOf(webhook_id, query, options),
      /**
       * Deliveries of every kind of event as they are queued, oldest first: from now on, or from after that of an
       * earlier event. Ends with an error or by leaving it.
       */
      live: (webhook_id: string, options: Following = {}) => {
        checkNames(FOLLOWING, options)
        const { after, ...rest } = options
        return following(
          () => deliveriesOf(webhook_id, {}, { ...rest, limit: 100 }),
          ({ event_id }) => event_id,
          { after, signal: rest.signal }
        )
      },
      delivery: (webhook_id: string, event_id: string, options?: CallOptions) =>
        call(api.webhooks.getDelivery({ params: { webhook_id, event_id } }), options),
      /** Queues the delivery again at once, whatever its status. */
      resend: (webhook_id: string, event_id: string, options?: CallOptions) =>
        call(api.webhooks.resendDelivery({ params: { webhook_id, event_id } }), options)
    },

    workspaces: {
      create: (workspace: { readonly name: string }, options?: CallOptions) =>
        call(api.workspaces.createWorkspace({ payload: workspace }), options),
      list: (options: Listing = {}) =>
        pages("workspaces", options, (position) => api.workspaces.listWorkspaces({ query: position }))
    },

    tokens: {
      /**
       * Creates a token for one of your users, with fewer scopes and documents than this client's key, for a limited
       * time.
       */
      create: (token: NewToken, options?: CallOptions) => call(api.tokens.createToken({ payload: token }), options)
    },

    /** The audit log, newest first; with a key of the personal workspace, that of the whole account. */
    auditLog: (query: AuditFilter & { readonly export?: boolean } = {}, options: Listing = {}) =>
      pages("entries", options, (position) => api.audit.listAuditLog({ query: { ...given(query), ...position } })),

    usage: (options?: CallOptions) => call(api.workspaces.getUsage(), options),
    /** Day by day, of the last 30 days unless `days` (up to 90) says otherwise. */
    usageHistory: (query: { readonly days?: number } = {}, options?: CallOptions) =>
      call(api.workspaces.getUsageHistory({ query: given(query) }), options)
  }
}

export type Client = ReturnType<typeof clientOf>

/** Clients of one service with different keys. Creating one is cheap, for programs that act for many workspaces. */
export const createClients = (service: Service): (apiKey: string) => Client => {
  checkNames(SERVICE, service)
  const connected = connect(TributaryClient, TributaryClient.layer, service)
  return (apiKey) => clientOf(connected(apiKey))
}

/** Options are read, and a client made; nothing is sent before the first call. */
export const createClient = (connection: Connection): Client => {
  checkNames(CONNECTION, connection)
  const { apiKey, ...service } = connection
  return createClients(service)(apiKey)
}

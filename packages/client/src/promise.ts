/**
 * The client with promises: every operation as a promise, lists as iterables, errors as `TributaryError`s. A new
 * operation of the definition needs one line in `operations`.
 */
import { connect, CONNECTION, type Connection, SERVICE, type Service } from "./connecting.ts"
import { connections, providers } from "./operations/connections.ts"
import type { ConnectedClient } from "./operations/ConnectedClient.ts"
import { connectors } from "./operations/connectors.ts"
import { documents } from "./operations/documents.ts"
import { events } from "./operations/events.ts"
import { ingest, ingestAll } from "./operations/ingest.ts"
import { knowledge } from "./operations/knowledge.ts"
import { questions } from "./operations/questions.ts"
import { webhooks } from "./operations/webhooks.ts"
import { auditLog, tokens, usage, usageHistory, workspaces } from "./operations/workspaces.ts"
import { checkNames } from "./optionNames.ts"
import { TributaryClient } from "./TributaryClient.ts"

export type { CallOptions } from "./calling.ts"
export type { Connection, Retries, Service } from "./connecting.ts"
export type { Following } from "./following.ts"
export type { Forms, Ingested, Options as IngestAllOptions } from "./ingestAll.ts"
export type * from "./models.ts"
export type { EventFilter } from "./operations/events.ts"
export type { Waiting, WaitingForContext } from "./operations/knowledge.ts"
export { type Page, Pages } from "./Pages.ts"
export type { Listing } from "./paging.ts"
export type { Retry } from "./Policy.ts"
export type { Json } from "./requests/Given.ts"
export type * from "./requests/requests.ts"
export type { LiveEvent } from "./transport/streaming.ts"
export * from "./TributaryError.ts"
export type { Upload } from "./uploading.ts"

const clientOf = (connected: ConnectedClient) => ({
  connectors: connectors(connected),
  providers: providers(connected),
  connections: connections(connected),
  ingest: ingest(connected),
  /** Pushes any number of items of one `form`, in batches, and resolves with the sum. Items over a limit of the plan are counted. */
  ingestAll: ingestAll(connected),
  documents: documents(connected),
  knowledge: knowledge(connected),
  questions: questions(connected),
  events: events(connected),
  webhooks: webhooks(connected),
  workspaces: workspaces(connected),
  tokens: tokens(connected),
  /** Who did what in the workspace, newest first; with a key of the personal workspace, in the whole account. */
  auditLog: auditLog(connected),
  /** How much of its plan the workspace uses. Any valid key can read it. */
  usage: usage(connected),
  /** The requests and the stored documents of each of the last 30 days, or of the last `days`, up to 90. */
  usageHistory: usageHistory(connected)
})

/** The operations of the API, by what they act on. */
export interface Client extends ReturnType<typeof clientOf> {}

/**
 * Clients of one server with different keys, for programs that act for many workspaces: call the result with a key. That
 * is cheap.
 */
export const createClients = (service: Service): (apiKey: string) => Client => {
  checkNames(SERVICE, service)
  const connected = connect(TributaryClient, TributaryClient.layer, service)
  return (apiKey) => clientOf(connected(apiKey))
}

/** A client of one workspace, that of the key. Nothing is sent before the first call, and nothing has to be closed. */
export const createClient = (connection: Connection): Client => {
  checkNames(CONNECTION, connection)
  const { apiKey, ...service } = connection
  return createClients(service)(apiKey)
}

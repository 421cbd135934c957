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
export type { Forms, Ingested } from "./ingestAll.ts"
export type * from "./models.ts"
export { type Page, Pages } from "./Pages.ts"
export type { Retry } from "./Policy.ts"
export type { LiveEvent } from "./transport/streaming.ts"
export * from "./TributaryError.ts"
export type { Upload } from "./uploading.ts"

const clientOf = (connected: ConnectedClient) => ({
  connectors: connectors(connected),
  providers: providers(connected),
  connections: connections(connected),
  ingest: ingest(connected),
  /** Any number of items, in batches; the result sums them up. */
  ingestAll: ingestAll(connected),
  documents: documents(connected),
  knowledge: knowledge(connected),
  questions: questions(connected),
  events: events(connected),
  webhooks: webhooks(connected),
  workspaces: workspaces(connected),
  tokens: tokens(connected),
  /** The audit log, newest first; with a key of the personal workspace, that of the whole account. */
  auditLog: auditLog(connected),
  usage: usage(connected),
  /** Day by day, of the last 30 days unless `days` (up to 90) says otherwise. */
  usageHistory: usageHistory(connected)
})

export interface Client extends ReturnType<typeof clientOf> {}

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

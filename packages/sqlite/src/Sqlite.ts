/**
 * Every port in one SQLite file, for one process. SQLite is part of Node, so there is nothing to install.
 */
import { Layer } from "effect"
import { Database, type SqliteOptions } from "./internal/Database.ts"
import * as SqliteApiKeyStore from "./SqliteApiKeyStore.ts"
import * as SqliteAuditStore from "./SqliteAuditStore.ts"
import * as SqliteConnectionStore from "./SqliteConnectionStore.ts"
import * as SqliteConnectorStore from "./SqliteConnectorStore.ts"
import * as SqliteDocumentStore from "./SqliteDocumentStore.ts"
import * as SqliteJobStore from "./SqliteJobStore.ts"
import * as SqliteKnowledgeStore from "./SqliteKnowledgeStore.ts"
import * as SqlitePeopleStore from "./SqlitePeopleStore.ts"
import * as SqliteRateWindows from "./SqliteRateWindows.ts"
import * as SqliteSessionStore from "./SqliteSessionStore.ts"
import * as SqliteWorkspaceStore from "./SqliteWorkspaceStore.ts"

export type { SqliteOptions } from "./internal/Database.ts"

export const layer = (options: SqliteOptions) =>
  Layer.mergeAll(
    SqliteWorkspaceStore.layer,
    SqliteApiKeyStore.layer,
    SqliteConnectionStore.layer,
    SqliteConnectorStore.layer,
    SqliteDocumentStore.layer,
    SqliteKnowledgeStore.layer,
    SqliteJobStore.layer,
    SqliteRateWindows.layer,
    SqlitePeopleStore.layer,
    SqliteSessionStore.layer,
    SqliteAuditStore.layer
  ).pipe(Layer.provide(Database.layer(options)), Layer.fresh)

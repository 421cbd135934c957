/** A library over the packages: every type that its declarations need is exported under a name. */
import type { Client } from "@tributary/client"
import type { Operator } from "@tributary/client/operator"
import type { KnowledgeBase, Workspace } from "@tributary/tributary"
import type { openForTests } from "@tributary/tributary/testing"

declare const client: Client
export const { connectors, providers, connections, ingest, ingestAll, documents, knowledge, questions } = client
export const { events, webhooks, workspaces, tokens, auditLog, usage, usageHistory } = client

declare const workspace: Workspace
export const { search, ask, askStream, jobs, waitForJob, waitUntilUpToDate } = workspace

declare const operator: Operator
export const { accounts, keys, operators, signInLinks, secrets, auditLog: operatorLog } = operator
export const { list, update } = operator.workspaces

declare const kb: KnowledgeBase
export const { createWorkspace, handler, nodeHandler, updateWorkspace } = kb

declare const open: typeof openForTests
export const openInMemory = (options: Parameters<typeof open>[0]) => open(options)

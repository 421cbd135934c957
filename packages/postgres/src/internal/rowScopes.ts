/**
 * On whose rows the methods of the ports act, where row-level security is on: on those of the workspace that is their
 * first argument, except for the methods listed here.
 */
import type { WorkspaceId } from "@tributary/core/model/Id"
import type { ApiKeyStore } from "@tributary/core/ports/ApiKeyStore"
import type { AuditStore } from "@tributary/core/ports/AuditStore"
import type { ConnectionStore } from "@tributary/core/ports/ConnectionStore"
import type { ConnectorStore } from "@tributary/core/ports/ConnectorStore"
import type { DocumentStore } from "@tributary/core/ports/DocumentStore"
import type { JobStore } from "@tributary/core/ports/JobStore"
import type { KnowledgeStore } from "@tributary/core/ports/KnowledgeStore"
import type { PeopleStore } from "@tributary/core/ports/PeopleStore"
import type { QuestionStore } from "@tributary/core/ports/QuestionStore"
import type { RateWindows } from "@tributary/core/ports/RateWindows"
import type { SessionStore } from "@tributary/core/ports/SessionStore"
import type { SyncRunStore } from "@tributary/core/ports/SyncRunStore"
import type { UsageStore } from "@tributary/core/ports/UsageStore"
import type { WebhookStore } from "@tributary/core/ports/WebhookStore"
import type { WorkspaceStore } from "@tributary/core/ports/WorkspaceStore"
import type { Context } from "effect"

type Parameters<Method> = Method extends (...args: infer Args) => unknown ? Args : readonly []

/** Methods whose first argument is no workspace: each has to be listed. */
type Unnamed<Port> = {
  [Name in keyof Port]: Parameters<Port[Name]>[0] extends WorkspaceId ? never : Name
}[keyof Port]

/**
 * "all": rows that a hash, a lease, an account or a time selects, or rows of several workspaces. "own": each statement
 * has a scope already.
 */
type RowScope<Args extends ReadonlyArray<unknown>> =
  | "all"
  | "own"
  | ((...args: Args) => WorkspaceId)

export type RowScopes<Port> =
  & { readonly [Name in Unnamed<Port>]: RowScope<Parameters<Port[Name]>> }
  & { readonly [Name in Exclude<keyof Port, Unnamed<Port>>]?: "all" }

export const apiKeys: RowScopes<Context.Service.Shape<typeof ApiKeyStore>> = {
  // The key that creates another one may belong to another workspace.
  insert: "all",
  authenticate: "all",
  findValid: "all",
  revoke: "all",
  countRequests: "all",
  pruneTraffic: "all"
}

export const audit: RowScopes<Context.Service.Shape<typeof AuditStore>> = {
  append: "all",
  record: "own",
  list: "all",
  prune: "all"
}

export const connections: RowScopes<Context.Service.Shape<typeof ConnectionStore>> = { due: "all" }

export const connectors: RowScopes<Context.Service.Shape<typeof ConnectorStore>> = {}

export const documents: RowScopes<Context.Service.Shape<typeof DocumentStore>> = {
  pruneEvents: "all",
  pruneTombstones: "all"
}

export const jobs: RowScopes<Context.Service.Shape<typeof JobStore>> = {
  enqueue: ({ workspace_id }) => workspace_id,
  claim: "all",
  heartbeat: "all",
  finish: "all",
  reap: "all",
  prune: "all",
  pruneFollowed: "all",
  changed: "all"
}

export const knowledge: RowScopes<Context.Service.Shape<typeof KnowledgeStore>> = { withMaskedText: "all" }

export const people: RowScopes<Context.Service.Shape<typeof PeopleStore>> = {
  owner: "all",
  setOwner: "all",
  find: "all",
  findByEmail: "all",
  findByIdentity: "all",
  update: "all",
  personal: "all",
  membership: (_userId, workspaceId) => workspaceId,
  memberships: "all",
  // A user without any membership left is removed.
  setRole: "all",
  received: "all",
  linked: "all",
  join: "all",
  decline: "all",
  addLink: "all",
  prune: "all"
}

export const questions: RowScopes<Context.Service.Shape<typeof QuestionStore>> = {
  append: "all",
  remove: "all",
  // As `erase` below.
  removeBefore: "all",
  prune: "all"
}

export const rateWindows: RowScopes<Context.Service.Shape<typeof RateWindows>> = {}

export const sessions: RowScopes<Context.Service.Shape<typeof SessionStore>> = {
  signIn: "all",
  holder: "all",
  signInAs: "all",
  authenticate: "all",
  list: "all",
  end: "all",
  prune: "all"
}

export const syncRuns: RowScopes<Context.Service.Shape<typeof SyncRunStore>> = {}

export const usage: RowScopes<Context.Service.Shape<typeof UsageStore>> = { add: "all", prune: "all" }

export const webhooks: RowScopes<Context.Service.Shape<typeof WebhookStore>> = { due: "all", prune: "all" }

export const workspaces: RowScopes<Context.Service.Shape<typeof WorkspaceStore>> = {
  createAccount: "all",
  findAccount: "all",
  createShared: "all",
  countShared: "all",
  list: "all",
  // Workspaces that its keys created are suspended with it.
  update: "all",
  // Users without any membership left are removed.
  close: "all",
  removeAccount: "all",
  // Its steps read an index up to a limit; a policy would make them read on through the rows of other workspaces.
  erase: "all"
}

/** Accounts and their workspaces. Limits follow from the plan and its exceptions. */
import { Schema, Struct } from "effect"
import { IssuedApiKey } from "./ApiKey.ts"
import { Email } from "./Email.ts"
import { type AccountId, WorkspaceId } from "./Id.ts"
import { Limits, limitsOf, Tier } from "./Plan.ts"
import { Name, text } from "./Text.ts"
import { Timestamp } from "./Timestamp.ts"

export const NewAccount = Schema.Struct({
  /** A name for people. */
  name: Name,
  /** That of its owner. You vouch for it: the one who proves it to the identity provider signs in as the owner. */
  email: Schema.optionalKey(Schema.NullOr(Email)),
  /** The plan. */
  tier: Schema.optionalKey(Tier)
})
export type NewAccount = typeof NewAccount.Type

/** A workspace as its members see it. */
export const Workspace = Schema.Struct({
  workspace_id: WorkspaceId,
  /** A name for people. */
  name: Schema.String,
  /** Whether it belongs to the account alone. */
  kind: Schema.Literals(["personal", "shared"]),
  /** The plan. */
  tier: Tier,
  /** When it was made. */
  created_at: Timestamp
}).annotate({ identifier: "Workspace" })
export type Workspace = typeof Workspace.Type

export const NewWorkspace = Schema.Struct({
  /** A name for people. */
  name: Name
})

/** The number of shared workspaces of an account, and its limit; null: unlimited. */
export const SharedAllowance = Schema.Struct({ used: Schema.Int, limit: Limits.fields.shared_workspaces })
export type SharedAllowance = typeof SharedAllowance.Type

/** For operators: a shared workspace of any account. */
export const NewAccountWorkspace = Schema.Struct({
  account_id: text(1, 100),
  /** A name for people. */
  name: Name
})

/** A new workspace with its first key. */
export const CreatedWorkspace = Schema.Struct({
  ...Workspace.fields,
  /** Its first key. */
  api_key: IssuedApiKey
})
  .annotate({ identifier: "CreatedWorkspace" })

/** The exceptions of one workspace; an absent limit follows the plan. */
export const LimitOverrides = Schema.Struct(Struct.map(Limits.fields, Schema.optionalKey))
export type LimitOverrides = typeof LimitOverrides.Type

/** A workspace as it is stored. */
export interface WorkspaceRecord extends Workspace {
  readonly account_id: AccountId
  /** Created before limits were introduced: unlimited. */
  readonly grandfathered: boolean
  /** Its keys are refused with 403. */
  readonly suspended: boolean
  readonly overrides: LimitOverrides
}

const UNCAPPED = { documents: null, storage: null, doc_size: null, ask: null, search: null, refresh: null } as const

/** The effective limits: the plan's, none if grandfathered, with the operator's exceptions. */
export const limitsFor = (workspace: WorkspaceRecord): Limits => ({
  ...limitsOf(workspace.tier),
  ...(workspace.grandfathered ? UNCAPPED : {}),
  ...workspace.overrides
})

/** What an operator may change. */
export const WorkspacePatch = Schema.Struct({
  /** The plan. Absent: as it is. */
  tier: Schema.optionalKey(Tier),
  /** Whether it was made before limits were introduced. Absent: as it is. */
  grandfathered: Schema.optionalKey(Schema.Boolean),
  /** Whether its keys are refused with 403. Absent: as it is. */
  suspended: Schema.optionalKey(Schema.Boolean),
  /** Exceptions from the plan's limits. One that is absent follows the plan. */
  limits: Schema.optionalKey(LimitOverrides)
})
export type WorkspacePatch = typeof WorkspacePatch.Type

/** Accounts and their workspaces. Limits follow from the plan and its exceptions. */
import { Schema, Struct } from "effect"
import { IssuedApiKey } from "./ApiKey.ts"
import { Email } from "./Email.ts"
import { type AccountId, WorkspaceId } from "./Id.ts"
import { Limits, limitsOf, Tier } from "./Plan.ts"
import { optional } from "./optional.ts"
import { Name, text } from "./Text.ts"
import { Timestamp } from "./Timestamp.ts"

export const NewAccount = Schema.Struct({
  /** The display name. */
  name: Name,
  /**
   * The e-mail of the owner, which you vouch for: the person who proves it to the identity provider signs in as the
   * owner.
   */
  email: optional(Email),
  /**
   * The plan.
   * @default "free"
   */
  tier: optional(Tier)
})
export type NewAccount = typeof NewAccount.Type

/** A workspace as its members see it. */
export const Workspace = Schema.Struct({
  workspace_id: WorkspaceId,
  /** The display name. */
  name: Schema.String,
  /** Whether it is the personal workspace of the account or a shared one. */
  kind: Schema.Literals(["personal", "shared"]),
  /** The plan. */
  tier: Tier,
  /** When it was created. */
  created_at: Timestamp
}).annotate({ identifier: "Workspace" })
export type Workspace = typeof Workspace.Type

export const NewWorkspace = Schema.Struct({
  /** The display name. */
  name: Name
})

/** The number of shared workspaces of an account, and its limit; null: unlimited. */
export const SharedAllowance = Schema.Struct({ used: Schema.Int, limit: Limits.fields.shared_workspaces })
export type SharedAllowance = typeof SharedAllowance.Type

/** For operators: a shared workspace of any account. */
export const NewAccountWorkspace = Schema.Struct({
  account_id: text(1, 100),
  /** The display name. */
  name: Name
})

/** A new workspace with its first key. */
export const CreatedWorkspace = Schema.Struct({
  ...Workspace.fields,
  /** The first key of the workspace. */
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
  /** The plan. Absent: unchanged. */
  tier: Schema.optionalKey(Tier),
  /** Whether it was created before limits were introduced. Absent: unchanged. */
  grandfathered: Schema.optionalKey(Schema.Boolean),
  /** Whether its keys are refused with 403. Absent: unchanged. */
  suspended: Schema.optionalKey(Schema.Boolean),
  /** Exceptions from the limits of the plan; absent ones are unchanged. Null: no exceptions any more. */
  limits: Schema.optionalKey(Schema.NullOr(LimitOverrides))
})
export type WorkspacePatch = typeof WorkspacePatch.Type

/** The small API that only the console has: people, sessions, keys. Its models come from the API definition. */
import type { ApiKey, IssuedApiKey, KeyTraffic, NewApiKey } from "@tributary/core/model/ApiKey"
import type { AuditEntry } from "@tributary/core/model/AuditEntry"
import type { HeldDeletions } from "@tributary/core/model/Connection"
import type { TemporalSettings } from "@tributary/core/model/KnowledgeSettings"
import type { Invitation, Member, MemberWorkspace, ReceivedInvitation, Role, User } from "@tributary/core/model/Person"
import type { Session, SignInLink } from "@tributary/core/model/Session"
import type { Timeline } from "@tributary/core/model/Timeline"
import type { SharedAllowance } from "@tributary/core/model/Workspace"
import type { WorkspaceEvent } from "./models.ts"
import { type Request, send as sendRequest } from "./send.ts"
import { stream } from "./streaming.ts"

/** In JSON, where timestamps are strings. */
export type Key = typeof ApiKey.Encoded
export type IssuedKey = typeof IssuedApiKey.Encoded
export type Traffic = typeof KeyTraffic.Encoded
export type Workspace = typeof MemberWorkspace.Encoded
export type Person = typeof User.Encoded
type OwnSession = typeof Session.Encoded
export type Colleague = typeof Member.Encoded
type OpenInvitation = typeof Invitation.Encoded
export type Received = typeof ReceivedInvitation.Encoded
export type AuditLogEntry = typeof AuditEntry.Encoded

export interface Me {
  readonly user: Person
  readonly session: OwnSession
}

export interface AuditLogPage {
  readonly entries: ReadonlyArray<AuditLogEntry>
  readonly next_cursor: string | null
}

/** What the log is narrowed by, and where a page of it begins. */
export interface AuditLogQuery {
  readonly action?: string | undefined
  readonly q?: string | undefined
  readonly cursor?: string | null
  readonly export?: boolean
}

interface Invited {
  readonly status: "invited" | "joined"
  readonly link: typeof SignInLink.Encoded | null
}

interface Joined {
  readonly workspace_id: string
}

/** An event of a workspace, and the number after which a later stream continues. */
export interface LiveEvent {
  readonly workspace_id: string
  readonly number: number
  readonly event: WorkspaceEvent
}

const send = <A>(method: NonNullable<Request["method"]>, path: string, body?: object) =>
  sendRequest<A>({ method, path: `/console/api${path}`, body })

const of = (workspaceId: string, path: string) => `/workspaces/${workspaceId}${path}`

const paged = (path: string, cursor: string | null) =>
  `${path}?limit=100${cursor === null ? "" : `&cursor=${encodeURIComponent(cursor)}`}`

const all = async (): Promise<ReadonlyArray<Workspace>> => {
  const found: Array<Workspace> = []
  let cursor: string | null = null
  do {
    const page: { readonly workspaces: ReadonlyArray<Workspace>; readonly next_cursor: string | null } = await send(
      "GET",
      paged("/workspaces", cursor)
    )
    found.push(...page.workspaces)
    cursor = page.next_cursor
  } while (cursor !== null)
  return found
}

export const consoleApi = {
  waysToSignIn: () => send<{ readonly provider: boolean }>("GET", "/sign-in"),
  signIn: (token: string) => send<Me>("POST", "/sign-in", { token }),
  signOut: () => send<unknown>("POST", "/sign-out"),
  me: () => send<Me>("GET", "/me"),
  rename: (name: string) => send<Person>("PATCH", "/me", { name }),
  sessions: async () => (await send<{ readonly sessions: ReadonlyArray<OwnSession> }>("GET", "/sessions")).sessions,
  endSession: (id: string) => send<unknown>("DELETE", `/sessions/${id}`),
  endSessions: () => send<unknown>("DELETE", "/sessions"),

  server: () => send<{ readonly mcp: boolean }>("GET", "/server"),

  /** What a link is for, before it is used. */
  invitationOf: (token: string) => send<Received>("POST", "/sign-in/invitation", { token }),
  received: async () =>
    (await send<{ readonly invitations: ReadonlyArray<Received> }>("GET", "/invitations")).invitations,
  accept: (invitation: string) => send<Joined>("POST", `/invitations/${invitation}/accept`),
  acceptLink: (token: string) => send<Joined>("POST", "/invitations/accept-link", { token }),
  decline: (invitation: string) => send<unknown>("DELETE", `/invitations/${invitation}`),

  workspaces: all,
  /** Null for people who may not create workspaces. */
  sharedAllowance: async () =>
    (await send<{ readonly shared_workspaces: SharedAllowance | null }>("GET", "/allowance")).shared_workspaces,
  openWorkspace: (name: string) => send<Workspace>("POST", "/workspaces", { name }),
  renameWorkspace: (id: string, name: string) => send<unknown>("PATCH", of(id, ""), { name }),

  members: (id: string, cursor: string | null) =>
    send<{ readonly members: ReadonlyArray<Colleague>; readonly next_cursor: string | null }>(
      "GET",
      paged(of(id, "/members"), cursor)
    ),
  changeMember: (id: string, user: string, role: Role) => send<unknown>("PATCH", of(id, `/members/${user}`), { role }),
  removeMember: (id: string, user: string) => send<unknown>("DELETE", of(id, `/members/${user}`)),
  invitations: async (id: string) =>
    (await send<{ readonly invitations: ReadonlyArray<OpenInvitation> }>("GET", of(id, "/invitations"))).invitations,
  invite: (id: string, email: string, role: Role) => send<Invited>("POST", of(id, "/invitations"), { email, role }),
  renewLink: (id: string, invitation: string) =>
    send<typeof SignInLink.Encoded>("POST", of(id, `/invitations/${invitation}/link`)),
  revokeInvitation: (id: string, invitation: string) => send<unknown>("DELETE", of(id, `/invitations/${invitation}`)),

  keys: async (id: string) =>
    (await send<{ readonly api_keys: ReadonlyArray<Key> }>("GET", of(id, "/api-keys"))).api_keys,
  traffic: async (id: string) =>
    (await send<{ readonly traffic: ReadonlyArray<Traffic> }>("GET", of(id, "/api-keys/traffic"))).traffic,
  createKey: (id: string, key: typeof NewApiKey.Encoded) => send<IssuedKey>("POST", of(id, "/api-keys"), key),
  revokeKey: (id: string, key: string) => send<unknown>("DELETE", of(id, `/api-keys/${key}`)),

  timeline: (id: string, range: TemporalSettings) => send<Timeline>("POST", of(id, "/timeline"), range),
  heldDeletions: async (id: string) =>
    (await send<{ readonly connections: ReadonlyArray<typeof HeldDeletions.Encoded> }>(
      "GET",
      of(id, "/held-deletions")
    ))
      .connections,
  latestEvents: async (id: string) =>
    (await send<{ readonly events: ReadonlyArray<WorkspaceEvent> }>("GET", of(id, "/latest-events"))).events,
  /** Events of several workspaces as they happen, from now on or after a number. Calls `onOpen` when they are followed. */
  events: async function*(
    workspaces: ReadonlyArray<{ readonly workspace_id: string; readonly after: number | null }>,
    signal: AbortSignal,
    onOpen: () => void
  ): AsyncGenerator<LiveEvent> {
    const request = { method: "POST", path: "/console/api/workspaces/events", body: { workspaces }, signal } as const
    for await (const { data } of stream(request, onOpen)) yield JSON.parse(data) as LiveEvent
  },
  auditLog: (id: string, query: AuditLogQuery) =>
    sendRequest<AuditLogPage>({
      path: "/v1/audit-log",
      query: { limit: 100, ...query },
      headers: { "x-workspace-id": id }
    })
}

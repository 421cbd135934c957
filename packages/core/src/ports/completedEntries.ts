/**
 * Entries of the audit log that are stored with their change. What they say may depend on its result, so each backend
 * completes them when it knows that, before it commits. Drafts are plain data, because a backend may make its changes in
 * another thread.
 */
import type { AuditAction, AuditDraft, AuditRecord } from "../model/AuditEntry.ts"
import type { ApiKey } from "../model/ApiKey.ts"
import type { Connection } from "../model/Connection.ts"
import type { Connector } from "../model/Connector.ts"
import type { Membership, User } from "../model/Person.ts"
import type { Webhook } from "../model/Webhook.ts"
import type { WorkspaceRecord } from "../model/Workspace.ts"

/** What a result adds to a draft; null: there is no entry. */
type Addition = Partial<AuditDraft> | null

const placeOf = ({ account_id, workspace_id }: WorkspaceRecord) => ({ account_id, workspace_id })

const isUser = (result: Membership | User): result is User => "user_id" in result

const additions: { readonly [Action in AuditAction]?: (result: never, draft: AuditDraft) => Addition } = {
  "account.owner_set": ({ email, user_id }: User, { details }): Addition => ({
    subject: user_id,
    details: { email, ...details }
  }),
  "api_key.revoked": ({ key, workspace }: { readonly key: ApiKey; readonly workspace: WorkspaceRecord }): Addition => ({
    ...placeOf(workspace),
    details: { name: key.name }
  }),
  "connection.changed": ({ name, provider }: Connection): Addition => ({ details: { name, provider } }),
  "connector.changed": ({ name }: Connector): Addition => ({ details: { name } }),
  "documents.deleted": (deleted: ReadonlyArray<unknown>, { details }): Addition =>
    deleted.length === 0 ? null : { details: { ...details, documents: deleted.length } },
  "invitation.created": (outcome: string): Addition => outcome === "invited" ? {} : null,
  "member.added": (outcome: string): Addition => outcome === "joined" ? {} : null,
  // The link of an invitation signs in the user whom it creates, who then is the subject.
  "member.joined": (joined: Membership | User, { details, subject }): Addition => {
    if (isUser(joined)) return joined.user_id === subject ? {} : null
    return { ...placeOf(joined.workspace), details: { ...details, role: joined.role } }
  },
  "session.started": ({ account_id, user_id }: User): Addition => ({
    account_id,
    actor: { type: "user", id: user_id }
  }),
  "sessions.ended": (sessions: number): Addition => ({ details: { sessions } }),
  "webhook.changed": ({ status, url }: Webhook): Addition => ({ details: { url, status } }),
  "workspace.changed": (workspace: WorkspaceRecord): Addition => placeOf(workspace),
  "workspace.renamed": (workspace: WorkspaceRecord): Addition => placeOf(workspace)
}

/** What methods of ports answer instead of changing something. */
const REFUSALS: ReadonlySet<unknown> = new Set([
  null,
  false,
  0,
  "absent",
  "full",
  "last_owner",
  "name_taken",
  "present"
])

const completed = (draft: AuditDraft, result: unknown): ReadonlyArray<AuditRecord> => {
  const complete: ((result: never, draft: AuditDraft) => Addition) | undefined = additions[draft.action]
  const addition = complete === undefined ? {} : complete(result as never, draft)
  if (addition === null) return []
  const { account_id, ...entry } = { ...draft, ...addition }
  return account_id === null ? [] : [{ ...entry, account_id }]
}

/** None if the result says that nothing was changed. */
export const completedEntries = (drafts: ReadonlyArray<AuditDraft>, result: unknown): ReadonlyArray<AuditRecord> =>
  REFUSALS.has(result) ? [] : drafts.flatMap((draft) => completed(draft, result))

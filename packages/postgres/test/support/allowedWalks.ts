/** The allowed scans, each with its bound. All other reads use an index and read no further. */
const WAITING = "what waits, which is bounded for each workspace, or runs, which is bounded for each node"
const WORKSPACE = "what a workspace has few of"
const LOOKED_THROUGH = "all that a workspace stores, filtered and sorted, for a page that a person reads"
const AUDITED = "what people and keys of an account did in a year, filtered, for a page that a person reads"
const TITLE =
  "(\"left\"(translate(COALESCE(d.title, d.external_id), 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'::text, 'abcdefghijklmnopqrstuvwxyz'::text), 100)) COLLATE \"C\""
const EMAIL = "the users of an e-mail, of whom there are few"
const HOURLY = "once an hour, of what is forgotten"
const START = "when a server starts"

/** The queries of `documentBrowsing.ts`: no other one may look through the documents of a workspace. */
const BROWSES = /\bSELECT d\.\* FROM /

export const isAllowed = (walk: string, statement: string): boolean => {
  const reason = ALLOWED_WALKS[walk]
  return reason !== undefined && (reason !== LOOKED_THROUGH || BROWSES.test(statement))
}

const ALLOWED_WALKS: Readonly<Record<string, string>> = {
  "pg_attribute as a whole": START,
  "pg_authid as a whole": START,
  "pg_class as a whole": START,
  "pg_namespace as a whole": START,
  "migrations as a whole": START,
  "migrations_pkey as a whole": START,
  "jobs_by_age as a whole": WAITING,
  "jobs_by_age by created_at": WAITING,
  "jobs_of_key by queue": WAITING,
  "jobs_of_key by queue, key": WAITING,
  "jobs_of_key by queue, key, created_at": WAITING,
  "jobs_running as a whole": WAITING,
  "jobs_running by queue, key": WAITING,
  "sort by j.created_at, j.job_id": WAITING,
  "sync_states_live as a whole": WAITING,
  "sort by q.due_at": WAITING,
  "jobs_by_status by workspace_id": "when a workspace is closed",
  "jobs_by_workspace by workspace_id": "when a workspace is closed",
  "connections as a whole": "when a workspace is closed, and has few",
  "sort by connections.workspace_id": "when a workspace is closed, and has few",
  "webhooks as a whole": "when a workspace is closed, and has few",
  "sort by webhooks.workspace_id": "when a workspace is closed, and has few",
  "webhooks_by_workspace by workspace_id": WORKSPACE,
  "documents_by_connector by workspace_id": "what changed while a connection is deleted, which is passed over",
  "audit_log_by_account by account_id": AUDITED,
  "audit_log_by_workspace by workspace_id": AUDITED,
  "documents_by_time by workspace_id": LOOKED_THROUGH,
  "documents_by_time by workspace_id, timestamp": LOOKED_THROUGH,
  "documents_by_change by workspace_id": LOOKED_THROUGH,
  "documents_lasting by workspace_id, ends_at": "what lasts on after a moment, of which there is little",
  "sort by d.\"timestamp\", d.document_id": LOOKED_THROUGH,
  "sort by d.\"timestamp\" DESC, d.document_id DESC": LOOKED_THROUGH,
  "sort by d.updated_at, d.document_id": LOOKED_THROUGH,
  "sort by d.updated_at DESC, d.document_id DESC": LOOKED_THROUGH,
  "sort by d.size, d.document_id": LOOKED_THROUGH,
  "sort by d.size DESC, d.document_id DESC": LOOKED_THROUGH,
  [`sort by ${TITLE}, d.document_id`]: LOOKED_THROUGH,
  [`sort by ${TITLE} DESC, d.document_id DESC`]: LOOKED_THROUGH,
  "connectors_workspace_id_source_name_key by workspace_id": WORKSPACE,
  "invitations_workspace_id_email_key by workspace_id": WORKSPACE,
  "members_pkey by workspace_id": WORKSPACE,
  "segments_pkey by workspace_id": WORKSPACE,
  "snapshots_pkey by workspace_id": WORKSPACE,
  "sort by m.user_id": WORKSPACE,
  "sort by user_id": WORKSPACE,
  "sort by m.workspace_id": "what a person has few of",
  "sort by ((email_proof = 'none'::text))": EMAIL,
  "sort by ((i.invitation_id)::text) DESC": "what a person has few of",
  "members_by_user by user_id": "what a person has few of",
  "users_of_email by email": EMAIL,
  "users_by_account by account_id, email": EMAIL,
  "users_by_proven_email by account_id, email": EMAIL,
  "sort by q.session_id DESC": "what a person has few of",
  "sessions_by_user by user_id": "what a person has few of",
  "invitations_of_email by email": "what a person has few of",
  "sort by workspace_id": "what an account has few of",
  "workspaces_by_account by account_id": "what an account has few of",
  "snapshots_hiding by workspace_id": "what has yet to be rebuilt",
  "invitations as a whole": HOURLY,
  "sessions as a whole": HOURLY,
  "sign_in_links as a whole": HOURLY,
  "users_without_account as a whole": HOURLY,
  "jobs_by_end by finished_at": HOURLY,
  "jobs_by_workspace by workspace_id, queue, job_id": HOURLY,
  "snapshots as a whole": HOURLY,
  "snapshots_pkey as a whole": HOURLY
}

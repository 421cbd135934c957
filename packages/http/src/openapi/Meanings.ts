/** Descriptions of all fields. */
import { CONNECTION_FIELDS } from "./ConnectionMeanings.ts"
import { OPERATOR_FIELDS } from "./OperatorMeanings.ts"
import { WEBHOOK_FIELDS } from "./WebhookMeanings.ts"
import { PRINCIPAL, type Words } from "./Words.ts"

/** The default description of a field by name. */
export const COMMON: Words = {
  account_id: "The account's id.",
  connection_id: "The connection's id.",
  connector_id: "The connector's id.",
  document_id: "The document's id.",
  event_id: "The event's id.",
  job_id: "The job's id.",
  key_id: "The key's id.",
  workspace_id: "The workspace's id.",
  external_id: "The id that the client gave the item, or that was made for it.",
  accepted_kinds: "The kinds that the connector takes. Empty: every kind.",
  attempt: "How many times it has been begun.",
  count: "How many results this answer holds.",
  created_at: "When it was made.",
  created_by: "Who made it.",
  ends_at: "The end of a thing with a duration.",
  expires_at: "From when on the key is refused like a revoked one. Null: it does not expire.",
  finished_at: "When it ended. Null: it has not.",
  hint: "The last four characters of the secret.",
  in_context: "Whether it lies in the present range of the context.",
  is_active: "False once the connector is deactivated.",
  kind: "What kind of thing it is.",
  last_used_at: "When the key was last used, at most a minute late. Null: never.",
  latest_built_at: "When the published snapshot was built.",
  latest_snapshot: "The published snapshot. Null: none is built yet.",
  limit: "How many requests a window takes.",
  loaded_snapshot: "The snapshot that queries are answered from here.",
  metadata: "Key/value pairs.",
  name: "A name for people.",
  next_cursor: "The `cursor` of the next page. Null: this is the last.",
  personal_workspace: "The workspace that belongs to the account alone.",
  reason: "Why: its plan has no room for it.",
  remaining: "How many requests are left in the window.",
  resource: "Which cap was hit.",
  revoked_at: "When the key was revoked. Null: it is not.",
  scopes: "What the key may do.",
  score: "How well it fits; comparable within one search.",
  secret: "The key itself. Shown here once.",
  size: "Bytes that count against the plan.",
  snapshot: "The snapshot that was read. Null: only what is newer than any.",
  source: "`custom:<source_name>` or `<provider>:<connection_id>`.",
  source_name: "Never changes. Events carry it as `custom:<source_name>`.",
  started_at: "When it began. Null: it has not.",
  status: "What has become of it.",
  tier: "The plan.",
  timestamp: "When it happened, which is what the range of the context looks at.",
  title: "Its title. Null: it has none.",
  updated_at: "When its content last changed.",
  url: "Where it can be opened. Null: nowhere known.",
  window_seconds: "How long a window is.",
  error_code: "Says to a program what went wrong; `/errors/{code}` explains it.",
  message: "Says the same to a person.",
  details: "What is worth knowing beyond the code. Null: nothing."
}

const limits = (prefix: string): Words =>
  Object.fromEntries(
    Object.entries({
      documents: "How many documents. Null: uncapped.",
      storage: "How many bytes in all. Null: uncapped.",
      doc_size: "How many bytes a document may have. Null: uncapped.",
      shared_workspaces: "How many shared workspaces the account may have. Null: uncapped.",
      snapshots: "How many rebuilds are kept. Null: all.",
      ask: "The rate window of ask. Null: no limit.",
      search: "The rate window of search. Null: no limit.",
      refresh: "The rate window of refresh. Null: no limit."
    }).map(([name, words]) => [`${prefix}${name}`, words])
  )

const JOB: Words = {
  query: "The question.",
  error: "Why it failed. Null: it has not."
}

const CONNECTOR_METADATA = "Key/value pairs applied to every event of the connector. What an item brings along wins."

const PUSHED: Words = {
  items: "1 to 1,000 of them, judged in this order.",
  "items.external_id": "The item's id. Absent: one is made. The same id again replaces the document.",
  "items.timestamp": "When it happened. Absent: now, or what the document had before.",
  "items.metadata": "Key/value pairs. They win over the connector's."
}

/** Descriptions by schema and path, such as `entity.quote`, where `COMMON` does not apply. */
export const FIELDS: Readonly<Record<string, Words>> = {
  // Errors
  conflict: { "details.total": "How many match now. Null: more than 10,000." },
  DocumentFilter: {
    source: "`custom:<source_name>`, `<provider>:<connection_id>`, or what stands before the colon.",
    kind: "Only what is of this kind.",
    connector_id: "Only what came through this connector.",
    connection_id: "Only what came through this connection.",
    from: "Only documents whose own time is this moment or later.",
    to: "Only documents whose own time is before this moment.",
    in_context: "Only what lies in the present range of the context, or only what does not.",
    q: "Words, each of which stands in the title or the external id."
  },
  DocumentList: {
    documents: "The page, in the order that was asked for.",
    total: "How many documents match. Absent when they are more than 10,000.",
    total_at_least: "In place of `total`, when they are more."
  },
  DeleteDocumentsRequest: {
    document_ids: "The documents to delete. Unknown ids are passed over.",
    filter: "Which documents to delete.",
    confirm_total: "How many the filter matches, as somebody has seen and confirmed."
  },
  DeletedDocuments: {
    deleted: "How many documents were deleted.",
    document_ids: "Their ids."
  },
  insufficient_scopes: { "details.missing_scopes": "The scopes that the key lacks." },
  internal_server_error: { "details.request_id": "By which whoever runs the service finds the cause." },
  quota_exceeded: { "details.rejected": "The items, each with the cap that it would break." },
  ValidationErrorBody: { detail: "Everything that is wrong, in the order of path, query and body." },
  ValidationProblem: {
    type: "Says to a program what is wrong.",
    loc: "Where: `path`, `query` or `body`, then names and positions.",
    msg: "Says the same to a person.",
    input: "What was sent there. Absent where it is long or secret.",
    ctx: "The numbers and names in `msg`, for a program."
  },
  RateLimitProblem: {
    type: "The address of a page that explains the error.",
    title: "Always the same.",
    status: "Always 429.",
    detail: "Names the operation and the seconds to wait.",
    endpoint:
      "What is spent: the window of an operation, attempts to sign in, open event streams, or large bodies that were refused.",
    retry_after: "How many seconds to wait."
  },

  // Knowledge
  KnowledgeSettings: { temporal_settings: "How far back and ahead the context goes." },
  UpdateSettingsRequest: {
    temporal_settings: "Replaces the range and starts a rebuild. Absent or null: it stays as it is."
  },
  KnowledgeTemporalSettings: {
    start: "The earliest data built into the context. Null: everything, however old.",
    end: "The latest dated data built into the context. Null: everything, however far ahead."
  },
  RelativeBound: {
    type: "A number of days from today.",
    days: "For `start`, days back from today; for `end`, days ahead. Whole UTC days."
  },
  DateBound: { type: "A fixed date.", date: "A fixed calendar date; the whole day counts." },
  KnowledgeStatus: {
    loaded: "Whether this process holds a snapshot ready for queries.",
    up_to_date: "Built with the present settings, and no rebuild due or running.",
    evidence_watermark: "The latest document timestamp in the loaded snapshot.",
    state: "What is being done to the context.",
    progress: "How far the build is. Null: none is running.",
    "progress.done": "Documents that are built in.",
    "progress.total": "Documents there are. Null: not counted yet.",
    pending_documents: "Documents that are found already, but not yet folded into the snapshot.",
    error: "Why the last build failed. Null: it did not."
  },
  RefreshRequest: { delete_old_snapshots: "Whether the snapshots of earlier rebuilds are dropped." },
  RefreshStarted: {
    task_id: "The id of the refresh.",
    run_id: "Grows by one per workspace.",
    snapshots_deleted: "How many snapshots of earlier rebuilds were dropped."
  },
  SearchRequest: {
    q: "What to look for.",
    limit: "How many results at most.",
    mode: "By words, by meaning, or both. `semantic` needs an embedding model; without one `hybrid` is `keyword`.",
    sources: "Kinds, `custom:<source_name>` or providers.",
    metadata: "Exact pairs, all of which a document must carry.",
    group_by: "Whether a result is a document, or each passage of it.",
    include_evidence: "Whether results carry the stored payload.",
    from: "From this moment on. A thing with a duration counts when it reaches into the range.",
    to: "Up to this moment, and without it.",
    in_context: "Only what lies in the range of the context, or only what does not.",
    cursor: "The `next_cursor` of the page before. At most 1,000 results can be paged through."
  },
  SearchAnswer: {
    results: "Best first.",
    warnings: "Filter values that match nothing known in the workspace."
  },
  SearchResult: {
    id: "The document's id.",
    evidence_type: "The document's kind.",
    snippet: "The passage of the text that fits best.",
    evidence: "The stored payload, when asked for.",
    highlights: "Offsets into `snippet`, in UTF-16 code units.",
    chunk: "With `group_by: \"chunk\"`: where in the document's text, in UTF-16 code units.",
    "chunk.start": "Where it begins.",
    "chunk.end": "Where it ends."
  },
  AskRequest: {
    query: "The question.",
    history:
      "What was said before, oldest first, 8,000 characters in all. A language model makes a question of its own from it.",
    "history.role": "Who said it.",
    "history.text": "What was said.",
    language: "A BCP 47 tag, such as `de`: in which a language model answers. That of the question by default.",
    timezone: "An IANA name, such as `Europe/Paris`.",
    metadata: "Exact pairs, all of which a document must carry.",
    sources: "Kinds, `custom:<source_name>` or providers.",
    from: "Only documents from this moment on.",
    to: "Only documents up to this moment, and without it.",
    async: "Whether to answer with a job instead of waiting."
  },
  Answer: {
    response: "Each `[n]` is the `marker` of a citation.",
    citations: "What the answer rests on.",
    truncated: "Whether evidence was left out for length.",
    answered:
      "Whether the response answers the question, as far as that is probable enough. When false, the response says so.",
    model: "What wrote it: `extractive` where no language model is configured.",
    related: "When nothing answers: up to five citations of what came closest, best first; else absent.",
    warnings:
      "Names each of the `sources` that nothing in the context matches, and what else may explain the answer. Absent when there are none."
  },
  Citation: {
    type: "The document's kind.",
    entity: "The document, and where it says so.",
    "entity.id": "The document's id.",
    "entity.marker": "The number in `[n]` of the response; null in `related`.",
    "entity.quote": "Stands verbatim in the document's text at `start` to `end`.",
    "entity.start": "Where the quote begins, in UTF-16 code units.",
    "entity.end": "Where the quote ends, in UTF-16 code units."
  },
  AskJob: JOB,
  AnsweredAskJob: { ...JOB, result: "The answer. Null: there is none yet, or never will be." },
  ListAskJobsResponse: { jobs: "Newest first, without their answers." },

  // Connectors and ingest
  ...CONNECTION_FIELDS,
  ...OPERATOR_FIELDS,
  ...WEBHOOK_FIELDS,
  CustomConnector: { ...PRINCIPAL, metadata: CONNECTOR_METADATA },
  CreateConnectorRequest: {
    source_name: "Unique in the workspace for ever.",
    accepted_kinds: "The kinds to take. Empty or null: every kind.",
    metadata: CONNECTOR_METADATA
  },
  UpdateConnectorRequest: {
    name: "The new name. Absent or null: as it is.",
    accepted_kinds: "The kinds to take from now on. Absent or null: as they are.",
    metadata: "Replaces the pairs for later items. Absent or null: as they are.",
    is_active: "False deactivates, true reactivates. Absent or null: as it is.",
    source_name: "Taken only when it is the present one."
  },
  IngestJsonRequest: { ...PUSHED, "items.data": "Any JSON. Every string in it becomes text to search." },
  IngestTextRequest: {
    ...PUSHED,
    "items.text": "The text. It may be empty.",
    "items.title": "Its title. Absent: one that stands in the text, where there is one.",
    "items.url": "Where it can be opened.",
    "items.content_type": "How to read the text. Absent: as it stands."
  },
  IngestTypedRequest: {
    ...PUSHED,
    "items.external_id": "The item's id. The same id again replaces the document.",
    "items.timestamp": "When it happened. A calendar event lasts from its own `start` to its `end` where it has them.",
    "items.payload": "The thing itself. Fields that its kind does not name are kept and searched, too."
  },
  IngestFileRequest: {
    file: "The file's bytes, with its name and media type.",
    kind: "What kind of thing it is.",
    external_id: "The document's id. Absent: one is made. The same id again replaces the document.",
    timestamp: "When it happened. Absent: now, or what the document had before.",
    metadata: "Key/value pairs, as JSON text. They win over the connector's.",
    payload: "The fields of the kind beyond the file's own text, as JSON text. It needs no `kind`."
  },
  IngestResult: {
    status: "Always the same: what is in `rejected` was not ingested, the rest was.",
    events: "How many items were ingested.",
    external_ids: "The ids of the items that were ingested.",
    rejected: "Items that did not fit under a cap.",
    items: "What became of each item, in the order sent.",
    "items.document_id": "The document's id. Null: a new item that was rejected."
  },
  EmailPayload: {
    subject: "Its title.",
    from: "Who sent it.",
    to: "Whom it was sent to.",
    cc: "Who got a copy.",
    body: "Its text.",
    body_html: "Its text as HTML, read where there is no `body`.",
    thread_id: "The conversation that it belongs to."
  },
  PagePayload: {
    title: "Its title.",
    url: "Where it can be opened.",
    content: "Its text.",
    content_type: "How to read `content`."
  },
  MessagePayload: {
    channel: "Where it was written, which is its title.",
    author: "Who wrote it.",
    text: "Its text.",
    thread_id: "The conversation that it belongs to."
  },
  CalendarPayload: {
    title: "Its title.",
    description: "Its text.",
    location: "Where it takes place.",
    start: "When it begins.",
    end: "When it ends; not before `start`.",
    organizer: "Who invites.",
    attendees: "Who is invited."
  },
  IssuePayload: {
    key: "The name that people call it by, such as `ARCH-7`.",
    title: "Its title.",
    state: "How it stands.",
    author: "Who opened it.",
    assignee: "Who works on it.",
    labels: "What it is filed under.",
    body: "Its text.",
    url: "Where it can be opened."
  },
  CustomPayload: { data: "Any JSON. Every string in it becomes text to search." },

  // Documents
  FullDocument: {
    text: "The text that is searched and quoted.",
    payload: "What was sent as `data` or `payload`. Null: a plain text or a file."
  },
  ListDocumentsResponse: { documents: "Without their text." },
  DeleteConnectorDocumentsRequest: { external_ids: "1 to 1,000 of them." },
  DeleteConnectorDocumentsResponse: { external_ids: "Those that existed." },
  Event: { type: "What happened." },
  ListEventsResponse: { events: "Oldest first." },

  // Workspaces, plans, keys and tokens
  TokenFilter: {
    sources: "Kinds, `custom:<source_name>` or providers; a document of any of them is seen.",
    metadata: "What a document must carry, all of it.",
    from: "Documents of before this moment are not seen.",
    to: "Documents of this moment and later are not seen."
  },
  CreateTokenRequest: {
    scopes: "At most those of the key; all of them, or with a filter all that read, when left out.",
    expires_in: "Seconds until it ends.",
    filter: "What the token sees of the workspace; all of it when left out."
  },
  IssuedToken: { token: "Shown once, and sent as a key is.", expires_at: "At the latest when the key does." },
  Usage: {
    entitlements: "What the workspace uses of its plan.",
    "entitlements.documents": "The count of its documents.",
    "entitlements.storage": "Their bytes.",
    rate_limits: "By operation. Unlimited operations are absent.",
    "rate_limits.ask": "The window of ask.",
    "rate_limits.search": "The window of search.",
    "rate_limits.refresh": "The window of refresh.",
    "rate_limits.ask.reset": "In how many seconds the window rolls over.",
    "rate_limits.search.reset": "In how many seconds the window rolls over.",
    "rate_limits.refresh.reset": "In how many seconds the window rolls over.",
    scopes: "What the caller may do."
  },
  Meter: {
    used: "How much is used.",
    limit: "How much there may be. Absent when uncapped.",
    fraction_used: "`used` divided by `limit`.",
    state: "`approaching` from 80 % on, `exceeded` over the cap."
  },
  Workspace: { kind: "Whether it belongs to the account alone." },
  CreatedWorkspace: { kind: "Whether it belongs to the account alone.", api_key: "Its first key." },
  ListWorkspacesResponse: { workspaces: "Those of the account." },
  ApiKey: PRINCIPAL,
  IssuedApiKey: PRINCIPAL,
  CreateApiKeyRequest: {
    expires_at: "In the future: from when on the key is refused like a revoked one. Absent or null: it does not expire."
  },
  ListApiKeysResponse: { api_keys: "Without their secrets." },
  OperatedWorkspace: {
    kind: "Whether it belongs to the account alone.",
    grandfathered: "Made before limits were introduced: uncapped.",
    suspended: "Whether its keys are refused with 403.",
    limits: "The limits in force.",
    ...limits("limits.")
  },
  ListAllWorkspacesResponse: { workspaces: "Those of every account." },
  UpdateWorkspaceRequest: {
    tier: "The plan. Absent: as it is.",
    grandfathered: "Whether it was made before limits were introduced. Absent: as it is.",
    suspended: "Whether its keys are refused with 403. Absent: as it is.",
    limits: "Exceptions from the plan's limits. One that is absent follows the plan.",
    ...limits("limits.")
  }
}

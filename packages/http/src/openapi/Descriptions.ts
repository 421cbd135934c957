/** The summary and description of every operation, separate from the definition, which clients contain. */
interface Description {
  readonly summary: string
  readonly description: string
}

/** By the name of the operation. */
export const DESCRIPTIONS: Readonly<Record<string, Description>> = {
  getSettings: {
    summary: "Read the settings",
    description: "How far back and ahead the knowledge context goes. Before any change it is one year either way."
  },
  updateSettings: {
    summary: "Change the settings",
    description:
      "A section that is absent or null stays as it is. A range replaces the present one, so it names both ends, and the context is built anew at once, even when the range is the same; `up_to_date` of the status is false before this answers. A range that starts after its end is refused with 400."
  },
  getStatus: {
    summary: "Read the status",
    description:
      "Whether the context is built with the present settings, and what is being done about it. Poll it after a change until `up_to_date` is true."
  },
  refresh: {
    summary: "Refresh the context",
    description:
      "Brings the context up to date with new, changed and deleted documents at once, which otherwise happens by itself within seconds. The body may be left out."
  },
  search: {
    summary: "Search",
    description:
      "Finds documents in everything that the workspace stores, in or out of the context's range. A document is found from the moment that its ingest has answered. Filters that match nothing known are named in `warnings`."
  },
  ask: {
    summary: "Ask a question",
    description:
      "Answers from the documents within the context's range, with citations that are quoted verbatim. Without evidence `answered` is false. With `async`, or the header `Prefer: respond-async`, the answer is 202 and a job to poll. With `Accept: text/event-stream` the answer is streamed."
  },
  listAskJobs: {
    summary: "List ask jobs",
    description:
      "The workspace's questions that were asked for later, newest first, without their answers. They are kept for 30 days."
  },
  getAskJob: {
    summary: "Read an ask job",
    description: "A job with its answer, once there is one."
  },
  cancelAskJob: {
    summary: "Cancel an ask job",
    description: "Ends a job that is queued or running. One that has ended stays as it is."
  },
  listAuditLog: {
    summary: "Read the audit log",
    description:
      "Who did what in the workspace, and from where, newest first; with a key of the personal workspace, in the whole account. Entries are kept for a year. Read until `next_cursor` is null: where little matches, a page may have fewer entries than its `limit`. `api:read` does not cover this."
  },
  listQuestions: {
    summary: "List questions",
    description:
      "What was asked in the last 30 days and got an answer, newest first, with the feedback on it. With `answered=false` only what the documents did not answer."
  },
  rateQuestion: {
    summary: "Give feedback",
    description:
      "Whether an answer was useful. Later feedback replaces earlier feedback. A token with a filter rates what was asked with the same key and filter."
  },
  deleteQuestions: {
    summary: "Delete questions",
    description: "All of the workspace, or those that were asked before a moment. Ask jobs stay."
  },
  deleteQuestion: {
    summary: "Delete a question",
    description: "With its feedback."
  },
  createConnector: {
    summary: "Create a custom connector",
    description:
      "A named source to push through. `source_name` is unique in the workspace for ever and never changes. Unknown fields are passed over."
  },
  listConnectors: {
    summary: "List custom connectors",
    description: "All of the workspace, newest first, as a bare array; at most 1,000."
  },
  getConnector: {
    summary: "Read a custom connector",
    description: "By its id, in any case."
  },
  updateConnector: {
    summary: "Change a custom connector",
    description:
      "A field that is absent or null stays as it is; one that is given replaces the old value and applies to later ingests. `is_active` deactivates and reactivates. Unknown fields are passed over; another `source_name` is refused with 422."
  },
  deactivateConnector: {
    summary: "Deactivate a custom connector",
    description:
      "It takes no more items. What it delivered stays, unless `delete_documents` is true. Twice answers the same twice."
  },
  listProviders: {
    summary: "List the providers",
    description:
      "The kinds of sources that this server can pull from, each with the JSON Schema of its configuration. Fields that are `writeOnly` are secrets."
  },
  listConnections: {
    summary: "List connections",
    description: "All of the workspace, newest first, as a bare array; at most 100."
  },
  createConnection: {
    summary: "Connect a source",
    description:
      "The source is tried first: 400 when it cannot be reached or refuses the credentials, and nothing is kept then. The first sync begins by itself. Secrets are kept encrypted and never shown again."
  },
  getConnection: {
    summary: "Read a connection",
    description: "By its id, in any case. Its configuration is shown without secrets."
  },
  updateConnection: {
    summary: "Change a connection",
    description:
      "A field that is absent or null stays as it is. A `config` replaces the old one, is tried first, and starts the sync over; secrets that it leaves out are kept only where everything else of it stays the same. A reach that goes further back is pulled, one that does not keeps what is stored."
  },
  deleteConnection: {
    summary: "Delete a connection",
    description:
      "Its secrets go at once, and nothing more is pulled. What it pulled stays, unless `delete_documents` is true."
  },
  listSyncStates: {
    summary: "See how syncing goes",
    description: "One state for each resource, by its name."
  },
  listSyncRuns: {
    summary: "List ended syncs",
    description: "The last 100 syncs of each resource that have ended, newest first, with what they did not take in."
  },
  startSync: {
    summary: "Sync now",
    description:
      "Begins a sync of every resource, after the one that runs where one does; a `sync_config` is kept first. What did not fit under the plan's caps last time is pulled again."
  },
  cancelSync: {
    summary: "Cancel a sync",
    description:
      "Ends within seconds. What it has taken in stays, and the next sync goes on from its last checkpoint. The resource is percent-encoded in the path."
  },
  confirmDeletions: {
    summary: "Confirm deletions that are held",
    description: "When much of a source is gone at once, its documents are kept until this says that they are to go."
  },
  ingestJson: {
    summary: "Ingest JSON",
    description:
      "Any JSON, as kind `custom`: every string within becomes text to search. The same `external_id` again replaces the document. All admitted items are stored before this answers; those over a cap are in `rejected`."
  },
  ingestText: {
    summary: "Ingest texts",
    description: "Plain text, Markdown or HTML, as kind `custom`."
  },
  ingestTyped: {
    summary: "Ingest typed items",
    description: "`payload.kind` says which fields are read for title and text; other fields are kept as sent."
  },
  ingestFile: {
    summary: "Ingest a file",
    description:
      "One file as one document: plain text, Markdown, HTML, JSON or CSV in UTF-8, PDF, DOCX, EML or ICS. `payload` and `metadata` are JSON text; `payload` needs no `kind`. A field that is left empty counts as not sent. A file that is rejected is always a 402."
  },
  listDocuments: {
    summary: "List a connector's documents",
    description: "Without their text."
  },
  getConnectorDocument: {
    summary: "Read a document by its external id",
    description:
      "The id is percent-encoded in the path. Ids that have no form in a path, such as `..`, are read by document id."
  },
  deleteConnectorDocument: {
    summary: "Delete a document by its external id",
    description: "What it counted against the plan is free at once."
  },
  deleteConnectorDocuments: {
    summary: "Delete many documents",
    description: "Answers the ids of those that existed."
  },
  browseDocuments: {
    summary: "List all documents",
    description:
      "Every document of the workspace, pushed or pulled, without its text: filtered, sorted, and counted up to 10,000."
  },
  deleteDocuments: {
    summary: "Delete many documents",
    description:
      "Documents of any source, by their ids or by a filter. With a filter, `confirm_total` has to be the number of what it matches at that moment, or nothing is deleted. What changes meanwhile stays."
  },
  getDocument: {
    summary: "Read a document",
    description: "Any document of the workspace, with its text and what was sent for it."
  },
  deleteDocument: {
    summary: "Delete a document",
    description: "Any document of the workspace, gone at once from search, ask and the context."
  },
  listEvents: {
    summary: "List events",
    description:
      "What was ingested and deleted, oldest first, of the last 90 days. With `Accept: text/event-stream` a live stream from now on, or from after `Last-Event-ID`."
  },
  getUsage: {
    summary: "Read the usage",
    description:
      "What the workspace uses of its plan. A meter that is uncapped has no `limit`. Any valid key may read it."
  },
  getUsageHistory: {
    summary: "Read the usage, day by day",
    description:
      "Requests of each operation with their refusals and durations, and what the workspace stored, of the last 90 days at most. Days on which nothing happened are absent. Any valid key may read it."
  },
  createToken: {
    summary: "Make a token",
    description:
      "A credential for one of your own users, for a while: it has at most the key's scopes, and sees only the documents that `filter` shows. With a filter it only reads. It ends with its key, and makes no tokens and workspaces."
  },
  createWorkspace: {
    summary: "Create a workspace",
    description:
      "A shared workspace of the key's account, with its first key, whose secret is shown here once. Beyond the plan's allowance this is refused with 422."
  },
  listWorkspaces: {
    summary: "List workspaces",
    description: "Those of the key's account."
  },
  createAccount: {
    summary: "Create an account",
    description: "With its personal workspace."
  },
  deleteAccount: {
    summary: "Erase an account",
    description: "With all of its workspaces. Their keys stop working at once."
  },
  setAccountOwner: {
    summary: "Restore or replace the owner of an account",
    description:
      "With an e-mail: the user who has proven it, or a new one, owns the account from then on, and the one before leaves its personal workspace. Without: who owns it is an owner of all of its workspaces again."
  },
  addWorkspace: {
    summary: "Create a workspace",
    description: "A shared workspace of any account, whatever its plan allows."
  },
  listAllWorkspaces: {
    summary: "List workspaces",
    description: "Those of every account."
  },
  updateWorkspace: {
    summary: "Change a workspace",
    description:
      "Its plan, whether it is suspended, and exceptions from the plan's limits: a number, or null for uncapped."
  },
  deleteWorkspace: {
    summary: "Erase a workspace",
    description: "Everything in it. Its keys stop working at once."
  },
  createApiKey: {
    summary: "Create an API key",
    description: "The secret is shown here once."
  },
  listApiKeys: {
    summary: "List API keys",
    description: "Of one workspace, without their secrets."
  },
  revokeApiKey: {
    summary: "Revoke an API key",
    description: "At once and for ever; requests that are running end as they would."
  },
  createWebhook: {
    summary: "Create a webhook",
    description:
      "Events of the workspace are sent to the address from now on, signed as the Standard Webhooks specification describes. The secret is shown here once. A workspace has at most 20 webhooks."
  },
  listWebhooks: {
    summary: "List webhooks",
    description: "All of the workspace, newest first, as a bare array, without their secrets."
  },
  getWebhook: {
    summary: "Read a webhook",
    description: "By its id, in any case, without its secret."
  },
  updateWebhook: {
    summary: "Change a webhook",
    description:
      "A field that is absent or null stays as it is. A webhook that is made active again goes on where it stopped: what happened to documents meanwhile is sent."
  },
  deleteWebhook: {
    summary: "Delete a webhook",
    description: "Nothing more is sent, and its deliveries go with it."
  },
  rotateWebhookSecret: {
    summary: "Rotate a webhook's secret",
    description:
      "The new secret is shown here once. For a day, every event is signed with the new one and with the one before."
  },
  testWebhook: {
    summary: "Send a test event",
    description:
      "Queues an event of the type `webhook.test`. The delivery, read again a moment later, shows what came of it."
  },
  listDeliveries: {
    summary: "List a webhook's deliveries",
    description:
      "Newest first, with what was sent and how the last attempt was answered. They are kept for 30 days, and at most 10,000 that are over."
  },
  getDelivery: {
    summary: "Read a delivery",
    description: "By the id of its event, in any case."
  },
  resendDelivery: {
    summary: "Send an event again",
    description: "Queues the delivery at once, whatever became of it, under the same `webhook-id`."
  },
  createSignInLink: {
    summary: "Create a sign-in link",
    description:
      "It opens the console once, within 15 minutes, as the user with the e-mail, or else as the owner of the account. An owner without an e-mail takes on the one that is given. The account may be left out while it is clear which is meant."
  },
  rewrapSecrets: {
    summary: "Encrypt secrets with the first key",
    description:
      "The secrets of all connections that an older key encrypted. Where none is unreadable, and every server has the new key in front, the older keys can be taken away."
  },
  createOperator: {
    summary: "Create an operator",
    description:
      "With a token of their own, which is shown here once. `operator:read` reads, `operator:write` changes accounts, workspaces and keys, `operator:admin` makes and revokes operators."
  },
  listOperators: {
    summary: "List operators",
    description: "Without their tokens. The one whom the server's settings let in is not among them."
  },
  revokeOperator: {
    summary: "Revoke an operator",
    description: "At once and for ever; requests that are running end as they would."
  },
  readOperatorLog: {
    summary: "Read what operators did",
    description:
      "Every call that changes something, oldest first: an entry before it is carried out, and one with its outcome. `after` is the `sequence` of an entry that is known already. Each entry names the hash of the one before."
  }
}

/** All commands by name. Their actions are in `commands/`, and loaded when they are called. */
import { auditCommands } from "./auditCommands.ts"
import type { Command } from "./Command.ts"
import { ABOUT_WORKSPACE, IN_WORKSPACE, JSON_ONLY, OPERATOR_REACH, PASSPHRASE } from "./options.ts"

export const commands: ReadonlyArray<Command> = [
  {
    name: "serve",
    summary: "Runs the server until SIGTERM or Ctrl-C.",
    options: { demo: { meaning: "on an empty store, ingests the documentation of Tributary and asks it a question" } },
    examples: ["tributary serve --demo", "TRIBUTARY_STORAGE=memory tributary serve"],
    load: () => import("../serve/Serve.ts").then(({ serve }) => serve)
  },
  {
    name: "ingest",
    summary:
      "Ingests files and folders: text, Markdown, HTML, JSON, PDF, Word, CSV, mails, calendars, and JSONL collections.",
    words: { form: "PATH...", least: 1, most: Infinity },
    options: {
      connector: {
        value: "NAME",
        meaning: "the connector to push through, created if it does not exist; default: files"
      },
      ...IN_WORKSPACE
    },
    examples: [
      "tributary ingest docs README.md",
      "tributary ingest corpus.jsonl.gz --connector wiki",
      "tributary ingest notes --url https://knowledge.example.com"
    ],
    load: () => import("../commands/ingest.ts").then(({ ingest }) => ingest)
  },
  {
    name: "mcp",
    summary: "Serves a workspace to an assistant over standard input and output (Model Context Protocol).",
    options: {
      "read-only": { meaning: "omits the tools that add and delete documents" },
      ...IN_WORKSPACE
    },
    examples: [
      "tributary mcp",
      "tributary mcp --read-only",
      "TRIBUTARY_KEY=pk_live_... tributary mcp --url https://knowledge.example.com"
    ],
    load: () => import("../commands/mcp.ts").then(({ mcp }) => mcp)
  },
  {
    name: "connect",
    summary: "Connects a source to pull from, and shows the progress of its first sync.",
    words: { form: "PROVIDER PLACE", least: 1, most: 2 },
    options: {
      name: { value: "NAME", meaning: "a display name; default: the provider's" },
      days: { value: "N", meaning: "the number of days to sync back, or all" },
      every: { value: "MINUTES", meaning: "the time between two syncs" },
      detach: { meaning: "does not wait for the first sync" },
      ...IN_WORKSPACE
    },
    fields: "a field of the provider's configuration; a secret as env:NAME, file:PATH or -, or typed at the prompt",
    examples: [
      "tributary connect files /srv/handbook",
      "tributary connect feed https://example.com/news.rss",
      "tributary connect imap mail.example.com --username ada",
      "tributary connect imap mail.example.com --username ada --password env:MAIL_PASSWORD --json",
      "tributary connect caldav https://calendar.example.com --username ada",
      "tributary connect git https://git.example.com/handbook.git"
    ],
    load: () => import("../commands/connect.ts").then(({ connect }) => connect)
  },
  {
    name: "connections list",
    summary: "Lists connections.",
    options: IN_WORKSPACE,
    examples: ["tributary connections list"],
    load: () => import("../commands/connections.ts").then(({ list }) => list)
  },
  {
    name: "connections sync",
    summary: "Syncs a connection now.",
    words: { form: "ID", least: 1, most: 1 },
    options: { detach: { meaning: "does not wait for the sync" }, ...IN_WORKSPACE },
    examples: ["tributary connections sync 01a1fbf8-f38a-75c4-a86e-875719b564b4"],
    load: () => import("../commands/connections.ts").then(({ sync }) => sync)
  },
  {
    name: "connections confirm",
    summary: "Confirms the deletion of many documents that are gone at the source of a connection.",
    words: { form: "ID RESOURCE", least: 2, most: 2 },
    options: IN_WORKSPACE,
    examples: ["tributary connections confirm 01a1fbf8-f38a-75c4-a86e-875719b564b4 INBOX"],
    load: () => import("../commands/connections.ts").then(({ confirm }) => confirm)
  },
  {
    name: "connections pause",
    summary: "Pauses a connection until it is resumed.",
    words: { form: "ID", least: 1, most: 1 },
    options: IN_WORKSPACE,
    examples: ["tributary connections pause 01a1fbf8-f38a-75c4-a86e-875719b564b4"],
    load: () => import("../commands/connections.ts").then(({ pause }) => pause)
  },
  {
    name: "connections resume",
    summary: "Resumes a paused connection.",
    words: { form: "ID", least: 1, most: 1 },
    options: IN_WORKSPACE,
    examples: ["tributary connections resume 01a1fbf8-f38a-75c4-a86e-875719b564b4"],
    load: () => import("../commands/connections.ts").then(({ resume }) => resume)
  },
  {
    name: "connections delete",
    summary: "Deletes a connection with its secrets.",
    words: { form: "ID", least: 1, most: 1 },
    options: { documents: { meaning: "also deletes its documents" }, ...IN_WORKSPACE },
    examples: ["tributary connections delete 01a1fbf8-f38a-75c4-a86e-875719b564b4 --documents"],
    load: () => import("../commands/connections.ts").then(({ remove }) => remove)
  },
  {
    name: "search",
    summary: "Searches documents.",
    words: { form: "QUERY", least: 1, most: Infinity },
    options: {
      limit: { value: "N", meaning: "the maximum number of results, 1 to 100; default: 10" },
      source: { value: "SOURCE", meaning: "only this source: a kind, or custom:NAME of a connector", repeated: true },
      ...IN_WORKSPACE
    },
    examples: ["tributary search incident report", "tributary search \"error E1042\" --source custom:wiki --json"],
    load: () => import("../commands/knowledge.ts").then(({ search }) => search)
  },
  {
    name: "ask",
    summary: "Answers a question with citations. Without a question, starts a conversation on a terminal.",
    words: { form: "[QUESTION]", least: 0, most: Infinity },
    options: {
      source: { value: "SOURCE", meaning: "only this source: a kind, or custom:NAME of a connector", repeated: true },
      timezone: { value: "NAME", meaning: "the time zone of dates in the question; default: UTC" },
      language: { value: "TAG", meaning: "the language of a language model's answer, such as de" },
      ...IN_WORKSPACE
    },
    examples: ["tributary ask \"Who approves a release?\"", "tributary ask"],
    load: () => import("../commands/ask.ts").then(({ ask }) => ask)
  },
  {
    name: "events",
    summary: "Prints document events, one per line, oldest first.",
    options: {
      follow: { meaning: "prints new events until it is stopped" },
      source: { value: "SOURCE", meaning: "only this source, such as custom:NAME" },
      kind: { value: "KIND", meaning: "only this kind of documents" },
      webhook: { value: "ID", meaning: "instead, the events of every kind that this webhook takes" },
      ...IN_WORKSPACE
    },
    examples: ["tributary events", "tributary events --follow --json --url https://knowledge.example.com"],
    load: () => import("../commands/events.ts").then(({ events }) => events)
  },
  {
    name: "status",
    summary: "Shows the state of a workspace's context and its usage of the plan.",
    options: IN_WORKSPACE,
    examples: ["tributary status", "tributary status --json"],
    load: () => import("../commands/status.ts").then(({ status }) => status)
  },
  {
    name: "keys create",
    summary: "Creates an API key and shows its secret, once.",
    words: { form: "NAME", least: 1, most: 1 },
    options: {
      scope: { value: "SCOPE", meaning: "a scope of the key; default: api:read and api:write", repeated: true },
      expires: { value: "TIME", meaning: "the expiry, such as 2027-01-31T00:00:00Z; default: never" },
      ...ABOUT_WORKSPACE
    },
    examples: [
      "tributary keys create laptop",
      "tributary keys create importer --scope custom_connectors:read --scope custom_connectors:ingest"
    ],
    load: () => import("../commands/keys.ts").then(({ create }) => create)
  },
  {
    name: "keys list",
    summary: "Lists the API keys of a workspace, without their secrets.",
    options: ABOUT_WORKSPACE,
    examples: ["tributary keys list"],
    load: () => import("../commands/keys.ts").then(({ list }) => list)
  },
  {
    name: "keys revoke",
    summary: "Revokes an API key, at once and permanently.",
    words: { form: "KEY_ID", least: 1, most: 1 },
    options: OPERATOR_REACH,
    examples: ["tributary keys revoke 01a1fbf8-f38a-75c4-a86e-875719b564b4"],
    load: () => import("../commands/keys.ts").then(({ revoke }) => revoke)
  },
  {
    name: "keys rewrap",
    summary: "Encrypts the secrets of all connections and webhooks with the first of TRIBUTARY_ENCRYPTION_KEYS.",
    options: OPERATOR_REACH,
    examples: ["tributary keys rewrap"],
    load: () => import("../commands/keys.ts").then(({ rewrap }) => rewrap)
  },
  {
    name: "operators create",
    summary: "Creates an operator and shows its token, once.",
    words: { form: "NAME", least: 1, most: 1 },
    options: {
      scope: {
        value: "SCOPE",
        meaning: "operator:read, operator:write or operator:admin; default: the first two",
        repeated: true
      },
      expires: { value: "TIME", meaning: "the expiry, such as 2027-01-31T00:00:00Z; default: never" },
      ...OPERATOR_REACH
    },
    examples: [
      "tributary operators create ada",
      "tributary operators create monitoring --scope operator:read --expires 2027-01-31T00:00:00Z"
    ],
    load: () => import("../commands/operators.ts").then(({ create }) => create)
  },
  {
    name: "operators list",
    summary: "Lists the operators, without their tokens.",
    options: OPERATOR_REACH,
    examples: ["tributary operators list"],
    load: () => import("../commands/operators.ts").then(({ list }) => list)
  },
  {
    name: "operators revoke",
    summary: "Revokes an operator, at once and permanently.",
    words: { form: "OPERATOR_ID", least: 1, most: 1 },
    options: OPERATOR_REACH,
    examples: ["tributary operators revoke 01a1fbf8-f38a-75c4-a86e-875719b564b4"],
    load: () => import("../commands/operators.ts").then(({ revoke }) => revoke)
  },
  ...auditCommands,
  {
    name: "workspaces create",
    summary: "Creates a shared workspace in the account, or an account with its personal workspace.",
    words: { form: "NAME", least: 1, most: 1 },
    options: {
      account: { value: "ID", meaning: "the account of the workspace, if there are several" },
      "new-account": { meaning: "creates an account with that name and its personal workspace" },
      ...OPERATOR_REACH
    },
    examples: ["tributary workspaces create Design", "tributary workspaces create Acme --new-account"],
    load: () => import("../commands/workspaces.ts").then(({ create }) => create)
  },
  {
    name: "workspaces list",
    summary: "Lists the workspaces of all accounts.",
    options: OPERATOR_REACH,
    examples: ["tributary workspaces list"],
    load: () => import("../commands/workspaces.ts").then(({ list }) => list)
  },
  {
    name: "workspaces set-plan",
    summary: "Changes the plan of a workspace: free or pro.",
    words: { form: "ID PLAN", least: 2, most: 2 },
    options: OPERATOR_REACH,
    examples: ["tributary workspaces set-plan 01a1fbf8-f38a-75c4-a86e-875719b564b4 pro"],
    load: () => import("../commands/workspaces.ts").then(({ setPlan }) => setPlan)
  },
  {
    name: "console",
    summary: "Creates a link that signs in to the console, once, within 15 minutes.",
    options: {
      email: { value: "EMAIL", meaning: "the user to sign in; default: the owner of the account" },
      account: { value: "ID", meaning: "the account, if there are several" },
      ...OPERATOR_REACH
    },
    examples: ["tributary console", "tributary console --email ada@example.com"],
    load: () => import("../commands/console.ts").then(({ console }) => console)
  },
  {
    name: "migrate",
    summary: "Migrates the configured storage. serve does the same; use this for a separate step.",
    options: JSON_ONLY,
    examples: ["TRIBUTARY_DATABASE_URL=postgres://... tributary migrate"],
    load: () => import("../commands/migrate.ts").then(({ migrate }) => migrate)
  },
  {
    name: "backup",
    summary: "Copies the embedded database to a new file, also while a server uses it.",
    words: { form: "FILE", least: 1, most: 1 },
    options: JSON_ONLY,
    examples: ["tributary backup /var/backups/tributary.db"],
    load: () => import("../commands/backup.ts").then(({ backup }) => backup)
  },
  {
    name: "restore",
    summary: "Restores a backup of the embedded database into an empty data directory.",
    words: { form: "FILE", least: 1, most: 1 },
    options: JSON_ONLY,
    examples: ["TRIBUTARY_DATA_DIR=.restored tributary restore /var/backups/tributary.db"],
    load: () => import("../commands/backup.ts").then(({ restore }) => restore)
  },
  {
    name: "doctor",
    summary: "Checks the configured storage for problems and damage.",
    options: JSON_ONLY,
    examples: ["tributary doctor"],
    load: () => import("../commands/doctor.ts").then(({ doctor }) => doctor)
  },
  {
    name: "export",
    summary: "Writes the whole configured storage to one file, as a backup or for another storage.",
    words: { form: "FILE", least: 1, most: 1 },
    options: { ...PASSPHRASE, ...JSON_ONLY },
    examples: [
      "tributary export store.tributary",
      "tributary export store.tributary --passphrase-file /run/secrets/export",
      "TRIBUTARY_DATABASE_URL=postgres://... tributary export store.tributary"
    ],
    load: () => import("../commands/export.ts").then((module) => module.export)
  },
  {
    name: "import",
    summary: "Imports an exported file into the configured storage, which must be empty.",
    words: { form: "FILE", least: 1, most: 1 },
    options: { ...PASSPHRASE, ...JSON_ONLY },
    examples: ["TRIBUTARY_DATABASE_URL=postgres://... tributary import store.tributary"],
    load: () => import("../commands/import.ts").then((module) => module.import)
  },
  {
    name: "completion",
    summary: "Prints a completion script for bash, zsh or fish.",
    words: { form: "SHELL", least: 1, most: 1 },
    options: JSON_ONLY,
    examples: [
      "source <(tributary completion bash)",
      "source <(tributary completion zsh)",
      "tributary completion fish > ~/.config/fish/completions/tributary.fish"
    ],
    load: () => import("../commands/completion.ts").then(({ completion }) => completion(commands))
  }
]

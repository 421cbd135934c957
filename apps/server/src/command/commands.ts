/** All commands by name. Their actions are in `commands/`, and loaded when they are called. */
import { auditCommands } from "./auditCommands.ts"
import type { Command } from "./Command.ts"
import { JSON_ONLY, OPERATOR_REACH, PASSPHRASE, REACH, WORKSPACE } from "./options.ts"

export const commands: ReadonlyArray<Command> = [
  {
    name: "serve",
    summary: "Runs the server until it is told to stop (SIGTERM or Ctrl-C).",
    options: { demo: { meaning: "on an empty store, takes in the documentation of Tributary and asks it a question" } },
    examples: ["tributary serve --demo", "TRIBUTARY_STORAGE=memory tributary serve"],
    load: () => import("../serve/Serve.ts").then(({ serve }) => serve)
  },
  {
    name: "ingest",
    summary:
      "Takes in files and folders: text, Markdown, HTML, JSON, PDF, Word, CSV, mails, calendars, and JSONL collections.",
    words: { form: "PATH...", least: 1, most: Infinity },
    options: {
      connector: { value: "NAME", meaning: "the connector to push through, made when it is absent; files unless told" },
      ...WORKSPACE,
      ...REACH
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
    summary: "Serves a workspace to an assistant over standard input and output, by the Model Context Protocol.",
    options: {
      "read-only": { meaning: "leaves out the tools that add and delete documents" },
      ...WORKSPACE,
      ...REACH
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
    summary: "Connects a source that is pulled from now on, and shows how its first sync goes.",
    words: { form: "PROVIDER PLACE", least: 1, most: 2 },
    options: {
      name: { value: "NAME", meaning: "a name for people; the provider's unless told" },
      days: { value: "N", meaning: "how many days back to reach, or all" },
      every: { value: "MINUTES", meaning: "the time between two syncs" },
      detach: { meaning: "does not wait for the first sync" },
      ...WORKSPACE,
      ...REACH
    },
    fields:
      "a field of the provider's configuration; a secret as env:NAME, file:PATH or -, or typed when it is asked for",
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
    summary: "Lists what is connected.",
    options: { ...WORKSPACE, ...REACH },
    examples: ["tributary connections list"],
    load: () => import("../commands/connections.ts").then(({ list }) => list)
  },
  {
    name: "connections sync",
    summary: "Syncs a connection now.",
    words: { form: "ID", least: 1, most: 1 },
    options: { detach: { meaning: "does not wait for its end" }, ...WORKSPACE, ...REACH },
    examples: ["tributary connections sync 01a1fbf8-f38a-75c4-a86e-875719b564b4"],
    load: () => import("../commands/connections.ts").then(({ sync }) => sync)
  },
  {
    name: "connections confirm",
    summary: "Deletes what is gone at the source of a connection, and was kept because it was much.",
    words: { form: "ID RESOURCE", least: 2, most: 2 },
    options: { ...WORKSPACE, ...REACH },
    examples: ["tributary connections confirm 01a1fbf8-f38a-75c4-a86e-875719b564b4 INBOX"],
    load: () => import("../commands/connections.ts").then(({ confirm }) => confirm)
  },
  {
    name: "connections pause",
    summary: "Stops pulling a connection, until it is resumed.",
    words: { form: "ID", least: 1, most: 1 },
    options: { ...WORKSPACE, ...REACH },
    examples: ["tributary connections pause 01a1fbf8-f38a-75c4-a86e-875719b564b4"],
    load: () => import("../commands/connections.ts").then(({ pause }) => pause)
  },
  {
    name: "connections resume",
    summary: "Pulls a connection again that was paused.",
    words: { form: "ID", least: 1, most: 1 },
    options: { ...WORKSPACE, ...REACH },
    examples: ["tributary connections resume 01a1fbf8-f38a-75c4-a86e-875719b564b4"],
    load: () => import("../commands/connections.ts").then(({ resume }) => resume)
  },
  {
    name: "connections delete",
    summary: "Deletes a connection with its secrets.",
    words: { form: "ID", least: 1, most: 1 },
    options: { documents: { meaning: "deletes what it pulled, too" }, ...WORKSPACE, ...REACH },
    examples: ["tributary connections delete 01a1fbf8-f38a-75c4-a86e-875719b564b4 --documents"],
    load: () => import("../commands/connections.ts").then(({ remove }) => remove)
  },
  {
    name: "search",
    summary: "Finds documents by words.",
    words: { form: "QUERY", least: 1, most: Infinity },
    options: {
      limit: { value: "N", meaning: "how many results at most, 1 to 100; 10 unless told" },
      source: { value: "SOURCE", meaning: "only from here: a kind, or custom:NAME of a connector", repeated: true },
      ...WORKSPACE,
      ...REACH
    },
    examples: ["tributary search incident report", "tributary search \"error E1042\" --source custom:wiki --json"],
    load: () => import("../commands/knowledge.ts").then(({ search }) => search)
  },
  {
    name: "ask",
    summary: "Answers a question, with the quotes that the answer stands on. Without one, asks for them on a terminal.",
    words: { form: "[QUESTION]", least: 0, most: Infinity },
    options: {
      source: { value: "SOURCE", meaning: "only from here: a kind, or custom:NAME of a connector", repeated: true },
      timezone: { value: "NAME", meaning: "the time zone of dates in the question; UTC unless told" },
      language: { value: "TAG", meaning: "the language that a language model answers in, such as de" },
      ...WORKSPACE,
      ...REACH
    },
    examples: ["tributary ask \"Who approves a release?\"", "tributary ask"],
    load: () => import("../commands/ask.ts").then(({ ask }) => ask)
  },
  {
    name: "events",
    summary: "Prints what became of documents, an event a line, oldest first.",
    options: {
      follow: { meaning: "prints what happens from now on, until it is told to stop" },
      source: { value: "SOURCE", meaning: "only of this source, such as custom:NAME" },
      kind: { value: "KIND", meaning: "only of documents of this kind" },
      ...WORKSPACE,
      ...REACH
    },
    examples: ["tributary events", "tributary events --follow --json --url https://knowledge.example.com"],
    load: () => import("../commands/events.ts").then(({ events }) => events)
  },
  {
    name: "status",
    summary: "Shows how far a workspace's context is, and how much of the plan is used.",
    options: { ...WORKSPACE, ...REACH },
    examples: ["tributary status", "tributary status --json"],
    load: () => import("../commands/status.ts").then(({ status }) => status)
  },
  {
    name: "keys create",
    summary: "Creates an API key and shows its secret, once.",
    words: { form: "NAME", least: 1, most: 1 },
    options: {
      scope: { value: "SCOPE", meaning: "what it may do; api:read and api:write unless told", repeated: true },
      expires: { value: "TIME", meaning: "from when it is refused, such as 2027-01-31T00:00:00Z; never unless told" },
      ...WORKSPACE,
      ...OPERATOR_REACH
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
    options: { ...WORKSPACE, ...OPERATOR_REACH },
    examples: ["tributary keys list"],
    load: () => import("../commands/keys.ts").then(({ list }) => list)
  },
  {
    name: "keys revoke",
    summary: "Revokes an API key, at once and for ever.",
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
        meaning: "operator:read, operator:write or operator:admin; the first two unless told",
        repeated: true
      },
      expires: { value: "TIME", meaning: "from when it is refused, such as 2027-01-31T00:00:00Z; never unless told" },
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
    summary: "Revokes an operator, at once and for ever.",
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
      account: { value: "ID", meaning: "the account that it belongs to, where there are several" },
      "new-account": { meaning: "creates an account of that name, with its personal workspace" },
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
    summary: "Puts a workspace on another plan: free or pro.",
    words: { form: "ID PLAN", least: 2, most: 2 },
    options: OPERATOR_REACH,
    examples: ["tributary workspaces set-plan 01a1fbf8-f38a-75c4-a86e-875719b564b4 pro"],
    load: () => import("../commands/workspaces.ts").then(({ setPlan }) => setPlan)
  },
  {
    name: "console",
    summary: "Makes a link that signs in to the console, once, within 15 minutes.",
    options: {
      email: { value: "EMAIL", meaning: "whom it signs in; the owner of the account unless told" },
      account: { value: "ID", meaning: "the account, where there are several" },
      ...OPERATOR_REACH
    },
    examples: ["tributary console", "tributary console --email ada@example.com"],
    load: () => import("../commands/console.ts").then(({ console }) => console)
  },
  {
    name: "migrate",
    summary: "Brings the storage that is set up to date. serve does so, too; this is for a step before it.",
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
    summary: "Puts a backup of the embedded database into a data directory without data.",
    words: { form: "FILE", least: 1, most: 1 },
    options: JSON_ONLY,
    examples: ["TRIBUTARY_DATA_DIR=.restored tributary restore /var/backups/tributary.db"],
    load: () => import("../commands/backup.ts").then(({ restore }) => restore)
  },
  {
    name: "doctor",
    summary: "Checks that the storage that is set can be used, and that its bytes are undamaged.",
    options: JSON_ONLY,
    examples: ["tributary doctor"],
    load: () => import("../commands/doctor.ts").then(({ doctor }) => doctor)
  },
  {
    name: "export",
    summary: "Writes the whole store that is set into one file, for another storage or for safe keeping.",
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
    summary: "Fills the storage that is set, which must be empty, with an exported file.",
    words: { form: "FILE", least: 1, most: 1 },
    options: { ...PASSPHRASE, ...JSON_ONLY },
    examples: ["TRIBUTARY_DATABASE_URL=postgres://... tributary import store.tributary"],
    load: () => import("../commands/import.ts").then((module) => module.import)
  },
  {
    name: "completion",
    summary: "Prints what bash, zsh or fish needs to complete commands and options.",
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

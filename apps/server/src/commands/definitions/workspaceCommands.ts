/** The commands for the contents of a workspace, with its key. */
import type { Command } from "../../cli/Command.ts"
import { IN_WORKSPACE } from "./options.ts"

export const workspaceCommands: ReadonlyArray<Command> = [
  {
    name: "ingest",
    summary:
      "Ingests files and folders: text, Markdown, HTML, JSON, PDF, Word, CSV, mails, calendars, and JSONL collections.",
    positionals: { usage: "PATH...", min: 1, max: Infinity },
    options: {
      connector: {
        value: "NAME",
        description: "the connector to push through, created if it does not exist; default: files"
      },
      ...IN_WORKSPACE
    },
    examples: [
      "tributary ingest docs README.md",
      "tributary ingest corpus.jsonl.gz --connector wiki",
      "tributary ingest notes --url https://knowledge.example.com"
    ],
    load: () => import("../ingest.ts").then(({ ingest }) => ingest)
  },
  {
    name: "mcp",
    summary: "Serves a workspace to an assistant over standard input and output (Model Context Protocol).",
    options: {
      "read-only": { description: "omits the tools that add and delete documents" },
      ...IN_WORKSPACE
    },
    examples: [
      "tributary mcp",
      "tributary mcp --read-only",
      "TRIBUTARY_KEY=pk_live_... tributary mcp --url https://knowledge.example.com"
    ],
    load: () => import("../mcp.ts").then(({ mcp }) => mcp)
  },
  {
    name: "connect",
    summary: "Connects a source to pull from, and shows the progress of its first sync.",
    positionals: { usage: "PROVIDER PLACE", min: 1, max: 2 },
    options: {
      name: { value: "NAME", description: "a display name; default: the provider's" },
      days: { value: "N", description: "the number of days to sync back, or all" },
      every: { value: "MINUTES", description: "the time between two syncs" },
      detach: { description: "does not wait for the first sync" },
      ...IN_WORKSPACE
    },
    otherOptions:
      "a field of the provider's configuration; a secret as env:NAME, file:PATH or -, or typed at the prompt",
    examples: [
      "tributary connect files /srv/handbook",
      "tributary connect feed https://example.com/news.rss",
      "tributary connect imap mail.example.com --username ada",
      "tributary connect imap mail.example.com --username ada --password env:MAIL_PASSWORD --json",
      "tributary connect caldav https://calendar.example.com --username ada",
      "tributary connect git https://git.example.com/handbook.git"
    ],
    load: () => import("../connect.ts").then(({ connect }) => connect)
  },
  {
    name: "connections list",
    summary: "Lists connections.",
    options: IN_WORKSPACE,
    examples: ["tributary connections list"],
    load: () => import("../connections.ts").then(({ list }) => list)
  },
  {
    name: "connections sync",
    summary: "Syncs a connection now.",
    positionals: { usage: "ID", min: 1, max: 1 },
    options: { detach: { description: "does not wait for the sync" }, ...IN_WORKSPACE },
    examples: ["tributary connections sync 01a1fbf8-f38a-75c4-a86e-875719b564b4"],
    load: () => import("../connections.ts").then(({ sync }) => sync)
  },
  {
    name: "connections confirm",
    summary: "Confirms the deletion of many documents that are gone at the source of a connection.",
    positionals: { usage: "ID RESOURCE", min: 2, max: 2 },
    options: IN_WORKSPACE,
    examples: ["tributary connections confirm 01a1fbf8-f38a-75c4-a86e-875719b564b4 INBOX"],
    load: () => import("../connections.ts").then(({ confirm }) => confirm)
  },
  {
    name: "connections pause",
    summary: "Pauses a connection until it is resumed.",
    positionals: { usage: "ID", min: 1, max: 1 },
    options: IN_WORKSPACE,
    examples: ["tributary connections pause 01a1fbf8-f38a-75c4-a86e-875719b564b4"],
    load: () => import("../connections.ts").then(({ pause }) => pause)
  },
  {
    name: "connections resume",
    summary: "Resumes a paused connection.",
    positionals: { usage: "ID", min: 1, max: 1 },
    options: IN_WORKSPACE,
    examples: ["tributary connections resume 01a1fbf8-f38a-75c4-a86e-875719b564b4"],
    load: () => import("../connections.ts").then(({ resume }) => resume)
  },
  {
    name: "connections delete",
    summary: "Deletes a connection with its secrets.",
    positionals: { usage: "ID", min: 1, max: 1 },
    options: { documents: { description: "also deletes its documents" }, ...IN_WORKSPACE },
    examples: ["tributary connections delete 01a1fbf8-f38a-75c4-a86e-875719b564b4 --documents"],
    load: () => import("../connections.ts").then(({ remove }) => remove)
  },
  {
    name: "search",
    summary: "Searches documents.",
    positionals: { usage: "QUERY", min: 1, max: Infinity },
    options: {
      limit: { value: "N", description: "the maximum number of results, 1 to 100; default: 10" },
      source: {
        value: "SOURCE",
        description: "only this source: a kind, or custom:NAME of a connector",
        multiple: true
      },
      ...IN_WORKSPACE
    },
    examples: ["tributary search incident report", "tributary search \"error E1042\" --source custom:wiki --json"],
    load: () => import("../search.ts").then(({ search }) => search)
  },
  {
    name: "ask",
    summary: "Answers a question with citations. Without a question, starts a conversation on a terminal.",
    positionals: { usage: "[QUESTION]", min: 0, max: Infinity },
    options: {
      source: {
        value: "SOURCE",
        description: "only this source: a kind, or custom:NAME of a connector",
        multiple: true
      },
      timezone: { value: "NAME", description: "the time zone of dates in the question; default: UTC" },
      language: { value: "TAG", description: "the language of a language model's answer, such as de" },
      ...IN_WORKSPACE
    },
    examples: ["tributary ask \"Who approves a release?\"", "tributary ask"],
    load: () => import("../ask.ts").then(({ ask }) => ask)
  },
  {
    name: "events",
    summary: "Prints document events, one per line, oldest first.",
    options: {
      follow: { description: "prints new events until it is stopped" },
      source: { value: "SOURCE", description: "only this source, such as custom:NAME" },
      kind: { value: "KIND", description: "only this kind of documents" },
      webhook: { value: "ID", description: "instead, the events of every kind that this webhook takes" },
      ...IN_WORKSPACE
    },
    examples: ["tributary events", "tributary events --follow --json --url https://knowledge.example.com"],
    load: () => import("../events.ts").then(({ events }) => events)
  },
  {
    name: "status",
    summary: "Shows the state of a workspace's context and its usage of the plan.",
    options: IN_WORKSPACE,
    examples: ["tributary status", "tributary status --json"],
    load: () => import("../status.ts").then(({ status }) => status)
  }
]

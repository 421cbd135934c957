/** The commands that look back at who did what. */
import type { Command } from "./Command.ts"
import { OPERATOR_REACH, REACH, WORKSPACE } from "./options.ts"

export const auditCommands: ReadonlyArray<Command> = [
  {
    name: "audit verify",
    summary: "Checks that the log of what operators did is whole, or says where it breaks.",
    options: {
      contains: { value: "HASH", meaning: "the hash of an entry that was noted elsewhere, and must be there still" },
      ...OPERATOR_REACH
    },
    examples: ["tributary audit verify", "tributary audit verify --json"],
    load: () => import("../commands/audit.ts").then(({ verify }) => verify)
  },
  {
    name: "audit export",
    summary: "Prints the log of what operators did, a line of JSON for each entry.",
    options: {
      after: { value: "N", meaning: "begins after the entry with this sequence" },
      follow: { meaning: "waits for further entries until it is told to stop" },
      ...OPERATOR_REACH
    },
    examples: ["tributary audit export > audit.jsonl", "tributary audit export --after 120 --follow"],
    load: () => import("../commands/audit.ts").then(({ exportLines }) => exportLines)
  },
  {
    name: "audit entries",
    summary:
      "Prints who did what in a workspace, of the personal one in its account: newest first, a line of JSON for each.",
    words: { form: "[WORD...]", least: 0, most: Infinity },
    options: {
      action: {
        value: "ACTION",
        meaning: "only this, such as api_key.created; session stands for session.started and the like",
        repeated: true
      },
      actor: { value: "ID", meaning: "only what this user or key did" },
      subject: { value: "ID", meaning: "only what was done to this" },
      from: { value: "TIME", meaning: "only what was done then or later, such as 2027-01-31T00:00:00Z" },
      to: { value: "TIME", meaning: "only what was done before" },
      ...WORKSPACE,
      ...REACH
    },
    examples: [
      "tributary audit entries > audit.jsonl",
      "tributary audit entries --action sign_in --from 2027-01-01T00:00:00Z"
    ],
    load: () => import("../commands/auditEntries.ts").then(({ entries }) => entries)
  }
]

/** The commands for the log of operators and the audit log. */
import type { Command } from "../../cli/Command.ts"
import { IN_WORKSPACE, OPERATOR_REACH } from "./options.ts"

export const auditCommands: ReadonlyArray<Command> = [
  {
    name: "audit verify",
    summary: "Verifies the hash chain of the operator log, or reports where it breaks.",
    options: {
      contains: { value: "HASH", description: "the hash of an entry, stored elsewhere, that the log must contain" },
      ...OPERATOR_REACH
    },
    examples: ["tributary audit verify", "tributary audit verify --json"],
    load: () => import("../audit.ts").then(({ verify }) => verify)
  },
  {
    name: "audit export",
    summary: "Prints the operator log, one line of JSON per entry.",
    options: {
      after: { value: "N", description: "starts after the entry with this sequence" },
      follow: { description: "waits for further entries until it is stopped" },
      ...OPERATOR_REACH
    },
    examples: ["tributary audit export > audit.jsonl", "tributary audit export --after 120 --follow"],
    load: () => import("../audit.ts").then(({ exportLines }) => exportLines)
  },
  {
    name: "audit entries",
    summary:
      "Prints the audit log of a workspace, newest first, one line of JSON per entry; of a personal one, that of the account.",
    positionals: { usage: "[WORD...]", min: 0, max: Infinity },
    options: {
      action: {
        value: "ACTION",
        description: "only this action, such as api_key.created; session covers session.started and the like",
        multiple: true
      },
      actor: { value: "ID", description: "only actions of this user or key" },
      subject: { value: "ID", description: "only actions on this id" },
      from: { value: "TIME", description: "only entries at or after this time, such as 2027-01-31T00:00:00Z" },
      to: { value: "TIME", description: "only entries before this time" },
      ...IN_WORKSPACE
    },
    examples: [
      "tributary audit entries > audit.jsonl",
      "tributary audit entries --action sign_in --from 2027-01-01T00:00:00Z"
    ],
    load: () => import("../audit.ts").then(({ entries }) => entries)
  }
]

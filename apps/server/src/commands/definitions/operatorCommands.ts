/** The commands for keys, operators, their logs and workspaces. */
import { auditCommands } from "./auditCommands.ts"
import type { Command } from "../../cli/Command.ts"
import { ABOUT_WORKSPACE, OPERATOR_REACH } from "./options.ts"

export const operatorCommands: ReadonlyArray<Command> = [
  {
    name: "keys create",
    summary: "Creates an API key and shows its secret, once.",
    positionals: { usage: "NAME", min: 1, max: 1 },
    options: {
      scope: { value: "SCOPE", description: "a scope of the key; default: api:read and api:write", multiple: true },
      expires: { value: "TIME", description: "the expiry, such as 2027-01-31T00:00:00Z; default: never" },
      ...ABOUT_WORKSPACE
    },
    examples: [
      "tributary keys create laptop",
      "tributary keys create importer --scope custom_connectors:read --scope custom_connectors:ingest"
    ],
    load: () => import("../keys.ts").then(({ create }) => create)
  },
  {
    name: "keys list",
    summary: "Lists the API keys of a workspace, without their secrets.",
    options: ABOUT_WORKSPACE,
    examples: ["tributary keys list"],
    load: () => import("../keys.ts").then(({ list }) => list)
  },
  {
    name: "keys revoke",
    summary: "Revokes an API key, at once and permanently.",
    positionals: { usage: "KEY_ID", min: 1, max: 1 },
    options: OPERATOR_REACH,
    examples: ["tributary keys revoke 01a1fbf8-f38a-75c4-a86e-875719b564b4"],
    load: () => import("../keys.ts").then(({ revoke }) => revoke)
  },
  {
    name: "keys rewrap",
    summary: "Encrypts the secrets of all connections and webhooks with the first of TRIBUTARY_ENCRYPTION_KEYS.",
    options: OPERATOR_REACH,
    examples: ["tributary keys rewrap"],
    load: () => import("../keys.ts").then(({ rewrap }) => rewrap)
  },
  {
    name: "operators create",
    summary: "Creates an operator and shows its token, once.",
    positionals: { usage: "NAME", min: 1, max: 1 },
    options: {
      scope: {
        value: "SCOPE",
        description: "operator:read, operator:write or operator:admin; default: the first two",
        multiple: true
      },
      expires: { value: "TIME", description: "the expiry, such as 2027-01-31T00:00:00Z; default: never" },
      ...OPERATOR_REACH
    },
    examples: [
      "tributary operators create ada",
      "tributary operators create monitoring --scope operator:read --expires 2027-01-31T00:00:00Z"
    ],
    load: () => import("../operators.ts").then(({ create }) => create)
  },
  {
    name: "operators list",
    summary: "Lists the operators, without their tokens.",
    options: OPERATOR_REACH,
    examples: ["tributary operators list"],
    load: () => import("../operators.ts").then(({ list }) => list)
  },
  {
    name: "operators revoke",
    summary: "Revokes an operator, at once and permanently.",
    positionals: { usage: "OPERATOR_ID", min: 1, max: 1 },
    options: OPERATOR_REACH,
    examples: ["tributary operators revoke 01a1fbf8-f38a-75c4-a86e-875719b564b4"],
    load: () => import("../operators.ts").then(({ revoke }) => revoke)
  },
  ...auditCommands,
  {
    name: "workspaces create",
    summary: "Creates a shared workspace in the account, or an account with its personal workspace.",
    positionals: { usage: "NAME", min: 1, max: 1 },
    options: {
      account: { value: "ID", description: "the account of the workspace, if there are several" },
      "new-account": { description: "creates an account with that name and its personal workspace" },
      ...OPERATOR_REACH
    },
    examples: ["tributary workspaces create Design", "tributary workspaces create Acme --new-account"],
    load: () => import("../workspaces.ts").then(({ create }) => create)
  },
  {
    name: "workspaces list",
    summary: "Lists the workspaces of all accounts.",
    options: OPERATOR_REACH,
    examples: ["tributary workspaces list"],
    load: () => import("../workspaces.ts").then(({ list }) => list)
  },
  {
    name: "workspaces set-plan",
    summary: "Changes the plan of a workspace: free or pro.",
    positionals: { usage: "ID PLAN", min: 2, max: 2 },
    options: OPERATOR_REACH,
    examples: ["tributary workspaces set-plan 01a1fbf8-f38a-75c4-a86e-875719b564b4 pro"],
    load: () => import("../workspaces.ts").then(({ setPlan }) => setPlan)
  },
  {
    name: "console",
    summary: "Creates a link that signs in to the console, once, within 15 minutes.",
    options: {
      email: { value: "EMAIL", description: "the user to sign in; default: the owner of the account" },
      account: { value: "ID", description: "the account, if there are several" },
      ...OPERATOR_REACH
    },
    examples: ["tributary console", "tributary console --email ada@example.com"],
    load: () => import("../console.ts").then(({ console }) => console)
  }
]

/** Options that many commands have. */
import type { Options } from "../../cli/Command.ts"

export const JSON_ONLY: Options = { json: { description: "prints JSON and nothing else on standard output" } }

/** Where a command finds the service: a server's address, or else the configured storage. */
const REACH: Options = {
  url: { value: "URL", description: "the server to call; default: TRIBUTARY_URL, else the configured storage" },
  key: {
    value: "KEY",
    description: "the API key or token; default: TRIBUTARY_KEY, which other users of the host cannot see"
  },
  ...JSON_ONLY
}

export const OPERATOR_REACH: Options = {
  ...REACH,
  key: { value: "TOKEN", description: "an operator's token for that server; default: TRIBUTARY_ADMIN_TOKEN" }
}

export const PASSPHRASE: Options = {
  "passphrase-file": { value: "FILE", description: "encrypts and decrypts with the passphrase in this file" }
}

const WORKSPACE: Options = {
  workspace: { value: "ID", description: "the workspace, if there are several" }
}

/** Of a command in one workspace, with its key. */
export const IN_WORKSPACE: Options = { ...WORKSPACE, ...REACH }

/** Of a command that an operator calls about one workspace. */
export const ABOUT_WORKSPACE: Options = { ...WORKSPACE, ...OPERATOR_REACH }

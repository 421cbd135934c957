/** Shared by export and import: the storage, and the report. */
import { readProblem, writeProblem } from "@tributary/node/fileProblem"
import * as Effect from "effect/Effect"
import { lstatSync } from "node:fs"
import type { Arguments, Report } from "../../cli/Command.ts"
import { calledWrongly, failed } from "../../UsageError.ts"
import { counted } from "../../cli/printing.ts"
import { secretIn } from "../../settings/secretFiles.ts"
import * as Settings from "../../settings/Settings.ts"
import type { DurableStorage } from "../../storage/Storage.ts"

export const durableSettings = Effect.gen(function*() {
  const settings = yield* Settings.load
  const { storage } = settings
  if (storage.kind === "memory") {
    return yield* calledWrongly("With TRIBUTARY_STORAGE=memory there is no store to export or import. Set another one.")
  }
  return { ...settings, storage: storage satisfies DurableStorage }
})

/** Attacks are offline and unlimited, so shorter passphrases give no protection. */
const SHORTEST_PASSPHRASE = 12

/** The passphrase in the file that --passphrase-file names; null without it. */
export const passphraseOf = Effect.fnUntraced(function*(args: Arguments) {
  const path = args.value("passphrase-file")
  if (path === undefined) return null
  const passphrase = yield* secretIn("--passphrase-file", path)
  if (passphrase.length >= SHORTEST_PASSPHRASE) return passphrase
  return yield* failed(`--passphrase-file: a passphrase has at least ${SHORTEST_PASSPHRASE} characters.`)
})

export const writing = <A>(path: string, act: () => Promise<A>) =>
  Effect.tryPromise({ try: act, catch: (error) => failed(`${path} cannot be written: ${writeProblem(error)}.`) })

export const reading = <A>(path: string, act: () => Promise<A>) =>
  Effect.tryPromise({ try: act, catch: (error) => failed(`${path} cannot be read: ${readProblem(error)}.`) })

const isThere = (path: string): boolean => {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** Also a link to nothing is there. */
export const requireNew = (path: string) =>
  isThere(path) ? Effect.fail(failed(`${path} is there already. Choose another name, or remove it.`)) : Effect.void

export const reportOf = (
  verb: string,
  place: string,
  file: string,
  rows: Readonly<Record<string, number>>,
  { note, seconds }: { readonly seconds: number; readonly note: string }
): Report => {
  const { accounts = 0, api_keys = 0, documents = 0, events = 0, workspaces = 0 } = rows
  const what = [
    counted(workspaces, "workspace"),
    counted(api_keys, "key"),
    counted(documents, "document"),
    counted(events, "event")
  ]
  return {
    json: { file, accounts, workspaces, api_keys, documents, events, seconds },
    text: `${verb} ${what.slice(0, -1).join(", ")} and ${what.at(-1)} from ${place} in ${seconds.toFixed(1)} s.${note}`
  }
}

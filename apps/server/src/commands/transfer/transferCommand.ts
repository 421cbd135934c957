/** Shared by export and import: the storage, and the report. */
import { errorMessage } from "@tributary/node/errors"
import * as Effect from "effect/Effect"
import type { Arguments, Report } from "../../cli/Command.ts"
import { calledWrongly, failed } from "../../UsageError.ts"
import { counted } from "../../cli/printing.ts"
import { secretIn } from "../../settings/secretFiles.ts"
import * as Settings from "../../settings/Settings.ts"
import type { DurableStorage } from "../../storage/Storage.ts"

export const durableStorage = Effect.gen(function*() {
  const { storage } = yield* Settings.load
  if (storage.kind === "memory") {
    return yield* calledWrongly("With TRIBUTARY_STORAGE=memory there is no store to export or import. Set another one.")
  }
  return storage satisfies DurableStorage
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

/** File system errors, with the name of the file. */
export const onFile = <A>(path: string, act: () => Promise<A>) =>
  Effect.tryPromise({ try: act, catch: (error) => failed(`${path}: ${errorMessage(error)}`) })

export const reportOf = (
  verb: string,
  place: string,
  file: string,
  rows: Readonly<Record<string, number>>,
  seconds: number
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
    text: `${verb} ${what.slice(0, -1).join(", ")} and ${what.at(-1)} from ${place} in ${seconds.toFixed(1)} s.`
  }
}

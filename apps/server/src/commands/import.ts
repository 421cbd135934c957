/** `tributary import`: fills an empty store with an exported file, of any kind of storage. */
import { rebuildJob } from "@tributary/core/KnowledgeContext"
import { verifyExport } from "@tributary/core/transfer/TransferFormat"
import * as Effect from "effect/Effect"
import { resolve } from "node:path"
import type { Arguments } from "../cli/Command.ts"
import { ProgressBar } from "../cli/ProgressBar.ts"
import { failed } from "../UsageError.ts"
import * as Storage from "../storage/Storage.ts"
import { recorded } from "../storage/recording.ts"
import { bringKey } from "./transfer/keyNotes.ts"
import { readStoreFile, sizeOf } from "./transfer/readStoreFile.ts"
import { durableSettings, passphraseOf, reading, reportOf } from "./transfer/transferCommand.ts"

/** The file is read twice, so that an incomplete one changes nothing. */
const importFrom = Effect.fnUntraced(function*(args: Arguments) {
  const [path = ""] = args.positionals
  const passphrase = yield* passphraseOf(args)
  const settings = yield* durableSettings
  const { storage } = settings
  const size = Math.max(1, yield* reading(path, () => sizeOf(path)))
  const bar = new ProgressBar()
  const lines = (doing: string) =>
    readStoreFile(path, { passphrase, onBytes: (bytes) => bar.show(bytes / size, doing) })
  const refused = ({ message }: { readonly message: string }) => Effect.fail(failed(`${path}: ${message}`))
  const started = performance.now()
  const rows = yield* verifyExport(lines("checking")).pipe(
    Effect.andThen(Storage.importStore(storage, { lines: lines("importing"), buildJob: rebuildJob })),
    Effect.catchTag("ImportRefused", refused),
    Effect.ensuring(Effect.sync(() => bar.clear()))
  )
  yield* recorded(storage, "import", { file: resolve(path) })
  const seconds = (performance.now() - started) / 1_000
  const { connections = 0, webhooks = 0 } = rows
  return reportOf("Imported", `${path} into ${Storage.nameOf(storage)}`, path, rows, {
    seconds,
    note: connections + webhooks > 0 ? bringKey(settings) : ""
  })
})

export { importFrom as import }

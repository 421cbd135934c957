/** `tributary export`: the whole store in one file, as of one moment. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { resolve } from "node:path"
import type { Arguments } from "../cli/Command.ts"
import { ProgressBar } from "../cli/ProgressBar.ts"
import * as Storage from "../storage/Storage.ts"
import { recording } from "../storage/recording.ts"
import { requireData } from "../storage/requireData.ts"
import { count } from "../cli/printing.ts"
import { keepKey } from "./transfer/keyNotes.ts"
import { StoreFile } from "./transfer/StoreFile.ts"
import { durableSettings, passphraseOf, reportOf, requireNew, writing } from "./transfer/transferCommand.ts"

const write = (path: string, storage: Storage.DurableStorage, passphrase: string | null) =>
  Effect.acquireUseRelease(
    Effect.sync(() => ({ bar: new ProgressBar(), file: new StoreFile(path, passphrase) })),
    ({ bar, file }) =>
      Storage.exportStore(storage, {
        write: (lines, done, total) =>
          Effect.andThen(
            writing(path, () => file.write(lines)),
            Effect.sync(() => bar.show(done / Math.max(1, total), `${count(done)} rows`))
          )
      }).pipe(
        Effect.tap(() => writing(path, () => file.finish()))
      ),
    ({ bar, file }, exit) =>
      Effect.andThen(
        Effect.sync(() => bar.clear()),
        Exit.isSuccess(exit) ? Effect.void : Effect.promise(() => file.abandon())
      )
  )

const exportTo = Effect.fnUntraced(function*(args: Arguments) {
  const [path = ""] = args.positionals
  const passphrase = yield* passphraseOf(args)
  const settings = yield* durableSettings
  const { storage } = settings
  yield* requireNew(path)
  yield* requireData(storage)
  const started = performance.now()
  const request = { file: resolve(path), encrypted: passphrase !== null }
  const rows = yield* recording(storage, "export", request)(write(path, storage, passphrase))
  const seconds = (performance.now() - started) / 1_000
  return reportOf("Exported", `${Storage.nameOf(storage)} to ${path}`, path, rows, {
    seconds,
    note: keepKey(settings)
  })
})

export { exportTo as export }

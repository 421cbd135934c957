/** The keys that secrets of connections are kept with: those that are set, or one that is made for a store of its own. */
import * as SecretBox from "@tributary/core/SecretBox"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { randomBytes } from "node:crypto"
import { open, readFile, rename } from "node:fs/promises"
import { join } from "node:path"
import type { Settings } from "../settings/Settings.ts"
import { UsageError } from "../command/UsageError.ts"
import { Store } from "./Store.ts"

const FILE = "encryption.key"

/** Readable only by its owner. */
const MODE = 0o600

const toKey = (text: string) => Redacted.make(Uint8Array.from(Buffer.from(text, "base64")))

const newKey = (): string => randomBytes(SecretBox.KEY_BYTES).toString("base64")

const isAbsent = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT"

const written = async (path: string, text: string): Promise<void> => {
  const file = await open(path, "w", MODE)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Whenever the machine stops, it is there as a whole, or not at all. */
const makeKey = async (directory: string, path: string): Promise<string> => {
  const text = newKey()
  const unfinished = `${path}.unfinished`
  await written(unfinished, text)
  await rename(unfinished, path)
  // Windows cannot open directories, and needs no sync for them.
  if (process.platform !== "win32") {
    const names = await open(directory, "r")
    await names.sync().finally(() => names.close())
  }
  return text
}

/** Creates the key of the store, once; the caller holds the directory's lock. */
const keptIn = async (directory: string, path: string): Promise<string> => {
  try {
    return (await readFile(path, "utf8")).trim()
  } catch (error) {
    if (isAbsent(error)) return makeKey(directory, path)
    throw error
  }
}

const ownKey = Effect.fnUntraced(function*(directory: string) {
  const path = join(directory, FILE)
  const key = toKey(
    yield* Effect.tryPromise({
      try: () => keptIn(directory, path),
      catch: () =>
        new UsageError({ message: `The key of the store, ${path}, can neither be read nor made.`, exitCode: 1 })
    })
  )
  const bytes = Redacted.value(key).length
  if (bytes === SecretBox.KEY_BYTES) return key
  return yield* new UsageError({
    message: bytes === 0
      ? `${path} is empty. Restore it from a backup; if there were no connections yet, delete it, and it is made anew.`
      : `${path} is no key: it must hold 32 bytes in base64.`,
    exitCode: 1
  })
})

const keysOf = ({ encryptionKeys, storage }: Settings) => {
  if (Option.isSome(encryptionKeys)) {
    return Effect.succeed(Redacted.value(encryptionKeys.value).split(",").map((text) => toKey(text.trim())))
  }
  switch (storage.kind) {
    case "memory":
      return Effect.succeed([toKey(newKey())])
    case "embedded":
      return Effect.map(ownKey(storage.directory), (key) => [key])
    // A key beside one of several servers would open nothing for the others.
    case "postgres":
      return Effect.succeed([])
  }
}

/** After the store is held, so that two processes do not both make a key. */
export const layer = (settings: Settings) =>
  Layer.unwrap(Effect.andThen(Store, Effect.map(keysOf(settings), SecretBox.layer)))

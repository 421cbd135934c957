/** The encryption key of a data directory, for the secrets of connections and webhooks. */
import * as SecretBox from "@tributary/core/SecretBox"
import { Effect, Layer, Redacted, Schema } from "effect"
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { DataDirectory } from "./DataDirectory.ts"
import { errorCode } from "./errors.ts"
import { writeProblem } from "./fileProblem.ts"
import { writeDurably } from "./internal/durableFile.ts"

export class EncryptionKeyUnusable extends Schema.TaggedError<EncryptionKeyUnusable>()("EncryptionKeyUnusable", {
  message: Schema.String
}) {}

const FILE = "encryption.key"

const readOrMake = (directory: string, path: string): string => {
  try {
    return readFileSync(path, "utf8").trim()
  } catch (error) {
    if (errorCode(error) !== "ENOENT") throw error
    const text = randomBytes(SecretBox.KEY_BYTES).toString("base64")
    writeDurably(directory, FILE, text)
    return text
  }
}

/** Reads the key of a directory, or creates it. The caller holds the directory's lock. */
export const keyIn = Effect.fnUntraced(function*(directory: string) {
  const path = join(directory, FILE)
  const text = yield* Effect.try({
    try: () => readOrMake(directory, path),
    catch: (error) =>
      new EncryptionKeyUnusable({
        message: `The encryption key ${path} can neither be read nor created: ${writeProblem(error)}.`
      })
  })
  const key = Uint8Array.from(Buffer.from(text, "base64"))
  if (key.length === SecretBox.KEY_BYTES) return Redacted.make(key)
  return yield* new EncryptionKeyUnusable({
    message: key.length === 0
      ? `${path} is empty. Restore it from a backup; if there are no connections yet, delete it: a new one is then created.`
      : `${path} is no key: it must hold 32 bytes in base64.`
  })
})

/** Encrypts secrets with the key of the data directory. */
export const layer = Layer.unwrap(
  Effect.gen(function*() {
    const { path } = yield* DataDirectory
    return SecretBox.layer([yield* keyIn(path)])
  })
)

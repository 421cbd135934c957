/** The encryption keys of the server: those of its settings, or the key of its data directory. */
import * as SecretBox from "@tributary/core/SecretBox"
import { keyIn } from "@tributary/node/EncryptionKey"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { randomBytes } from "node:crypto"
import type { Settings } from "../settings/Settings.ts"
import { failed } from "../UsageError.ts"
import { Store } from "./Store.ts"

const toKey = (text: string) => Redacted.make(Uint8Array.from(Buffer.from(text, "base64")))

const keyOfDirectory = (directory: string) => keyIn(directory).pipe(Effect.mapError(({ message }) => failed(message)))

const keysOf = ({ encryptionKeys, storage }: Settings) => {
  if (Option.isSome(encryptionKeys)) {
    return Effect.succeed(Redacted.value(encryptionKeys.value).split(",").map((text) => toKey(text.trim())))
  }
  switch (storage.kind) {
    case "memory":
      return Effect.succeed([Redacted.make(Uint8Array.from(randomBytes(SecretBox.KEY_BYTES)))])
    case "embedded":
      return Effect.map(keyOfDirectory(storage.directory), (key) => [key])
    // A key on one of several servers would decrypt nothing for the others.
    case "postgres":
      return Effect.succeed([])
  }
}

/** After the store is held, so that two processes do not both create a key. */
export const layer = (settings: Settings) =>
  Layer.unwrap(Effect.andThen(Store, Effect.map(keysOf(settings), SecretBox.layer)))

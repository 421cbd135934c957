/** What to do about encryption keys, which no backup and no export contains. */
import * as Option from "effect/Option"
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Settings } from "../../settings/Settings.ts"

const keyFile = (directory: string): string => join(directory, "encryption.key")

/** For the report of a command that copied the store. */
export const keepKey = ({ storage }: Settings): string => {
  if (storage.kind !== "embedded" || !existsSync(keyFile(storage.directory))) return ""
  return ` Secrets of connections and webhooks need ${keyFile(storage.directory)}, too: keep a copy of it elsewhere.`
}

/** For the report of a command that filled the store, because a server would begin with a new key. */
export const bringKey = ({ encryptionKeys, storage }: Settings): string => {
  const file = storage.kind === "embedded" ? keyFile(storage.directory) : null
  if (Option.isSome(encryptionKeys) || (file !== null && existsSync(file))) return ""
  const how = file === null ? "set TRIBUTARY_ENCRYPTION_KEYS to it" : `copy it to ${file}`
  return ` Secrets of connections and webhooks need the key of the store that they come from: ${how} before a server starts.`
}

/** Secrets in files, as container platforms provide them: `NAME_FILE` is the path of the file with `NAME`. */
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { firstBytes } from "../firstBytes.ts"
import { failed } from "../UsageError.ts"

const MAX_BYTES = 65_536

export const fileVariable = (variable: string): string => `${variable}_FILE`

/** The secret in a file, without its last line end; `name` is the variable with the path. */
export const secretIn = Effect.fnUntraced(function*(name: string, path: string) {
  const bytes = yield* Effect.tryPromise({
    try: () => firstBytes(path, MAX_BYTES + 1),
    catch: () => failed(`${name} must be the path of a file that can be read.`)
  })
  if (bytes.length > MAX_BYTES) {
    return yield* failed(`${name}: the file must have at most ${MAX_BYTES} bytes.`)
  }
  const secret = bytes.toString("utf8").replace(/\r?\n$/, "")
  return secret === "" ? yield* failed(`${name}: the file is empty.`) : secret
})

const setTo = (variable: string) =>
  Effect.orElseSucceed(Config.option(Config.NonEmptyString(variable)), Option.none<string>)

const secretOf = Effect.fnUntraced(function*(variable: string) {
  const path = yield* setTo(fileVariable(variable))
  if (Option.isNone(path)) return []
  if (Option.isSome(yield* setTo(variable))) {
    return yield* failed(`${variable}, ${fileVariable(variable)}: only one of them can be set.`)
  }
  return [[variable, yield* secretIn(fileVariable(variable), path.value)] as const]
})

/** The environment, including the secrets in files. */
export const withSecretFiles = Effect.fnUntraced(function*(variables: ReadonlyArray<string>) {
  const secrets = yield* Effect.forEach(variables, secretOf)
  return ConfigProvider.orElse(
    ConfigProvider.fromEnv({ env: Object.fromEntries(secrets.flat()) }),
    yield* ConfigProvider.ConfigProvider
  )
})

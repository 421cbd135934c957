/** The forms of a connection's configuration: as sent, as stored, and as its provider gets it. */
import { Effect, Record, Redacted, Result, Schema, SchemaParser } from "effect"
import { BadRequest, InvalidConfig, Unprocessable } from "../model/Error.ts"
import type { ConnectionId, WorkspaceId } from "../model/Id.ts"
import type { ConnectionRecord } from "../ports/ConnectionStore.ts"
import { FatalFailure, type Provider, secretFields, shownParts } from "../ports/Provider.ts"
import { placeOf } from "../secrets/rewrapSecret.ts"
import type { Box } from "../secrets/SecretBox.ts"
import { canonicalJson } from "../internal/canonicalJson.ts"

export type Fields = Readonly<Record<string, Schema.Json>>

/** The maximum size as JSON. */
const MAX_LENGTH = 65_536

export const providerOf = (
  providers: ReadonlyArray<Provider>,
  name: string
): Effect.Effect<Provider, Unprocessable> => {
  const found = providers.find(({ provider }) => provider === name)
  if (found !== undefined) return Effect.succeed(found)
  const known = providers.map(({ provider }) => `'${provider}'`).join(", ")
  return Effect.fail(
    new Unprocessable({
      message: known === ""
        ? "This server offers no providers."
        : `This server offers no provider of that name. It offers ${known}.`
    })
  )
}

/** The readable part of a configuration, and the encrypted secrets. */
const split = (provider: Provider, fields: Fields) => {
  const secret = secretFields(provider)
  const parts = shownParts(provider)
  const open: Record<string, Schema.Json> = {}
  const secrets: Record<string, Schema.Json> = {}
  for (const [name, value] of Object.entries(fields)) {
    const shown = typeof value === "string" ? parts.get(name)?.(value) ?? value : value
    if (secret.has(name) || shown !== value) secrets[name] = value
    if (!secret.has(name)) open[name] = shown
  }
  return { open, secrets }
}

/** Decodes a configuration from a client, with all of its problems. */
export const readConfig = (
  provider: Provider,
  sent: Fields
): Effect.Effect<
  { readonly config: unknown; readonly open: Fields; readonly secrets: Fields },
  BadRequest | InvalidConfig
> =>
  Effect.gen(function*() {
    if (JSON.stringify(sent).length > MAX_LENGTH) {
      return yield* new BadRequest({ message: "The configuration is too long: it may have 65,536 characters of JSON." })
    }
    const decoded = SchemaParser.decodeResult(provider.config)(sent, {
      onExcessProperty: "error",
      errors: "all"
    })
    if (Result.isFailure(decoded)) return yield* new InvalidConfig({ issue: decoded.failure, config: sent })
    return { config: decoded.success, ...split(provider, sent) }
  })

const Secrets = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Json))

export const sealSecrets = (box: Box, workspaceId: WorkspaceId, connectionId: ConnectionId, secrets: Fields) =>
  Object.keys(secrets).length === 0
    ? Effect.succeed(null)
    : box.seal(Redacted.make(JSON.stringify(secrets)), placeOf(workspaceId, connectionId))

/** The decrypted secrets of a connection. */
export const openSecrets = Effect.fnUntraced(
  function*(box: Box, workspaceId: WorkspaceId, { connection_id, secrets }: ConnectionRecord) {
    if (secrets === null) return {} as Fields
    const { text } = yield* box.open(secrets, placeOf(workspaceId, connection_id))
    return yield* Effect.orDie(Schema.decodeEffect(Secrets)(Redacted.value(text)))
  }
)

/** Merges a new configuration with the stored one. Omitted secrets are kept only if nothing else changes. */
export const replacedConfig = Effect.fnUntraced(
  function*(box: Box, workspaceId: WorkspaceId, connection: ConnectionRecord, sent: Fields) {
    // Secrets that cannot be decrypted must be sent again.
    const kept = yield* Effect.orElseSucceed(openSecrets(box, workspaceId, connection), (): Fields => ({}))
    const present = { ...connection.config, ...kept }
    // The shown part refers to the stored value.
    const isShown = (name: string) => name in kept && sent[name] === connection.config[name]
    const brought = Record.filter(sent, (_, name) => !isShown(name))
    const left = Record.filter(kept, (_, name) => !(name in connection.config) || isShown(name))
    const stays = canonicalJson({ ...left, ...brought }) === canonicalJson(present)
    return stays ? present : brought
  }
)

/** A connection's configuration as its provider gets it. */
export const openConfig = Effect.fnUntraced(
  function*(box: Box, provider: Provider, workspaceId: WorkspaceId, connection: ConnectionRecord) {
    const secrets = yield* Effect.mapError(
      openSecrets(box, workspaceId, connection),
      ({ message }) => new FatalFailure({ message })
    )
    const { config } = yield* Effect.mapError(
      readConfig(provider, { ...connection.config, ...secrets }),
      () => new FatalFailure({ message: "The stored configuration is not what the provider takes any more." })
    )
    return config
  }
)

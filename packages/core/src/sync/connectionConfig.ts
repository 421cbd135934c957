/** A connection's configuration between its forms: as it is sent, as it is kept, and as its provider takes it. */
import { Effect, Record, Redacted, Result, Schema, SchemaParser } from "effect"
import { BadRequest, InvalidConfig, Unprocessable } from "../model/Error.ts"
import type { WorkspaceId } from "../model/Id.ts"
import type { ConnectionRecord } from "../ports/ConnectionStore.ts"
import { FatalFailure, type Provider, secretFields, shownParts } from "../ports/Provider.ts"
import type { SecretBox } from "./SecretBox.ts"
import { fingerprint } from "../ingest/fingerprint.ts"

type Box = typeof SecretBox["Service"]

type Fields = Readonly<Record<string, Schema.Json>>

/** As much JSON as a configuration may be. */
const MOST = 65_536

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

/** What may be told of a configuration, and what is sealed, whole, because not all of it may. */
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

/** Reads a configuration that a client sent, with all that is wrong with it. */
export const readConfig = (
  provider: Provider,
  sent: Fields
): Effect.Effect<
  { readonly config: unknown; readonly open: Fields; readonly secrets: Fields },
  BadRequest | InvalidConfig
> =>
  Effect.gen(function*() {
    if (JSON.stringify(sent).length > MOST) {
      return yield* new BadRequest({ message: "The configuration is too long: it may have 65,536 characters of JSON." })
    }
    const decoded = SchemaParser.decodeResult(provider.config)(sent, {
      onExcessProperty: "error",
      errors: "all"
    })
    if (Result.isFailure(decoded)) return yield* new InvalidConfig({ issue: decoded.failure, judged: sent })
    return { config: decoded.success, ...split(provider, sent) }
  })

export const placeOf = (workspaceId: WorkspaceId, connectionId: string): string => `${workspaceId}/${connectionId}`

const Secrets = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Json))

export const sealSecrets = (box: Box, workspaceId: WorkspaceId, connectionId: string, secrets: Fields) =>
  Object.keys(secrets).length === 0
    ? Effect.succeed(null)
    : box.seal(Redacted.make(JSON.stringify(secrets)), placeOf(workspaceId, connectionId))

/** The secrets of a connection in the clear. */
const openSecrets = Effect.fnUntraced(
  function*(box: Box, workspaceId: WorkspaceId, { connection_id, secrets }: ConnectionRecord) {
    if (secrets === null) return {} as Fields
    const { text } = yield* box.open(secrets, placeOf(workspaceId, connection_id))
    return yield* Effect.orDie(Schema.decodeEffect(Secrets)(Redacted.value(text)))
  }
)

/**
 * What a configuration that was sent in the place of another means. Secrets that it leaves out stay as they are only
 * where all else stays, too.
 */
export const replacing = Effect.fnUntraced(
  function*(box: Box, workspaceId: WorkspaceId, connection: ConnectionRecord, sent: Fields) {
    // Those that no key opens have to be brought along.
    const kept = yield* Effect.orElseSucceed(openSecrets(box, workspaceId, connection), (): Fields => ({}))
    const present = { ...connection.config, ...kept }
    // What was shown of one stands for the whole.
    const isShown = (name: string) => name in kept && sent[name] === connection.config[name]
    const brought = Record.filter(sent, (_, name) => !isShown(name))
    const left = Record.filter(kept, (_, name) => !(name in connection.config) || isShown(name))
    const stays = (yield* fingerprint({ ...left, ...brought })) === (yield* fingerprint(present))
    return stays ? present : brought
  }
)

/** A connection's configuration as its provider takes it. */
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

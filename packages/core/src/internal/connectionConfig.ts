/** A connection's configuration between its forms: as it is sent, as it is kept, and as its provider takes it. */
import { Effect, Redacted, Result, Schema, SchemaParser, Struct } from "effect"
import { BadRequest, InvalidConfig, Unprocessable } from "../model/Error.ts"
import type { WorkspaceId } from "../model/Id.ts"
import type { ConnectionRecord } from "../ports/ConnectionStore.ts"
import { FatalFailure, type Provider, secretFields } from "../ports/Provider.ts"
import type { SecretBox } from "../SecretBox.ts"

type Box = typeof SecretBox["Service"]

type Fields = Readonly<Record<string, Schema.Json>>

/** What may be told of a secret. */
const HIDDEN = "**********"

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

const split = (provider: Provider, fields: Fields) => {
  const secret = secretFields(provider)
  const part = (wanted: boolean) =>
    Object.fromEntries(Object.entries(fields).filter(([name]) => secret.has(name) === wanted))
  return { open: part(false), secrets: part(true) }
}

/** What of a configuration is no secret. */
export const openPart = (provider: Provider, fields: Fields): Fields => split(provider, fields).open

/** Reads a configuration that a client sent; whatever is wrong with it is told without what is secret. */
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
    const parts = split(provider, sent)
    if (Result.isFailure(decoded)) {
      const shown = { ...sent, ...Struct.Record(Object.keys(parts.secrets), HIDDEN) }
      return yield* new InvalidConfig({ issue: decoded.failure, judged: sent, shown })
    }
    return { config: decoded.success, ...parts }
  })

const placeOf = (workspaceId: WorkspaceId, connectionId: string): string => `${workspaceId}/${connectionId}`

const Secrets = Schema.fromJsonString(Schema.Record(Schema.String, Schema.Json))

export const sealSecrets = (box: Box, workspaceId: WorkspaceId, connectionId: string, secrets: Fields) =>
  Object.keys(secrets).length === 0
    ? Effect.succeed(null)
    : box.seal(Redacted.make(JSON.stringify(secrets)), placeOf(workspaceId, connectionId))

/** The secrets of a connection in the clear, and whether they are to be sealed anew. */
export const openSecrets = Effect.fnUntraced(
  function*(box: Box, workspaceId: WorkspaceId, { connection_id, secrets }: ConnectionRecord) {
    if (secrets === null) return { secrets: {} as Fields, isStale: false }
    const { isStale, text } = yield* box.open(secrets, placeOf(workspaceId, connection_id))
    return { secrets: yield* Effect.orDie(Schema.decodeEffect(Secrets)(Redacted.value(text))), isStale }
  }
)

/** A connection's configuration as its provider takes it. */
export const openConfig = Effect.fnUntraced(
  function*(box: Box, provider: Provider, workspaceId: WorkspaceId, connection: ConnectionRecord) {
    const { isStale, secrets } = yield* Effect.mapError(
      openSecrets(box, workspaceId, connection),
      ({ message }) => new FatalFailure({ message })
    )
    const { config } = yield* Effect.mapError(
      readConfig(provider, { ...connection.config, ...secrets }),
      () => new FatalFailure({ message: "The stored configuration is not what the provider takes any more." })
    )
    return { config, isStale, secrets }
  }
)

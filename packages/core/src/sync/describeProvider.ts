/** A provider for clients: its configuration as JSON Schema, from which a form can be built. */
import { Schema } from "effect"
import { type ProviderDescription, SyncConfigPatch } from "../model/Connection.ts"
import { type Provider, secretFields } from "../ports/Provider.ts"

type Json = Schema.JsonObject

// The generator's bounds for unbounded integers.
const SAFE = new Set([Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER])

/** Unknown fields are refused at any depth, which the generator does not express. */
const tidy = (value: Schema.Json): Schema.Json =>
  Array.isArray(value)
    ? value.map(tidy)
    : typeof value === "object" && value !== null
    ? Object.fromEntries(
      Object.entries(value)
        .filter(([name, bound]) => !(/^(?:min|max)imum$/.test(name) && SAFE.has(bound as number)))
        .map(([name, inner]) => [name, name === "additionalProperties" && inner === true ? false : tidy(inner)])
    )
    : value

const jsonSchema = (schema: Schema.Constraint): Json => {
  const { definitions, schema: root } = Schema.toJsonSchemaDocument(schema)
  return {
    ...tidy(root as Json) as Json,
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: tidy(definitions as Json) })
  }
}

/** The JSON Schema of a struct, with something added to each field. */
const formSchema = (schema: Schema.Constraint, added: (name: string) => Json): Json => {
  const json = jsonSchema(schema)
  const properties = Object.entries((json["properties"] ?? {}) as Readonly<Record<string, Json>>)
    .map(([name, field]) => [name, { ...field, ...added(name) }])
  return { ...json, properties: Object.fromEntries(properties) }
}

export const describeProvider = (provider: Provider): ProviderDescription => {
  const secrets = secretFields(provider)
  return {
    provider: provider.provider,
    name: provider.name,
    resources: provider.commonResources ?? [],
    config_schema: formSchema(provider.config, (name) => {
      const secret = secrets.get(name)
      return secret === undefined ? {} : { ...secret, format: "password", writeOnly: true }
    }),
    sync_config_schema: formSchema(SyncConfigPatch, (name) => ({ default: provider.syncDefaults[name as "start"] }))
  }
}

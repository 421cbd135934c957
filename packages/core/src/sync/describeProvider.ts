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

const configSchema = (provider: Provider): Json => {
  const schema = jsonSchema(provider.config)
  const secrets = secretFields(provider)
  const properties = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, Json>>)
    .map(([name, field]) => {
      const secret = secrets.get(name)
      return [name, secret === undefined ? field : { ...field, ...secret, format: "password", writeOnly: true }]
    })
  return { ...schema, properties: Object.fromEntries(properties) }
}

export const describeProvider = (provider: Provider): ProviderDescription => {
  const schema = jsonSchema(SyncConfigPatch)
  const properties = Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, Json>>)
    .map(([name, field]) => [name, { ...field, default: provider.syncDefaults[name as "start"] }])
  return {
    provider: provider.provider,
    name: provider.name,
    resources: provider.commonResources ?? [],
    config_schema: configSchema(provider),
    sync_config_schema: { ...schema, properties: Object.fromEntries(properties) }
  }
}

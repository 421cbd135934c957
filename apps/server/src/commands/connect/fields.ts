/** The fields of a provider's configuration, as options of the command line. */
import * as Effect from "effect/Effect"
import { readFileSync } from "node:fs"
import { columns } from "../../cli/printing.ts"
import { calledWrongly, failed, type UsageError } from "../../UsageError.ts"

export interface Field {
  readonly name: string
  readonly type: string
  readonly secret: boolean
  readonly required: boolean
  readonly description: string
}

interface Property {
  readonly type?: string
  readonly writeOnly?: boolean
  readonly title?: string
  readonly description?: string
}

interface Schema {
  readonly properties?: Readonly<Record<string, Property>>
  readonly required?: ReadonlyArray<string>
}

export const fieldsOf = (schema: object): ReadonlyArray<Field> => {
  const { properties = {}, required = [] } = schema as Schema
  return Object.entries(properties).map(([name, { description, title, type = "string", writeOnly = false }]) => ({
    name,
    type,
    secret: writeOnly,
    required: required.includes(name),
    description: [title, description].filter((part) => part !== undefined).join(": ")
  }))
}

/** The provider's main field, which says where the source is. */
export const placeOf = (fields: ReadonlyArray<Field>): Field | undefined =>
  fields.find(({ required, secret }) => required && !secret)

/** What a provider takes, one per line. The main field of a feed is its `url`, and --url is the server's. */
export const optionsOf = (fields: ReadonlyArray<Field>): string => {
  const place = placeOf(fields)
  return columns(fields.map((field) => [
    field === place ? "  PLACE" : `  --${field.name}`,
    [field.description, ...field.required ? ["(needed)"] : [], ...field.secret ? ["(a secret)"] : []].join(" ")
  ]))
}

/** A text that is not a number is left for the service to refuse; as JSON, NaN is null. */
const numberOf = (text: string): number | string => Number.isNaN(Number(text)) ? text : Number(text)

/** Converts a value to the type of the schema; an invalid one is left for the service to refuse. */
const valueOf = (text: string, { type }: Field): unknown => {
  switch (type) {
    case "integer":
    case "number":
      return numberOf(text)
    case "boolean":
      return text === "true" ? true : text === "false" ? false : text
    case "array":
      return text === "" ? [] : text.split(",").map((part) => part.trim())
    default:
      return text
  }
}

const firstLine = (text: string): string => text.split(/\r?\n/, 1)[0]!

/** A secret from somewhere that other users of the host do not see. */
const secretFrom = (text: string, name: string): Effect.Effect<string, UsageError> => {
  const [, kind, place = ""] = /^(env|file):(.+)$/s.exec(text) ?? []
  if (kind === "env") {
    const value = process.env[place]
    return value === undefined ? Effect.fail(failed(`${place} is not set.`)) : Effect.succeed(value)
  }
  if (kind !== "file" && text !== "-") {
    return Effect.fail(calledWrongly(
      `--${name} is a secret, and others on this host can see a command line: give it as env:NAME, file:PATH, or - for ` +
        `standard input.`
    ))
  }
  return Effect.try({
    try: () => firstLine(readFileSync(text === "-" ? 0 : place, "utf8")),
    catch: () => failed(text === "-" ? "Standard input cannot be read." : `${place} cannot be read.`)
  })
}

/** The given address and options, converted to the types of the fields. */
export const configOf = Effect.fnUntraced(
  function*(place: string | undefined, given: Readonly<Record<string, string>>, fields: ReadonlyArray<Field>) {
    const config: Record<string, unknown> = {}
    const at = placeOf(fields)
    if (place !== undefined) {
      if (at === undefined) return yield* calledWrongly(`The provider takes no place: cannot read "${place}".`)
      config[at.name] = valueOf(place, at)
    }
    for (const [option, text] of Object.entries(given)) {
      const name = option.replaceAll("-", "_")
      const field = fields.find((one) => one.name === option || one.name === name)
      if (field === undefined) {
        return yield* calledWrongly(`There is no option --${option}. The provider takes\n\n${optionsOf(fields)}`)
      }
      config[field.name] = field.secret ? yield* secretFrom(text, field.name) : valueOf(text, field)
    }
    return config
  }
)

/**
 * The needed fields, and for a person also the password of a given user name, which the schema cannot express: it is the
 * first secret, and another one may be given in its place.
 */
export const missingFrom = (
  config: Readonly<Record<string, unknown>>,
  fields: ReadonlyArray<Field>,
  isPerson: boolean
): ReadonlyArray<Field> => {
  const secrets = fields.filter(({ secret }) => secret)
  const lacksPassword = isPerson && "username" in config && !secrets.some(({ name }) => name in config)
  return fields.filter((field) =>
    !(field.name in config) && (field.required || (lacksPassword && field === secrets[0]))
  )
}

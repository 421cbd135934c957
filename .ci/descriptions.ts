// Gathers the texts of the OpenAPI documents from the comments of the definitions: `npm run openapi`. With --check, only
// checks whether they are up to date.
//
// A field is explained where its schema is defined. The compiler knows where that is, because types are inferred from
// schemas: each operation of a document is walked side by side with its types.

import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { API, type Symbol, type Type, type TypeReference } from "typescript/unstable/sync"
import type { BuiltInFields } from "../packages/core/src/model/KindCatalogue.ts"
import type { Api } from "../packages/http/src/api/Api.ts"
import type * as ErrorBody from "../packages/http/src/api/ErrorBody.ts"
import type { OperatorApi } from "../packages/http/src/api/OperatorApi.ts"
import { isObject, type Json, type JsonObject, objectAt } from "../packages/http/src/openapi/Json.ts"
import { openApiDocument, operatorDocument } from "../packages/http/src/openapi/OpenApiDocument.ts"

type EndpointsOf<Definition> = Definition extends HttpApi.HttpApi<string, infer Groups> ? HttpApiGroup.Endpoints<Groups>
  : never

type Shapes<Endpoint extends HttpApiEndpoint.Top> = {
  [One in Endpoint as One["identifier"]]: {
    path: One["~Params"]["Type"]
    query: One["~Query"]["Type"]
    request: One["~Payload"]["Type"]
    response: One["~Success"]["Type"]
  }
}

/** A program for the compiler, with the types of each operation. */
export type Operations = Shapes<EndpointsOf<typeof Api> | EndpointsOf<typeof OperatorApi>>

interface AnyKind {
  /** The kind of the item. */
  readonly kind: string
}

/** The types of further schemas, by name. */
export type Schemas =
  & { [Failure in ErrorBody.Coded as Failure["_tag"]]: Failure }
  & { RateLimitProblem: typeof ErrorBody.RateLimitProblem.Type; ValidationErrorBody: ErrorBody.ValidationError }
  & { [Kind in keyof BuiltInFields as `${Capitalize<Kind>}Payload`]: BuiltInFields[Kind] & AnyKind }

const root = resolve(import.meta.dirname, "..")
const FILE = "packages/http/src/openapi/descriptions.json"

/** A comment's text as one paragraph. */
const paragraph = (comment: string): string =>
  comment.split("\n").map((line) => line.replace(/^ *\*/, "").trim()).join(" ").trim()

const api = new API({ cwd: root })
const [project] = api.updateSnapshot({ openProjects: [join(root, ".ci/tsconfig.descriptions.json")] }).getProjects()
const { checker, program } = project!

type Fields = ReadonlyMap<string, Symbol>

/** The tag of an error is its code in the API. */
const fieldsOf = (type: Type): Fields =>
  new Map(checker.getPropertiesOfType(type).map((field) => [field.name === "_tag" ? "error_code" : field.name, field]))

const typeOf = (symbol: Symbol): Type => checker.getTypeOfSymbol(symbol)!

const exported = new Map(
  checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(import.meta.filename)!)!)
    .map((symbol) => [symbol.name, fieldsOf(checker.getDeclaredTypeOfSymbol(symbol))])
)
const [operationTypes, schemaTypes] = [exported.get("Operations")!, exported.get("Schemas")!]

/** A field's comment; without one, an id is described by its name. */
const textOf = (field: Symbol): string => {
  const [, thing] = /^(\w+)_id$/.exec(field.name) ?? []
  return paragraph(checker.getDocumentationCommentOfSymbol(field)) ||
    (thing === undefined ? "" : `The ${thing.replaceAll("_", " ")}'s id.`)
}

/** The comment of a field. */
interface Description {
  readonly default?: Json
  readonly description: string
}

const described = (field: Symbol, otherwise = ""): Description => {
  const value = checker.getJsDocTagsOfSymbol(field).find(({ name }) => name === "default")?.text
  return { ...(value && { default: JSON.parse(value) as Json }), description: textOf(field) || otherwise }
}

/** The same in every error, so that no class repeats it. */
const OF_FAILURES: Readonly<Record<string, string>> = {
  error_code: "The code of the error, for programs. `/errors/{code}` explains it.",
  message: "The error in a sentence, for people.",
  details: "Details, which depend on the code. Null: there are none."
}

const membersOf = (type: Type): ReadonlyArray<Type> => type.isUnionType() ? type.getTypes().flatMap(membersOf) : [type]

/** The fields of the smallest member of a union that has all the given ones. */
const memberWith = (names: ReadonlyArray<string>, type: Type): Fields =>
  membersOf(type).filter((member) => !member.isIntrinsicType()).map(fieldsOf)
    .filter((fields) => names.every((name) => fields.has(name)))
    .sort((one, other) => one.size - other.size)[0] ?? new Map<string, Symbol>()

const list = (value: Json | undefined): ReadonlyArray<JsonObject> => (value ?? []) as ReadonlyArray<JsonObject>

const schemas: Record<string, Record<string, Description>> = {}

/** Collects the texts of all fields in a schema; `type` is its type. */
const note = (components: JsonObject, schema: JsonObject, type: Type, name: string, prefix: string): void => {
  const { $ref } = schema
  if (typeof $ref === "string") {
    const referred = $ref.slice($ref.lastIndexOf("/") + 1)
    if (referred in schemas) return
    schemas[referred] = {}
    const own = schemaTypes.get(referred)
    return note(components, objectAt(components, referred), own === undefined ? type : typeOf(own), referred, "")
  }
  for (const member of [...list(schema["anyOf"]), ...list(schema["oneOf"])]) {
    note(components, member, type, name, prefix)
  }
  if (isObject(schema["items"])) {
    for (const array of membersOf(type).filter((member) => checker.isArrayLikeType(member))) {
      note(components, schema["items"], checker.getTypeArguments(array as TypeReference)[0]!, name, prefix)
    }
  }
  const properties = objectAt(schema, "properties")
  const fields = memberWith(Object.keys(properties), type)
  const ofAll = fields.get("error_code")?.name === "_tag" ? OF_FAILURES : {}
  for (const [property, inner] of Object.entries(properties)) {
    const field = fields.get(property)
    if (field === undefined) continue
    schemas[name]![prefix + property] = described(field, ofAll[property])
    note(components, inner as JsonObject, typeOf(field), name, `${prefix}${property}.`)
  }
}

const sources = globSync("packages/http/src/api/*.ts", { cwd: root }).sort().map((file) =>
  readFileSync(join(root, file), "utf8")
)

/** The text of a group: the first comment of its module. */
const groups = Object.fromEntries(sources.flatMap((source) => {
  const [, comment = ""] = /^\/\*\*([^]*?)\*\//.exec(source) ?? []
  return [...source.matchAll(/HttpApiGroup\.make\("(\w+)"\)/g)].map(([, name]) => [name!, paragraph(comment)])
}))

/** The texts of an operation: the first sentence of its comment, and the rest. */
const comments = new Map(
  sources.flatMap((source) =>
    [...source.matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\s*HttpApiEndpoint\.\w+\(\s*"(\w+)"/g)].map(
      ([, comment, name]) => {
        const [, summary = "", description = ""] = /^(.*?)\. (.*)$/.exec(paragraph(comment!)) ?? []
        return [name!, { summary, description }] as const
      }
    )
  )
)

const operationsIn = (document: JsonObject): ReadonlyArray<JsonObject> =>
  Object.values(objectAt(document, "paths")).flatMap((item) => Object.values(item as JsonObject) as Array<JsonObject>)

const schemasIn = (body: JsonObject): ReadonlyArray<JsonObject> =>
  Object.values(objectAt(body, "content")).map((media) => objectAt(media as JsonObject, "schema"))

const operations = [openApiDocument(""), operatorDocument("")].flatMap((document) => {
  const components = objectAt(objectAt(document, "components"), "schemas")
  return operationsIn(document).map((operation) => {
    const name = String(operation["operationId"])
    const types = fieldsOf(typeOf(operationTypes.get(name)!))
    const typeIn = (place: string): Type => typeOf(types.get(place)!)
    for (const schema of schemasIn(objectAt(operation, "requestBody"))) {
      note(components, schema, typeIn("request"), name, "")
    }
    for (const response of Object.values(objectAt(operation, "responses")) as ReadonlyArray<JsonObject>) {
      for (const schema of schemasIn(response)) note(components, schema, typeIn("response"), name, "")
    }
    const parameters = list(operation["parameters"]).flatMap((parameter) => {
      const field = fieldsOf(typeIn(String(parameter["in"] ?? "query"))).get(String(parameter["name"]))
      return field === undefined ? [] : [[field.name, described(field)]]
    })
    return [name, { ...comments.get(name), parameters: Object.fromEntries(parameters) }]
  })
})
api.close()

/** JSON with each field on one line. */
const text = JSON.stringify({ groups, operations: Object.fromEntries(operations), schemas }, null, 2)
  .replace(/\{\n +(?:"default": .*\n +)?"description": .*\n +\}/g, (field) => field.replaceAll(/\n +/g, " ")) + "\n"
if (!process.argv.includes("--check")) writeFileSync(join(root, FILE), text)
else if (readFileSync(join(root, FILE), "utf8") !== text) {
  console.error(`${FILE} is not what the comments say: npm run openapi`)
  process.exitCode = 1
}

/** What `open` takes. For hosts without a compiler, an unknown option or one of another type is refused, not ignored. */
import { Layer, Logger } from "effect"
import type { Embedded } from "./embedded.ts"
import type { Calls } from "./KnowledgeBase.ts"
import { checkNumbersIn, NUMBERS } from "./numericOptions.ts"
import type { Parts } from "./parts.ts"
import type { Postgres } from "./postgres.ts"
import {
  address,
  fieldOf,
  flag,
  hasOnly,
  isObject,
  isText,
  isWebAddress,
  listed,
  object,
  objectOf,
  oneOf,
  type Rule,
  rule,
  text,
  withMethod
} from "./rules.ts"

/** Everything is kept in this process and forgotten at its end. */
export interface InMemory {
  readonly storage: "memory"
}

/** Kept in a directory, in an SQLite database. Needs Node 24.16 or newer. */
export interface InDirectory extends Embedded {
  readonly storage: "embedded"
}

/** Kept in a Postgres; takes the package `@effect/sql-pg`. */
export type InPostgres = Postgres & {
  readonly storage: "postgres"
}

export type Storage = InMemory | InDirectory | InPostgres

/** Every part that a host may set or replace; what is absent has its default. */
export type Options = Calls & Parts & Storage

/** The name of an option of any storage: `keyof Options` has only those that all of them have. */
type Name = Options extends infer One ? One extends unknown ? keyof One : never : never

const areTexts = (value: unknown, names: ReadonlyArray<string>): boolean =>
  names.map((name) => fieldOf(value, name)).every((field) => field === undefined || typeof field === "string")

const modelWith = (...optional: ReadonlyArray<string>): Rule =>
  rule(
    `an object with the http or https address "url" and the name "model", and optionally ${listed(optional)}`,
    (value) =>
      isWebAddress(fieldOf(value, "url")) && isText(fieldOf(value, "model")) &&
      hasOnly(value, ["url", "model", ...optional]) &&
      areTexts(value, ["key", "documentPrefix", "queryPrefix"])
  )
const languageModel = modelWith("key", "contextTokens", "timeout", "rest", "concurrency")
const areConcurrencies = (value: unknown): boolean => value === undefined || hasOnly(value, ["workspace", "process"])
const answersModel = rule(
  `${languageModel.expected}, which has "workspace" and "process"`,
  (value) => languageModel.holds(value) && areConcurrencies(fieldOf(value, "concurrency"))
)
const rerankingModel = modelWith("key")
const isProvider = (value: unknown): boolean =>
  isText(fieldOf(value, "provider")) && isObject(fieldOf(value, "syncDefaults")) &&
  ["resources", "sync"].every((name) => typeof fieldOf(value, name) === "function")
const ownReranker = rule(
  "an object with the name \"model\" and a method \"rerank\"",
  (value) => isText(fieldOf(value, "model")) && withMethod("rerank").holds(value)
)
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0
const ownEmbedder = rule(
  "an object with the name \"model\", the whole numbers \"dimensions\" (or null) and \"batch\", and a method \"embed\"",
  (value) => {
    const dimensions = fieldOf(value, "dimensions")
    return isText(fieldOf(value, "model")) && (dimensions === null || isCount(dimensions)) &&
      isCount(fieldOf(value, "batch")) && withMethod("embed").holds(value)
  }
)

const PARAMETERS = ["k1", "b", "proximity"]
const isRanking = (parameters: unknown): boolean =>
  parameters === undefined ||
  hasOnly(parameters, [...PARAMETERS, "feedback"]) &&
    PARAMETERS.every((name) => fieldOf(parameters, name) !== undefined)

const TELEMETRY = ["url", "headers", "serviceName", "serviceVersion", "attributes", "ratio"]

const RULES: Readonly<Record<Exclude<Name, keyof typeof NUMBERS>, Rule>> = {
  storage: text,
  directory: text,
  fsync: flag,
  url: address,
  sql: rule(
    "a pool of the package \"pg\" or a SqlClient of Effect",
    (value) => ["connect", "withoutTransforms"].some((name) => typeof fieldOf(value, name) === "function")
  ),
  schema: text,
  migrate: oneOf("auto", "check"),
  systemRole: text,
  kinds: object,
  providers: rule(
    "a list of providers, such as those of @tributary/sources",
    (value) => Array.isArray(value) && value.every(isProvider)
  ),
  answers: answersModel,
  answerer: withMethod("answer"),
  embeddings: modelWith("key", "dimensions", "documentPrefix", "queryPrefix"),
  embedder: ownEmbedder,
  reranker: rule(
    `${rerankingModel.expected}, or ${ownReranker.expected}`,
    (value) => rerankingModel.holds(value) || ownReranker.holds(value)
  ),
  ranking: rule(
    `an object of "parameters", which has ${listed(PARAMETERS)} and optionally "feedback", "rescore" and "fuse"`,
    (value) => hasOnly(value, ["parameters", "rescore", "fuse"]) && isRanking(fieldOf(value, "parameters"))
  ),
  extractor: rule(
    "an object with the methods \"fromMarkup\" and \"fromFile\"",
    (value) => ["fromMarkup", "fromFile"].every((name) => withMethod(name).holds(value))
  ),
  indexing: oneOf("thread", "worker"),
  segmentCache: rule(
    "an object with a \"directory\", and optionally \"maxBytes\"",
    (value) => isText(fieldOf(value, "directory")) && hasOnly(value, ["directory", "maxBytes"])
  ),
  questionLog: flag,
  account: text,
  logger: rule("a Logger of Effect or false", (value) => value === false || Logger.isLogger(value)),
  telemetry: rule(
    `an object with the http or https address "url" and optionally ${listed(TELEMETRY.slice(1))}, or a layer`,
    (value) => Layer.isLayer(value) || isWebAddress(fieldOf(value, "url")) && hasOnly(value, TELEMETRY)
  ),
  encryptionKeys: rule(
    "a list of keys of 32 bytes each",
    (value) => Array.isArray(value) && value.every((key) => key instanceof Uint8Array && key.length === 32)
  ),
  webhookSender: withMethod("send"),
  clock: rule("a Clock of Effect", (value) => typeof fieldOf(value, "currentTimeMillisUnsafe") === "function"),
  rateWindows: withMethod("take"),
  retries: objectOf("attempts", "minimumDelay", "maximumWait", "onRetry")
}

const NEEDED: Readonly<Record<string, ReadonlyArray<Name>>> = { embedded: ["directory"], postgres: ["url", "sql"] }

/** The options of one storage. */
const OWN: ReadonlyMap<Name, Storage["storage"]> = new Map([
  ["directory", "embedded"],
  ["fsync", "embedded"],
  ["url", "postgres"],
  ["sql", "postgres"],
  ["schema", "postgres"],
  ["maxConnections", "postgres"],
  ["migrate", "postgres"],
  ["systemRole", "postgres"]
])

const STORAGE_NAMES: ReadonlyArray<Name> = ["storage", ...OWN.keys()]

const NAMES = [...Object.keys(RULES), ...Object.keys(NUMBERS)]

const isNumber = (name: string): name is keyof typeof NUMBERS => Object.hasOwn(NUMBERS, name)
const isName = (name: string): name is Name => Object.hasOwn(RULES, name) || isNumber(name)

export const checkOptions = (options: { readonly [name in Name]?: unknown }): void => {
  const { sql, storage } = options
  const needed = NEEDED[String(storage)] ?? []
  for (const [name, value] of Object.entries(options)) {
    if (!isName(name)) {
      throw new TypeError(`There is no option "${name}". The options are: ${NAMES.join(", ")}.`)
    }
    if (value === undefined) continue
    if (!isNumber(name)) {
      const { expected, holds } = RULES[name]
      if (!holds(value)) throw new TypeError(`The option "${name}" must be ${expected}.`)
    }
    const owner = OWN.get(name)
    if (owner !== undefined && owner !== storage) {
      throw new TypeError(`The option "${name}" is for the storage "${owner}" only.`)
    }
    if (sql !== undefined && (name === "url" || name === "maxConnections")) {
      throw new TypeError(
        `The option "${name}" has no effect with "sql", which has its own connections: leave one out.`
      )
    }
  }
  checkNumbersIn(options)
  if (needed.length > 0 && needed.every((name) => options[name] === undefined)) {
    const either = needed.map((name) => `"${name}"`).join(" or ")
    throw new TypeError(`Storage "${storage}" needs the option ${either}.`)
  }
}

/** Checks what `openWith` takes: all but the storage, which is in its layers. */
export const checkParts = (options: { readonly [name in Name]?: unknown }): void => {
  const name = STORAGE_NAMES.find((name) => options[name] !== undefined)
  if (name !== undefined) {
    throw new TypeError(`The option "${name}" is for "open" only: here, the layers are the storage.`)
  }
  checkOptions(options)
}

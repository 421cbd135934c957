/** What `open` takes. For hosts without a compiler, an unknown option or one of another type is refused, not ignored. */
import type { Embedded } from "./embedded.ts"
import type { Calls } from "./KnowledgeBase.ts"
import type { Parts } from "./parts.ts"
import type { Postgres } from "./postgres.ts"

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

/** Of every storage. */
type Name = Options extends infer One ? One extends unknown ? keyof One : never : never

/** What a value has to be, in words and as a test. */
type Rule = readonly [expected: string, holds: (value: unknown) => boolean]

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null
const fieldOf = (value: unknown, name: string): unknown =>
  isObject(value) || typeof value === "function" ? Reflect.get(value, name) : undefined
const isText = (value: unknown): value is string => typeof value === "string" && value !== ""
const isAddress = (value: unknown): boolean => URL.canParse(String(value))

const text: Rule = ["a string", isText]
const address: Rule = ["an address", isAddress]
const flag: Rule = ["true or false", (value) => typeof value === "boolean"]
const amount: Rule = ["a positive number", (value) => typeof value === "number" && value > 0]
const object: Rule = ["an object", (value) => isObject(value) && !Array.isArray(value)]
const hasOnly = (value: unknown, names: ReadonlyArray<string>): boolean =>
  object[1](value) && Object.keys(value as object).every((name) => names.includes(name))
const listed = (names: ReadonlyArray<string>): string => names.map((name) => `"${name}"`).join(", ")
const objectOf = (...names: ReadonlyArray<string>): Rule => [
  `an object of ${listed(names)}`,
  (value) => hasOnly(value, names)
]
const oneOf = (...values: ReadonlyArray<string>): Rule => [
  values.map((value) => `"${value}"`).join(" or "),
  (value) => isText(value) && values.includes(value)
]
const withMethod = (
  name: string
): Rule => [`an object with a method "${name}"`, (value) => typeof fieldOf(value, name) === "function"]

const modelWith = (...optional: ReadonlyArray<string>): Rule => [
  `an object with the address "url" and the name "model", and optionally ${listed(optional)}`,
  (value) =>
    isAddress(fieldOf(value, "url")) && isText(fieldOf(value, "model")) && hasOnly(value, ["url", "model", ...optional])
]
const rerankingModel = modelWith("key")
const isProvider = (value: unknown): boolean =>
  isText(fieldOf(value, "provider")) && isObject(fieldOf(value, "syncDefaults")) &&
  ["resources", "sync"].every((name) => typeof fieldOf(value, name) === "function")
const ownReranker = withMethod("rerank")

const RULES: Readonly<Record<Name, Rule>> = {
  storage: text,
  directory: text,
  fsync: flag,
  url: address,
  sql: [
    "a pool of the package \"pg\" or a SqlClient of Effect",
    (value) => ["connect", "withoutTransforms"].some((name) => typeof fieldOf(value, name) === "function")
  ],
  schema: text,
  maxConnections: ["a number of at least 2", (value) => typeof value === "number" && value >= 2],
  migrate: oneOf("auto", "check"),
  systemRole: text,
  kinds: object,
  providers: [
    "a list of providers, such as those of @tributary/sources",
    (value) => Array.isArray(value) && value.every(isProvider)
  ],
  answers: modelWith("key", "contextTokens", "timeout"),
  answerer: withMethod("answer"),
  embeddings: modelWith("key", "dimensions", "documentPrefix", "queryPrefix"),
  embedder: withMethod("embed"),
  reranker: [
    `${rerankingModel[0]}, or ${ownReranker[0]}`,
    (value) => rerankingModel[1](value) || ownReranker[1](value)
  ],
  ranking: objectOf("parameters", "rescore", "fuse"),
  extractor: withMethod("fromFile"),
  indexing: oneOf("thread", "worker"),
  memory: amount,
  segmentCache: ["an object with a \"directory\"", (value) => isText(fieldOf(value, "directory"))],
  questionLog: flag,
  account: text,
  logger: ["a Logger or false", (value) => value === false || isObject(value)],
  telemetry: [
    "an object with the address \"url\", or a layer",
    (value) => isObject(value) && (!("url" in value) || isAddress(value.url))
  ],
  encryptionKeys: [
    "a list of keys of 32 bytes each",
    (value) => Array.isArray(value) && value.every((key) => key instanceof Uint8Array && key.length === 32)
  ],
  webhookSender: withMethod("send"),
  clock: ["a Clock of Effect", (value) => typeof fieldOf(value, "currentTimeMillisUnsafe") === "function"],
  rateWindows: withMethod("take"),
  timeout: amount,
  attemptTimeout: amount,
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

const isName = (name: string): name is Name => Object.hasOwn(RULES, name)

export const checkOptions = (options: { readonly [name in Name]?: unknown }): void => {
  const { sql, storage } = options
  const needed = NEEDED[String(storage)] ?? []
  for (const [name, value] of Object.entries(options)) {
    if (!isName(name)) {
      throw new TypeError(`There is no option "${name}". The options are: ${Object.keys(RULES).join(", ")}.`)
    }
    if (value === undefined) continue
    const [expected, holds] = RULES[name]
    if (!holds(value)) throw new TypeError(`The option "${name}" must be ${expected}.`)
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
  if (needed.length > 0 && needed.every((name) => options[name] === undefined)) {
    const either = needed.map((name) => `"${name}"`).join(" or ")
    throw new TypeError(`Storage "${storage}" needs the option ${either}.`)
  }
}

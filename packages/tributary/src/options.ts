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
const fieldOf = (value: unknown, name: string): unknown => isObject(value) ? Reflect.get(value, name) : undefined
const isText = (value: unknown): value is string => typeof value === "string" && value !== ""
const isAddress = (value: unknown): boolean => URL.canParse(String(value))

const text: Rule = ["a string", isText]
const address: Rule = ["an address", isAddress]
const flag: Rule = ["true or false", (value) => typeof value === "boolean"]
const amount: Rule = ["a positive number", (value) => typeof value === "number" && value > 0]
const object: Rule = ["an object", (value) => isObject(value) && !Array.isArray(value)]
const objectOf = (...names: ReadonlyArray<string>): Rule => [
  `an object of ${names.map((name) => `"${name}"`).join(", ")}`,
  (value) => object[1](value) && Object.keys(value as object).every((name) => names.includes(name))
]
const oneOf = (...values: ReadonlyArray<string>): Rule => [
  values.map((value) => `"${value}"`).join(" or "),
  (value) => isText(value) && values.includes(value)
]
const withMethod = (
  name: string
): Rule => [`an object with a method "${name}"`, (value) => typeof fieldOf(value, name) === "function"]

const model: Rule = [
  "an object with the address \"url\" and the name \"model\"",
  (value) => isAddress(fieldOf(value, "url")) && isText(fieldOf(value, "model"))
]
const isProvider = (value: unknown): boolean =>
  isText(fieldOf(value, "provider")) && isObject(fieldOf(value, "syncDefaults")) &&
  ["resources", "sync"].every((name) => typeof fieldOf(value, name) === "function")
const ownReranker = withMethod("rerank")

const RULES: Readonly<Record<Name, Rule>> = {
  storage: text,
  directory: text,
  fsync: flag,
  url: address,
  sql: ["a pool of the package \"pg\" or a SqlClient", (value) => isObject(value) || typeof value === "function"],
  schema: text,
  maxConnections: amount,
  migrate: oneOf("auto", "check"),
  systemRole: text,
  kinds: object,
  providers: [
    "a list of providers, such as those of @tributary/sources",
    (value) => Array.isArray(value) && value.every(isProvider)
  ],
  answers: model,
  answerer: withMethod("answer"),
  embeddings: model,
  embedder: withMethod("embed"),
  reranker: [`${model[0]}, or ${ownReranker[0]}`, (value) => model[1](value) || ownReranker[1](value)],
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
  clock: object,
  rateWindows: withMethod("take"),
  timeout: amount,
  attemptTimeout: amount,
  retries: object
}

const NEEDED: Readonly<Record<string, ReadonlyArray<Name>>> = { embedded: ["directory"], postgres: ["url", "sql"] }

const isName = (name: string): name is Name => Object.hasOwn(RULES, name)

export const checkOptions = (options: { readonly [name in Name]?: unknown }): void => {
  for (const [name, value] of Object.entries(options)) {
    if (!isName(name)) {
      throw new TypeError(`There is no option "${name}". The options are: ${Object.keys(RULES).join(", ")}.`)
    }
    const [expected, holds] = RULES[name]
    if (value !== undefined && !holds(value)) throw new TypeError(`The option "${name}" must be ${expected}.`)
  }
  const needed = NEEDED[String(options["storage"])] ?? []
  if (needed.length > 0 && needed.every((name) => options[name] === undefined)) {
    const either = needed.map((name) => `"${name}"`).join(" or ")
    throw new TypeError(`Storage "${options["storage"]}" needs the option ${either}.`)
  }
}

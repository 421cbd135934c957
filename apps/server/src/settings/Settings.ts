/**
 * Every setting: an environment variable, its description, its form and its default.
 *
 * Parsing, `--help` and the reference page all use `SETTINGS`. An empty variable counts as not set.
 */
import { wholeNumber } from "@tributary/core/model/NumberRule"
import { HOST_TOKEN } from "@tributary/core/model/Operator"
import { memoryLimit } from "@tributary/node/memoryLimit"
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { fileRoots } from "./FileRoots.ts"
import { type Answers, type Embeddings, type Model, MODEL_SETTINGS, modelsOf } from "./ModelSettings.ts"
import { allowPrivateAddresses, connectionsPerAddress, trustedProxies } from "./NetworkSettings.ts"
import { fileVariable, withSecretFiles } from "./secretFiles.ts"
import { type Provider, providerOf, SIGN_IN_SETTINGS } from "./SignInSettings.ts"
import { type Storage, STORAGE_SETTINGS, storageOf } from "./StorageSettings.ts"
import {
  addressSetting,
  booleanSetting,
  isBaseUrl,
  keySetting,
  numberSetting,
  setting,
  type ValuesOf
} from "./Setting.ts"
import { TELEMETRY_SETTINGS, telemetryOf, type TelemetryTarget } from "./TelemetrySettings.ts"
import { failed, type UsageError } from "../UsageError.ts"

const LEVELS = { trace: "Trace", debug: "Debug", info: "Info", warn: "Warn", error: "Error", none: "None" } as const

const oneOf = (names: ReadonlyArray<string>): string => `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`

const ENCRYPTION_KEYS = Schema.makeFilter<string>((text) =>
  text.split(",").every((key) => /^[A-Za-z0-9+/]{43}=$/.test(key.trim()))
)

const DEFAULT_PORT = 8787

const PORT = numberSetting("TRIBUTARY_PORT", wholeNumber(0, 65_535), {
  description: "The port to listen on. 0 takes any free one and prints it.",
  fallback: DEFAULT_PORT
})

/** Kubernetes sets this variable, too, in every container beside a service with the name of the product. */
const addressOfService = Config.schema(Schema.String.check(Schema.isPattern(/^tcp:\/\//)), PORT.variable)

export const SETTINGS = {
  port: { ...PORT, config: Config.orElse(PORT.config, () => Config.map(addressOfService, () => DEFAULT_PORT)) },
  host: setting("TRIBUTARY_HOST", {
    description: "The address to listen on. 0.0.0.0 opens the server to the network.",
    defaultText: "127.0.0.1",
    mustBe: "a host name or an IP address",
    read: (variable) =>
      Config.schema(Schema.String.check(Schema.isPattern(/^[^\s/]+$/)), variable).pipe(Config.withDefault("127.0.0.1"))
  }),
  baseUrl: setting("TRIBUTARY_BASE_URL", {
    description: "The public address of the server, used for links in answers.",
    defaultText: "http://HOST:PORT",
    mustBe: "an http or https address without query, fragment or password",
    read: (variable) =>
      Config.schema(Schema.String.check(Schema.makeFilter(isBaseUrl)), variable).pipe(
        Config.map((url) => url.replace(/\/+$/, "")),
        Config.option
      )
  }),
  ...STORAGE_SETTINGS,
  memoryMegabytes: numberSetting("TRIBUTARY_MEMORY_MB", wholeNumber(16, 1_048_576), {
    description:
      "The megabytes of search index that stay loaded. The least recently used parts are evicted, and read from disk again when they are needed, which is slower.",
    defaultText: "a quarter of the memory of the machine or container, at most 2048",
    fallback: Math.min(2_048, Math.max(16, Math.floor(memoryLimit() / 4_000_000)))
  }),
  adminToken: setting("TRIBUTARY_ADMIN_TOKEN", {
    secret: true,
    description: "The bearer token of the operator API. Setting it switches the operator API on.",
    defaultText: "none: the operator API is off",
    mustBe: HOST_TOKEN.mustBe,
    read: (variable) =>
      Config.schema(Schema.Redacted(Schema.String.check(Schema.isPattern(HOST_TOKEN.pattern))), variable).pipe(
        Config.option
      )
  }),
  encryptionKeys: setting("TRIBUTARY_ENCRYPTION_KEYS", {
    secret: true,
    description:
      "The keys that encrypt secrets of connections and sign tokens, separated by commas, each 32 bytes in base64. The first one encrypts, all decrypt. To rotate, put a new one first, run tributary keys rewrap, and remove the old one.",
    defaultText:
      "embedded: a key that is created in TRIBUTARY_DATA_DIR; postgres: none, and connections with secrets are refused",
    mustBe: "one or more times 32 bytes in base64, separated by commas",
    read: (variable) =>
      Config.schema(Schema.Redacted(Schema.String.check(ENCRYPTION_KEYS)), variable).pipe(Config.option)
  }),
  fileRoots,
  allowPrivateAddresses,
  trustedProxies,
  connectionsPerAddress,
  metrics: booleanSetting(
    "TRIBUTARY_METRICS",
    "true",
    "Whether GET /metrics is served, without a credential, with counts and durations of requests and jobs."
  ),
  mcp: booleanSetting(
    "TRIBUTARY_MCP",
    "true",
    "Whether assistants can use workspaces at /mcp (Model Context Protocol), with an API key."
  ),
  questionLog: booleanSetting(
    "TRIBUTARY_QUESTION_LOG",
    "true",
    "Whether questions are kept for 30 days, with their citations and feedback, visible to everybody who may ask in the workspace. false also deletes stored questions."
  ),
  ...SIGN_IN_SETTINGS,
  ...MODEL_SETTINGS,
  ...TELEMETRY_SETTINGS,
  url: addressSetting(
    "TRIBUTARY_URL",
    "The server that commands call, like --url. serve does not read it.",
    "none: commands use the configured storage"
  ),
  key: keySetting(
    "TRIBUTARY_KEY",
    "The API key that commands send to TRIBUTARY_URL, like --key. serve does not read it."
  ),
  logFormat: setting("TRIBUTARY_LOG_FORMAT", {
    description: "The format of log lines on standard error: pretty for people, json for programs.",
    defaultText: "pretty on a terminal, else json",
    mustBe: "pretty or json",
    read: (variable) => Config.Literals(["pretty", "json"], variable).pipe(Config.option)
  }),
  logLevel: setting("TRIBUTARY_LOG_LEVEL", {
    description: `The least severe log line that is written: ${oneOf(Object.keys(LEVELS))}.`,
    defaultText: "info",
    mustBe: oneOf(Object.keys(LEVELS)),
    read: (variable) =>
      Config.Literals(["trace", "debug", "info", "warn", "error", "none"], variable).pipe(
        Config.withDefault("info"),
        Config.map((name) => LEVELS[name])
      )
  })
}

type Table = typeof SETTINGS

type Read = ValuesOf<Table>

const COMBINED = [
  ...Struct.keys(STORAGE_SETTINGS),
  ...Struct.keys(SIGN_IN_SETTINGS),
  ...Struct.keys(MODEL_SETTINGS),
  ...Struct.keys(TELEMETRY_SETTINGS)
] as const

export type Settings = Omit<Read, typeof COMBINED[number]> & {
  readonly storage: Storage
  readonly provider: Provider | null
  readonly answers: Answers | null
  readonly embeddings: Embeddings | null
  readonly reranker: Model | null
  readonly telemetry: TelemetryTarget | null
}

export type LogFormat = Option.Option.Value<Settings["logFormat"]>

const configs = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, { config }]) => [name, config])
) as { readonly [K in keyof Table]: Table[K]["config"] }

/** The expected form of each invalid setting, one per line; never the value, which may be secret. */
const problems = Effect.map(
  Effect.forEach(
    Object.values(SETTINGS),
    ({ config, mustBe, variable }) =>
      Effect.match(config as Config.Config<unknown>, {
        onSuccess: () => [],
        onFailure: () => [`${variable} must be ${mustBe}.`]
      })
  ),
  (lines) => lines.flat().join("\n")
)

const secrets = Object.values(SETTINGS).flatMap(({ secret, variable }) => secret ? [variable] : [])

const loadFrom = Config.all(configs).pipe(
  Effect.catch(() => Effect.flatMap(problems, (message) => Effect.fail(failed(message)))),
  Effect.flatMap((read) =>
    Effect.map(
      Effect.all({ storage: storageOf(read), provider: providerOf(read), models: modelsOf(read) }),
      ({ models, ...combined }) => ({
        ...Struct.omit(read, COMBINED),
        ...combined,
        ...models,
        telemetry: telemetryOf(read)
      })
    )
  )
)

/** Reads the environment and its files of secrets. The error names every invalid setting. */
export const load: Effect.Effect<Settings, UsageError> = Effect.flatMap(
  withSecretFiles(secrets),
  (provider) => Effect.provideService(loadFrom, ConfigProvider.ConfigProvider, provider)
)

export const publicAddress = ({ baseUrl, host, port }: Settings): string =>
  Option.getOrElse(baseUrl, () => `http://${host.includes(":") ? `[${host}]` : host}:${port}`)

/** The settings as `--help` lists them. */
export const settingsHelp = (): string =>
  Object.values(SETTINGS).map(({ defaultText, description, secret, variable }) =>
    `  ${variable}${secret ? `, ${fileVariable(variable)}` : ""}\n      ${description}\n      Default: ${defaultText}\n`
  ).join("")

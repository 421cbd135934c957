/**
 * Every setting: an environment variable, what it means, what it may be, and what holds without it.
 *
 * The reading, `--help` and the reference page all come from `SETTINGS`. An empty variable counts as not set.
 */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { totalmem } from "node:os"
import { UsageError } from "./UsageError.ts"

interface Setting<A> {
  readonly variable: string
  readonly meaning: string
  /** What holds without it, as a person reads it. */
  readonly standard: string
  /** Completes the sentence "VARIABLE must be ...". */
  readonly mustBe: string
  readonly config: Config.Config<A>
}

const setting = <A>(
  variable: string,
  { read, ...described }:
    & Omit<Setting<A>, "variable" | "config">
    & { readonly read: (variable: string) => Config.Config<A> }
): Setting<A> => ({ variable, ...described, config: read(variable) })

const LEVELS = { trace: "Trace", debug: "Debug", info: "Info", warn: "Warn", error: "Error", none: "None" } as const

const oneOf = (names: ReadonlyArray<string>): string => `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`

const isBaseUrl = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) &&
    `${url.search}${url.hash}${url.username}${url.password}` === ""
}

export const SETTINGS = {
  port: setting("TRIBUTARY_PORT", {
    meaning: "The port to listen on. 0 takes any free one and prints it.",
    standard: "8787",
    mustBe: "a whole number from 0 to 65535",
    read: (variable) =>
      Config.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 65_535 })), variable).pipe(
        Config.withDefault(8787)
      )
  }),
  host: setting("TRIBUTARY_HOST", {
    meaning: "The address to listen on. 0.0.0.0 opens the server to the network.",
    standard: "127.0.0.1",
    mustBe: "a host name or an IP address",
    read: (variable) =>
      Config.schema(Schema.String.check(Schema.isPattern(/^[^\s/]+$/)), variable).pipe(Config.withDefault("127.0.0.1"))
  }),
  baseUrl: setting("TRIBUTARY_BASE_URL", {
    meaning: "The public address of the server, used where an answer carries a link.",
    standard: "http://HOST:PORT",
    mustBe: "an http or https address without query, fragment or password",
    read: (variable) =>
      Config.schema(Schema.String.check(Schema.makeFilter(isBaseUrl)), variable).pipe(
        Config.map((url) => url.replace(/\/+$/, "")),
        Config.option
      )
  }),
  storage: setting("TRIBUTARY_STORAGE", {
    meaning: "Where data is kept. memory: in the process, gone when it ends. There is no other storage yet.",
    standard: "memory",
    mustBe: "memory; this version has no other storage",
    read: (variable) => Config.Literal("memory", variable).pipe(Config.withDefault("memory"))
  }),
  memoryMegabytes: setting("TRIBUTARY_MEMORY_MB", {
    meaning: "How many megabytes of search index stay loaded. What was used longest ago makes room.",
    standard: "a quarter of the machine's memory, at most 2048",
    mustBe: "a whole number from 16 to 1048576",
    read: (variable) =>
      Config.schema(Schema.Int.check(Schema.isBetween({ minimum: 16, maximum: 1_048_576 })), variable).pipe(
        Config.withDefault(Math.min(2_048, Math.floor(totalmem() / 4_000_000)))
      )
  }),
  adminToken: setting("TRIBUTARY_ADMIN_TOKEN", {
    meaning: "Switches the operator API on and is the bearer token that it asks for.",
    standard: "none: the operator API is off",
    mustBe: "at least 24 characters long, without white space",
    read: (variable) =>
      Config.schema(Schema.Redacted(Schema.String.check(Schema.isPattern(/^\S{24,}$/))), variable).pipe(Config.option)
  }),
  logFormat: setting("TRIBUTARY_LOG_FORMAT", {
    meaning: "How log lines look: pretty, for people, or json, for programs. They go to standard error.",
    standard: "pretty on a terminal, else json",
    mustBe: "pretty or json",
    read: (variable) => Config.Literals(["pretty", "json"], variable).pipe(Config.option)
  }),
  logLevel: setting("TRIBUTARY_LOG_LEVEL", {
    meaning: `The least severe log line that is written: ${oneOf(Object.keys(LEVELS))}.`,
    standard: "info",
    mustBe: oneOf(Object.keys(LEVELS)),
    read: (variable) =>
      Config.Literals(["trace", "debug", "info", "warn", "error", "none"], variable).pipe(
        Config.withDefault("info"),
        Config.map((name) => LEVELS[name])
      )
  })
}

type Table = typeof SETTINGS

export type Settings = { readonly [K in keyof Table]: Config.Success<Table[K]["config"]> }

export type LogFormat = Option.Option.Value<Settings["logFormat"]>

const configs = Object.fromEntries(
  Object.entries(SETTINGS).map(([name, { config }]) => [name, config])
) as { readonly [K in keyof Table]: Table[K]["config"] }

/** What each unreadable setting must be, one line for each; never what it is, since some are secrets. */
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

/** Reads the environment; names every setting that cannot be read. */
export const load: Effect.Effect<Settings, UsageError> = Config.all(configs).pipe(
  Effect.catch(() => Effect.flatMap(problems, (message) => Effect.fail(new UsageError({ message, exitCode: 1 }))))
)

/** The settings as `--help` lists them. */
export const settingsHelp = (): string =>
  Object.values(SETTINGS).map(({ meaning, standard, variable }) =>
    `  ${variable}\n      ${meaning}\n      Default: ${standard}\n`
  ).join("")

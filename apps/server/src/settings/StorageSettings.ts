/** Where data is stored. */
import * as Config from "effect/Config"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import { failed } from "../UsageError.ts"
import {
  databaseConnections,
  databaseMigrate,
  databaseSchema,
  databaseSystemRole,
  databaseUrl,
  INHERITED_URL,
  inheritedUrl
} from "./DatabaseSettings.ts"
import { booleanSetting, setting, type ValuesOf } from "./Setting.ts"

const DEFAULT_STORAGE = "embedded"

export const STORAGE_SETTINGS = {
  storage: setting("TRIBUTARY_STORAGE", {
    description:
      "The storage. memory: in the process, lost when it ends. embedded: an SQLite database in TRIBUTARY_DATA_DIR. postgres: the database at TRIBUTARY_DATABASE_URL.",
    defaultText: `postgres when TRIBUTARY_DATABASE_URL is set, else ${DEFAULT_STORAGE}`,
    mustBe: "memory, embedded or postgres",
    read: (variable) => Config.Literals(["memory", "embedded", "postgres"], variable).pipe(Config.option)
  }),
  databaseUrl,
  databaseSchema,
  databaseConnections,
  databaseMigrate,
  databaseSystemRole,
  dataDirectory: setting("TRIBUTARY_DATA_DIR", {
    description:
      "The folder of the embedded database, which one server uses at a time, and of cached copies of the search index. It is created if it does not exist.",
    defaultText: ".tributary",
    mustBe: "the path of a folder",
    read: (variable) => Config.String(variable).pipe(Config.withDefault(".tributary"))
  }),
  fsync: booleanSetting(
    "TRIBUTARY_FSYNC",
    "true",
    "Whether writes of the embedded database wait for the disk. false is faster, but a power failure may undo the last acknowledged writes."
  )
}

type Read = ValuesOf<typeof STORAGE_SETTINGS>

export type Storage =
  | { readonly kind: "memory" }
  | { readonly kind: "embedded"; readonly directory: string; readonly fsync: boolean }
  | {
    readonly kind: "postgres"
    readonly url: Redacted.Redacted
    readonly schema: string
    readonly connections: number
    readonly migrate: "auto" | "check"
    /** For work across workspaces, where row-level security is on. */
    readonly systemRole: string | undefined
    /** The folder for copies of segments, which can be lost. */
    readonly directory: string
  }

const requiredUrl = inheritedUrl.pipe(
  Effect.mapError(() => failed(`${INHERITED_URL} must be ${databaseUrl.mustBe}.`)),
  Effect.flatMap((url) =>
    Effect.fromOption(url, () => failed(`TRIBUTARY_STORAGE is postgres, so ${databaseUrl.variable} must be set.`))
  )
)

export const storageOf = Effect.fnUntraced(function*(read: Read) {
  const { databaseSchema: schema, databaseUrl: url, dataDirectory: directory, fsync } = read
  const fallback = Option.isSome(url) ? "postgres" : DEFAULT_STORAGE
  const kind = Option.getOrElse(read.storage, (): Storage["kind"] => fallback)
  switch (kind) {
    case "memory":
      return { kind } satisfies Storage
    case "embedded":
      return { kind, directory, fsync } satisfies Storage
    case "postgres":
      return {
        kind,
        url: Option.isSome(url) ? url.value : yield* requiredUrl,
        schema,
        connections: read.databaseConnections,
        migrate: read.databaseMigrate,
        systemRole: Option.getOrUndefined(read.databaseSystemRole),
        directory
      } satisfies Storage
  }
})

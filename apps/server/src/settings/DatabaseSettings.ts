/** The settings of a Postgres that servers share. */
import { MAX_CONNECTIONS } from "@tributary/postgres/maxConnections"
import * as Config from "effect/Config"
import * as Schema from "effect/Schema"
import { numberSetting, setting } from "./Setting.ts"

const DatabaseUrl = Schema.String.check(
  Schema.makeFilter((text) => /^postgres(?:ql)?:$/.test(URL.parse(text)?.protocol ?? ""))
)

/** Many hosts set it for other programs, so it is read only if the storage is explicitly Postgres. */
export const INHERITED_URL = "DATABASE_URL"

const readUrl = (variable: string) => Config.schema(Schema.Redacted(DatabaseUrl), variable).pipe(Config.option)

export const inheritedUrl = readUrl(INHERITED_URL)

export const databaseUrl = setting("TRIBUTARY_DATABASE_URL", {
  secret: true,
  description: "The database, Postgres 15 or newer: postgres://USER:PASSWORD@HOST:PORT/DATABASE.",
  defaultText: `${INHERITED_URL}, but only when TRIBUTARY_STORAGE is postgres`,
  mustBe: "an address such as postgres://USER:PASSWORD@HOST:PORT/DATABASE",
  read: readUrl
})

export const databaseSchema = setting("TRIBUTARY_DATABASE_SCHEMA", {
  description: "The schema of all tables. It is created if it does not exist.",
  defaultText: "tributary",
  mustBe: "a name of at most 63 lower-case letters, digits and underscores that does not begin with a digit or pg_",
  read: (variable) =>
    Config.schema(Schema.String.check(Schema.isPattern(/^(?!pg_)[a-z_][a-z0-9_]{0,62}$/)), variable).pipe(
      Config.withDefault("tributary")
    )
})

/** One listens, one holds the lock of the first start, and one works. */
const FEWEST_CONNECTIONS = 3

export const databaseConnections = numberSetting(
  "TRIBUTARY_DATABASE_CONNECTIONS",
  { ...MAX_CONNECTIONS, minimum: FEWEST_CONNECTIONS },
  {
    description:
      "The maximum number of database connections per server. One of them listens for jobs of other servers.",
    fallback: 10
  }
)

export const databaseMigrate = setting("TRIBUTARY_DATABASE_MIGRATE", {
  description:
    "auto: a server migrates the schema when it starts. check: it changes nothing, and starts only if the schema is migrated; run tributary migrate as a role that may.",
  defaultText: "auto",
  mustBe: "auto or check",
  read: (variable) => Config.Literals(["auto", "check"], variable).pipe(Config.withDefault("auto" as const))
})

export const databaseSystemRole = setting("TRIBUTARY_DATABASE_SYSTEM_ROLE", {
  description: "The role for work across workspaces, if the database has row-level security.",
  defaultText: "none: row-level security is off",
  mustBe: "the name of a role, at most 63 characters without a space",
  read: (variable) => Config.schema(Schema.String.check(Schema.isPattern(/^\S{1,63}$/)), variable).pipe(Config.option)
})

/** A Postgres with row-level security on, made by the commands of the guide under other names. */
import { readFileSync } from "node:fs"
import { databaseUrl } from "../../../packages/postgres/test/support/testServer.ts"
import { commandHere } from "./commandHere.ts"
import type { Environment } from "./serverProcess.ts"

const GUIDE = new URL("../../../docs/operate.md", import.meta.url)

interface Secured {
  /** The environment of a server. */
  readonly settings: Environment
  /** Drops the roles after the schema. */
  readonly cleanUp: ReadonlyArray<string>
}

/** `name` is the name of the schema, and of its owner role, with the password "few". */
export const secureRows = async (
  name: string,
  run: (role: string | null, ...statements: ReadonlyArray<string>) => Promise<void>
): Promise<Secured> => {
  const [, section = ""] = /\n## Switch row-level security on\n([^]*?)\n## /.exec(readFileSync(GUIDE, "utf8")) ?? []
  const own = section
    .replaceAll(
      "db.internal:5432/tributary",
      new URL(databaseUrl ?? "postgres://none/none").host + new URL(databaseUrl ?? "postgres://none/none").pathname
    )
    .replaceAll("tributary_server", `${name}_server`)
    .replaceAll("tributary_system", `${name}_system`)
    .replaceAll("tributary.secure_rows", `${name}.secure_rows`)
  const blocks = (language: string): ReadonlyArray<string> =>
    Array.from(own.matchAll(new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``, "g")), ([, block]) => block!)
  const [makeRoles = "", switchOn = ""] = blocks("sql")
  await run(null, ...makeRoles.split(";").map((statement) => statement.trim()).filter((statement) => statement !== ""))
  const asOwner = Object.assign(new URL(databaseUrl ?? "postgres://none"), { username: name, password: "few" }).href
  await commandHere(["migrate"], { TRIBUTARY_DATABASE_URL: asOwner, TRIBUTARY_DATABASE_SCHEMA: name })
  await run(name, switchOn)
  const exported = blocks("sh").join("").matchAll(/export (\w+)=(\S+)/g)
  const settings = Object.fromEntries(Array.from(exported, ([, variable, value]) => [variable!, value!]))
  const roles = [`${name}_server`, `${name}_system`]
  return {
    settings: { ...settings, TRIBUTARY_DATABASE_SCHEMA: name },
    cleanUp: roles.flatMap((role) => [`DROP OWNED BY ${role}`, `DROP ROLE ${role}`])
  }
}

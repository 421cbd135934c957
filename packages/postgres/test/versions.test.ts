/** The kit on every supported major version; the other tests run on the newest. */
import { backendContract } from "@tributary/contract/backendContract"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { afterAll, assert, describe, it } from "vitest"
import { extent } from "../../../.ci/extent.ts"
import { advanceIn, newSchema, pool, portsIn } from "./support/database.ts"
import { databaseUrl } from "./support/testServer.ts"
import { fetchPrograms, OTHER_VERSIONS, type OtherVersion } from "./support/otherVersions.ts"
import { startOwnServer } from "./support/ownServer.ts"

const majors = Object.keys(OTHER_VERSIONS).map((major) => Number(major) as OtherVersion)

/** As the server reports it. */
const majorOf = (url?: string): Promise<number> =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const [row] = yield* sql<
      { readonly major: number }
    >`SELECT current_setting('server_version_num')::int / 10000 AS major`
    return row!.major
  }).pipe(Effect.provide(pool(url === undefined ? {} : { url })), Effect.runPromise)

const isInstalled = databaseUrl !== null && !process.env["TEST_DATABASE_URL"]

describe.skipIf(!isInstalled)("the versions that are tested", () => {
  it("are all from 15 to the installed one", async () => {
    const installed = await majorOf()
    assert.deepStrictEqual([...majors, installed], Array.from({ length: installed - 14 }, (_, at) => 15 + at))
  })
})

const start = async (major: OtherVersion) => {
  const programs = fetchPrograms(major)
  return programs === null ? null : startOwnServer({ programs })
}

for (const major of extent([], majors)) {
  const server = await start(major)
  describe.skipIf(server === null)(`Postgres ${major}`, () => {
    const schema = newSchema()
    afterAll(() => server?.close())
    it("is running", async () => assert.strictEqual(await majorOf(server?.url), major))
    backendContract(`postgres ${major}`, portsIn(schema, server?.url), {
      advance: advanceIn(schema),
      timeout: "3 minutes"
    })
  })
}

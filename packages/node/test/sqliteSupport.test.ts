import { assert, it } from "@effect/vitest"
import { isTooOld, sqliteProblem } from "../src/sqliteSupport.ts"

it("accepts the versions of Node whose SQLite stores every text", () => {
  assert.deepStrictEqual(["22.19.0", "24.9.0", "24.15.1"].map(isTooOld), [true, true, true])
  assert.deepStrictEqual(["24.16.0", "24.21.0", "25.0.0", "26.1.0"].map(isTooOld), [false, false, false, false])
  assert.isUndefined(sqliteProblem)
})

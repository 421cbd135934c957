import { runInNewContext } from "node:vm"
import { assert, it } from "vitest"
import { errorCode } from "../src/errors.ts"

it("The code of an error is found in an error of another realm, too", () => {
  assert.strictEqual(errorCode(runInNewContext("Object.assign(new Error(), { code: 'ENOENT' })")), "ENOENT")
  assert.strictEqual(errorCode(new Error()), undefined)
  assert.strictEqual(errorCode(null), undefined)
})

import { assert, describe, it } from "vitest"
import { columns } from "../src/cli/printing.ts"

describe("a table", () => {
  it("keeps each row on one line, and prints no control characters", () => {
    const rows = [["ID", "NAME", "PLAN"], ["1", "a\nb\tc\u001b[31m\u009b", "free"], ["  2", "", "pro"]]
    assert.strictEqual(
      columns(rows),
      ["ID   NAME         PLAN", "1    a b c\ufffd[31m\ufffd  free", "  2               pro"].join("\n")
    )
  })
})

import { totalmem } from "node:os"
import { memoryLimit } from "@tributary/node/memoryLimit"
import { afterEach, assert, describe, it, vi } from "vitest"

afterEach(() => vi.restoreAllMocks())

const constrained = (bytes: number) => vi.spyOn(process, "constrainedMemory").mockReturnValue(bytes)

describe("the memory that the process may use", () => {
  it("is the container's where that has less than the machine", () => {
    constrained(512_000_000)
    assert.strictEqual(memoryLimit(), 512_000_000)
  })

  it("is the machine's where no limit is set, or one that it does not have", () => {
    for (const bytes of [0, 2 ** 63]) {
      constrained(bytes)
      assert.strictEqual(memoryLimit(), totalmem())
    }
  })
})

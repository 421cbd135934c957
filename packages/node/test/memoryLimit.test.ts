import { totalmem } from "node:os"
import { memoryLimit } from "@tributary/node/memoryLimit"
import { afterEach, assert, describe, it, vi } from "vitest"

afterEach(() => vi.restoreAllMocks())

const constrained = (bytes: number) => vi.spyOn(process, "constrainedMemory").mockReturnValue(bytes)

describe("the memory limit of the process", () => {
  it("is the container's if that is less than the machine's", () => {
    constrained(512_000_000)
    assert.strictEqual(memoryLimit(), 512_000_000)
  })

  it("is the machine's without a limit, or with a larger one", () => {
    for (const bytes of [0, 2 ** 63]) {
      constrained(bytes)
      assert.strictEqual(memoryLimit(), totalmem())
    }
  })
})

/** What a process that reads files of strangers can reach of the machine. */
import { fork } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { canDisableNetwork, sandboxed } from "../src/internal/sandbox.ts"
import type { Attempts } from "./support/probe.ts"

const entry = fileURLToPath(new URL("./support/probe.ts", import.meta.url))

describe("a process that parses files", () => {
  let folder: string
  const server = createServer()
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), "tributary-confined-"))
    writeFileSync(join(folder, "secret"), "x")
    await once(server.listen(0, "127.0.0.1"), "listening")
  })
  afterEach(() => {
    server.close()
    rmSync(folder, { recursive: true })
  })

  const deeds = async (networkless: boolean): Promise<ReadonlyArray<string>> => {
    const child = fork(entry, { ...sandboxed({ megabytes: 64, networkless }), serialization: "advanced" })
    const attempts: Attempts = {
      secretFile: join(folder, "secret"),
      newFile: join(folder, "new"),
      port: (server.address() as AddressInfo).port
    }
    child.send(attempts)
    const [done] = await once(child, "message")
    assert.isFalse(existsSync(attempts.newFile))
    return done
  }

  it("reads only its own code, no environment, and can neither start nor write anything", async () => {
    assert.deepStrictEqual(await deeds(false), ["read its own code", "connect to a port"])
  })

  it("has no network if the system can deny it", async (context) => {
    if (!await canDisableNetwork()) return context.skip("This system lets no user have a network of its own.")
    assert.deepStrictEqual(await deeds(true), ["read its own code"])
  })
})

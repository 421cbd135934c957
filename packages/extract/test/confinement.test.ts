/** What a process that reads files of strangers can reach of the machine. */
import { fork } from "node:child_process"
import { once } from "node:events"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { type AddressInfo, createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterEach, assert, beforeEach, describe, it } from "vitest"
import { canLeaveNetwork, confined } from "../src/internal/confinement.ts"
import type { Attempts } from "./support/probe.ts"

const entry = fileURLToPath(new URL("./support/probe.ts", import.meta.url))

describe("a process that reads files", () => {
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
    const child = fork(entry, { ...confined({ megabytes: 64, networkless }), serialization: "advanced" })
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

  it("reads its own code, and no other file, no environment, and starts and writes nothing", async () => {
    assert.deepStrictEqual(await deeds(false), ["read its own code", "connect to a port"])
  })

  it("reaches no network where the system can keep it from it", async (context) => {
    if (!await canLeaveNetwork()) return context.skip("This system lets no user have a network of its own.")
    assert.deepStrictEqual(await deeds(true), ["read its own code"])
  })
})

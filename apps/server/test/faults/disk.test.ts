/** An embedded server whose disk is full, and has room again. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { RunningServer } from "../serverProcess.ts"
import { rowsAreSound, seenBy } from "./support/check.ts"
import { runsAll, sayWhatIsSkipped, TIMEOUT } from "./support/extent.ts"
import { eventually, killAll, start } from "./support/nodes.ts"
import { embeddedStore, type TestStore } from "./support/stores.ts"
import { newText, Tenant } from "./support/Tenant.ts"

const MB = 1_000_000

const disk = mkdtempSync(join(tmpdir(), "tributary-disk-"))

/** A small file system of its own takes a right that only root has. */
const isMounted = (() => {
  if (!runsAll) return false
  try {
    execFileSync("/bin/mount", ["-t", "tmpfs", "-o", "size=160m,mode=0700", "tmpfs", disk], { stdio: "pipe" })
    return true
  } catch (error) {
    process.stderr.write(
      `\n${"!".repeat(100)}\nNO SMALL DISK: the test of a full one is skipped. ${error}\n${"!".repeat(100)}\n`
    )
    return false
  }
})()

sayWhatIsSkipped()

describe.skipIf(!isMounted)("an embedded server on a full disk", { timeout: TIMEOUT }, () => {
  const filler = join(disk, "filler")
  let store: TestStore
  let node: RunningServer
  let tenant: Tenant

  beforeAll(async () => {
    store = embeddedStore(join(disk, "data"))
    node = await start(store)
    tenant = await Tenant.open(node)
  }, TIMEOUT)

  afterAll(async () => {
    await killAll()
    if (isMounted) execFileSync("/bin/umount", [disk])
    rmSync(disk, { recursive: true, force: true })
  }, TIMEOUT)

  const fill = () => {
    const { bavail, bsize } = statfsSync(disk)
    writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - MB / 4)))
  }

  it("refuses what it cannot store, goes on reading, and stores again once there is room", async () => {
    const big = (at: number) => new Map([[`big-${at % 5}`, newText(20_000)], [`also-${at}`, newText()]])
    for (let at = 0; at < 5; at++) assert.strictEqual((await tenant.ingest(node, big(at))).status, 200)
    await seenBy(node, tenant)
    for (const round of [1, 2]) {
      fill()
      let at = 10 * round
      await eventually("a document finds no room", async () => {
        const { body, headers, status } = await tenant.ingest(node, big(at++))
        assert.include([200, 503], status, JSON.stringify(body))
        if (status === 503) assert.isAtLeast(Number(headers.get("retry-after")), 1)
        return status === 503
      })
      const unread = await tenant.send(node, "GET", "/v1/usage/current")
      assert.include([200, 503], unread.status)
      rmSync(filler)
      await eventually("it stores again by itself", async () => (await tenant.ingest(node, big(at++))).status === 200)
      tenant.ledger.settle()
      await seenBy(node, tenant)
    }
    assert.strictEqual(await node.stop(), 0)
    await rowsAreSound(store, tenant)
  })
})

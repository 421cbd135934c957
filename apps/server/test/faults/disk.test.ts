/** Servers with a full disk that later has space again: with the embedded database, and with a Postgres. */
import { execFileSync } from "node:child_process"
import { mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { extent } from "../../../../.ci/extent.ts"
import { type OwnServer, startOwnServer } from "../../../../packages/postgres/test/support/ownServer.ts"
import type { RunningServer } from "../serverProcess.ts"
import { rowsAreSoundAfter, seenBy } from "./support/check.ts"
import { TIMEOUT } from "./support/extent.ts"
import { eventually, killAll, start } from "./support/nodes.ts"
import { embeddedStore, postgresStore, type TestStore } from "./support/stores.ts"
import { newText, Tenant } from "./support/Tenant.ts"

const MB = 1_000_000

/** Mounting small file systems needs root. Null without it. */
const mount = (size: string): string | null => {
  const disk = mkdtempSync(join(tmpdir(), "tributary-disk-"))
  try {
    execFileSync("/bin/mount", ["-t", "tmpfs", "-o", `size=${size},mode=0755`, "tmpfs", disk], { stdio: "pipe" })
    return disk
  } catch (error) {
    rmSync(disk, { recursive: true })
    const message = `NO SMALL DISK: the test of a full one is skipped. ${error}`
    process.stderr.write(`\n${"!".repeat(100)}\n${message}\n${"!".repeat(100)}\n`)
    return null
  }
}

const READS = [
  ["GET", "/v1/usage/current"],
  ["GET", "/v1/documents"],
  ["POST", "/v1/knowledge/search", { q: "badge" }],
  ["POST", "/v1/knowledge/ask", { query: "Where is the badge?" }]
] as const

interface Place {
  readonly store: TestStore
  /** The statuses of a read while the disk is full. */
  readonly reads: ReadonlyArray<number>
  /** What the operator does once there is space again. */
  readonly mend: () => Promise<void>
  readonly close: () => void
}

const embeddedOn = async (disk: string): Promise<Place> => ({
  store: embeddedStore(join(disk, "data")),
  reads: [200],
  mend: async () => {},
  close: () => {}
})

const postgresOn = async (disk: string): Promise<Place> => {
  const database: OwnServer | null = await startOwnServer({ within: disk })
  if (database === null) throw new Error("a Postgres has no place on the small disk")
  return {
    store: postgresStore(database.url),
    reads: [200, 503],
    // Postgres crashes if it cannot write its log, and may not restart on a full disk.
    mend: () => database.isRunning() ? Promise.resolve() : database.start(),
    close: database.close
  }
}

const fullDisk = (name: string, disk: string | null, open: (disk: string) => Promise<Place>) =>
  describe.skipIf(disk === null)(name, { timeout: TIMEOUT }, () => {
    const filler = join(disk ?? "", "filler")
    let place: Place
    let node: RunningServer
    let tenant: Tenant

    beforeAll(async () => {
      place = await open(disk!)
      node = await start(place.store)
      tenant = await Tenant.open(node)
    }, TIMEOUT)

    afterAll(async () => {
      await killAll()
      place.close()
      // The server releases the remaining space soon.
      execFileSync("/bin/umount", ["--lazy", disk!])
      rmSync(disk!, { recursive: true, force: true })
    }, TIMEOUT)

    const fill = () => {
      const { bavail, bsize } = statfsSync(disk!)
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - MB / 4)))
    }

    it("refuses writes, still serves reads, and writes again once there is room", async () => {
      const big = (at: number) => new Map([[`big-${at % 5}`, newText(20_000)], [`also-${at}`, newText()]])
      for (let at = 0; at < 5; at++) assert.strictEqual((await tenant.ingest(node, big(at))).status, 200)
      await seenBy(node, tenant)
      for (const round of extent([1], [1, 2])) {
        fill()
        let at = 10 * round
        await eventually("a document finds no room", async () => {
          const { body, headers, status } = await tenant.ingest(node, big(at++))
          // Filling the disk holds this process, and the server may close an idle connection meanwhile: no answer.
          assert.include([0, 200, 503], status, JSON.stringify(body))
          if (status === 503) assert.isAtLeast(Number(headers.get("retry-after")), 1)
          return status === 503
        })
        for (const [method, path, body] of READS) {
          const read = await tenant.send(node, method, path, body)
          assert.include(place.reads, read.status, path)
        }
        rmSync(filler)
        await place.mend()
        await eventually("it stores again by itself", async () => (await tenant.ingest(node, big(at++))).status === 200)
        tenant.ledger.settle()
        await seenBy(node, tenant)
      }
      await rowsAreSoundAfter(node, place.store, tenant)
    })
  })

fullDisk("an embedded server on a full disk", mount("160m"), embeddedOn)
if (extent(false, true)) fullDisk("a server whose Postgres is on a full disk", mount("220m"), postgresOn)

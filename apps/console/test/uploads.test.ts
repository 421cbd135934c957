// Many files at once: what becomes of each is said, and what was not stored can be sent again.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it, onTestFinished } from "vitest"
import type { Client } from "@tributary/client"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { axeViolations } from "./support/axe.ts"
import { type Console, openSignedIn } from "./support/console.ts"
import { go, heading, press, seen, workspaceOf } from "./support/steps.ts"

const textFile = (name: string, text = `This is ${name}.`) => ({
  name,
  mimeType: "text/plain",
  buffer: Buffer.from(text)
})

/** The signature of a PNG file. */
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0])

describe.skipIf(chromiumPath === null)("Files", () => {
  let console: Console
  let page: Page
  let base: string
  let client: Client
  let connector: string

  beforeAll(async () => {
    ;({ base, client, console, page } = await openSignedIn())
    const { connector_id } = await client.connectors.create({ name: "Archive", source_name: "archive" })
    connector = connector_id
  })
  afterAll(() => console?.close())
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  const choose = async (files: ReadonlyArray<ReturnType<typeof textFile>>) => {
    await page.goto(`${base}/connectors/${connector}`)
    await page.locator("input[type=file]").setInputFiles([...files])
  }
  const progress = () => page.getByRole("progressbar", { name: "Uploads" }).getAttribute("aria-valuenow")

  it("count as refused beyond the plan, with the reason, and are retried when there is room", async () => {
    console.problems.foresee(/402/)
    await console.operator.workspaces.update(workspaceOf(page), { limits: { documents: 1 } })
    await choose(Array.from({ length: 130 }, (_, index) => textFile(`note-${index}.txt`)))
    await seen(page, "130 files: 1 stored, 129 refused")
    assert.strictEqual(await progress(), "1")
    await seen(page, "The plan's cap on documents is reached.")
    assert.deepStrictEqual(await axeViolations(page), [])
    await console.operator.workspaces.update(workspaceOf(page), { limits: { documents: 1_000 } })
    await press(page, "Try all 129 again")
    await seen(page, "130 files: 130 stored")
    assert.strictEqual(await progress(), "100")
    assert.strictEqual((await client.usage()).entitlements.documents.used, 130)
  })

  it("are refused before sending if they are too large", async () => {
    let sent = 0
    page.on("request", (request) => {
      if (request.url().endsWith("/ingest/typed/upload")) sent++
    })
    // From a disk, as it is too large for the line to the browser, too.
    const folder = mkdtempSync(join(tmpdir(), "tributary-uploads-"))
    const paths = ["huge.txt", "small.txt"].map((name) => join(folder, name))
    writeFileSync(paths[0]!, "x".repeat(34_000_000))
    writeFileSync(paths[1]!, "This is small.txt.")
    onTestFinished(() => rmSync(folder, { recursive: true }))
    await page.goto(`${base}/connectors/${connector}`)
    await page.locator("input[type=file]").setInputFiles(paths)
    await seen(page, "2 files: 1 stored, 1 refused")
    await seen(page, "It is larger than 33.5 MB, and was not sent.")
    assert.strictEqual(sent, 1)
  })

  it("of a format that nothing reads are not offered to be tried again, as the others are", async () => {
    console.problems.foresee(/400/, /ERR_/)
    await page.route(
      "**/ingest/typed/upload",
      (route) => route.request().postDataBuffer()!.includes("lost.txt") ? route.abort() : route.continue()
    )
    await choose([{ ...textFile("picture.png"), mimeType: "image/png", buffer: PNG }, textFile("lost.txt")])
    await seen(page, "2 files: 1 not sent, 1 refused")
    await seen(page, "The file's format is not supported.")
    await page.unrouteAll()
    assert.strictEqual(await page.getByRole("button", { name: "Try again with picture.png" }).count(), 0)
    await press(page, "Try it again")
    await seen(page, "2 files: 1 stored, 1 refused")
    assert.strictEqual(await page.getByRole("button", { name: /^Try/ }).count(), 0)
  })

  it("without text are stored, which is said", async () => {
    await choose([textFile("empty.txt", ""), textFile("blank.txt", " \n\n"), textFile("full.txt")])
    await seen(page, "3 files: 1 stored, 2 stored without text")
    assert.strictEqual(await progress(), "100")
    assert.strictEqual(await page.getByText("It holds no text, so only its name is found.").count(), 2)
  })

  it("are refused by a proxy that takes less, which is said", async () => {
    console.problems.foresee(/413/)
    await page.route(
      "**/ingest/typed/upload",
      (route) =>
        route.fulfill({ status: 413, contentType: "text/html", body: "<h1>413 Request Entity Too Large</h1>" }),
      {
        times: 1
      }
    )
    await choose([textFile("minutes.txt")])
    await seen(page, "A proxy in front of the service refuses requests of this size (status 413).")
  })

  it("are in a list whose first load began before they were stored", async () => {
    const begun = Promise.withResolvers<void>()
    const over = Promise.withResolvers<void>()
    await page.route(/\/documents\?/, async (route) => {
      const response = await route.fetch()
      begun.resolve()
      await over.promise
      // The page may have given up on it.
      await route.fulfill({ response }).catch(() => {})
    }, { times: 1 })
    await page.goto(`${base}/connectors/${connector}`)
    await begun.promise
    await page.locator("input[type=file]").setInputFiles([textFile("early.txt")])
    await seen(page, "1 file: 1 stored")
    over.resolve()
    await page.getByRole("link", { name: "early.txt" }).waitFor()
  })

  it("are taken while a folder that was dropped before is still being read, and those of the folder later", async () => {
    await page.goto(`${base}/connectors/${connector}`)
    const dropped = await page.evaluateHandle(() => {
      const data = new DataTransfer()
      data.items.add(new File(["This is quick.txt."], "quick.txt", { type: "text/plain" }))
      return data
    })
    // A folder whose entries are read when the test says so.
    const finish = await page.evaluateHandle(() => {
      const slow = new File(["This is slow.txt."], "slow.txt", { type: "text/plain" })
      const entries = [{
        isFile: true,
        name: slow.name,
        fullPath: "/folder/slow.txt",
        file: (take: (file: File) => void) => take(slow)
      }]
      const { promise, resolve } = Promise.withResolvers<void>()
      const { prototype } = DataTransferItem
      const { webkitGetAsEntry } = prototype
      const readEntries = (take: (some: ReadonlyArray<unknown>) => void) =>
        void promise.then(() => take(entries.splice(0)))
      prototype.webkitGetAsEntry = () => {
        prototype.webkitGetAsEntry = webkitGetAsEntry
        return { isDirectory: true, createReader: () => ({ readEntries }) } as unknown as FileSystemEntry
      }
      return resolve
    })
    const drop = () => page.locator(".drop").dispatchEvent("drop", { dataTransfer: dropped })
    await drop()
    await drop()
    await seen(page, "1 file: 1 stored")
    await finish.evaluate((finish) => finish())
    await seen(page, "2 files: 2 stored")
    await seen(page, "folder/slow.txt")
  })

  it("are announced when they are over, not one by one", async () => {
    await page.goto(`${base}/connectors/${connector}`)
    await page.locator("input[type=file]").waitFor({ state: "attached" })
    const heard = await page.evaluateHandle(() => {
      const heard = new Set<string>()
      const listen = () => {
        for (const { textContent } of document.querySelectorAll("[role=status]")) {
          if (/files?:/.test(textContent)) heard.add(textContent)
        }
      }
      new MutationObserver(listen).observe(document.body, { childList: true, characterData: true, subtree: true })
      return heard
    })
    await page.locator("input[type=file]").setInputFiles(
      Array.from({ length: 30 }, (_, index) => textFile(`announced-${index}.txt`))
    )
    await page.getByRole("status").getByText("30 files: 30 stored").waitFor()
    assert.isAtMost(await heard.evaluate((heard) => heard.size), 5)
    await press(page, "Clear the list")
  })

  it("continue on other pages, and can be stopped and sent again", async () => {
    console.problems.foresee(/ERR_/)
    await page.goto(`${base}/connectors/${connector}`)
    await page.locator("input[type=file]").waitFor({ state: "attached" })
    const network = await page.context().newCDPSession(page)
    await network.send("Network.enable")
    const limited = { offline: false, latency: 0, downloadThroughput: -1 }
    await network.send("Network.emulateNetworkConditions", { ...limited, uploadThroughput: 100_000 })
    const long = "Minutes of a long meeting. ".repeat(40_000)
    await page.locator("input[type=file]").setInputFiles([
      textFile("one.txt", long),
      textFile("two.txt", long),
      textFile("three.txt", long)
    ])
    await seen(page, /3 files: 1 waiting, 2 sending/)
    await go(page, "Sources")
    await go(page, "Archive")
    await heading(page, "Archive")
    await press(page, "Stop")
    await seen(page, "3 files: 3 stopped")
    await network.send("Network.emulateNetworkConditions", { ...limited, uploadThroughput: -1 })
    await press(page, "Try again with two.txt")
    await seen(page, "3 files: 1 stored, 2 stopped")
    await press(page, "Try all 2 again")
    await seen(page, "3 files: 3 stored")
    await press(page, "Clear the list")
    await page.getByRole("region", { name: "Queue" }).waitFor({ state: "detached" })
  })
})

// Code of thousands of lines, in a document and in an answer that streams.
import type { Page } from "playwright-core"
import { afterAll, afterEach, assert, beforeAll, describe, it } from "vitest"
import type { Client } from "@tributary/client"
import { chromiumPath } from "../../../.ci/chromium.ts"
import { type Console, openSignedIn } from "./support/console.ts"
import { fill, seen } from "./support/steps.ts"

const LINES = Array.from({ length: 5_000 }, (_, index) => `const value${index} = ${index}\n`).join("")

/** Runs in the browser: an answer that sends a line of code each time that the page asks for more. */
const answerInLines = (lines: number): void => {
  const { fetch } = globalThis
  const encoder = new TextEncoder()
  const part = (text: string) => encoder.encode(`event: delta\ndata: ${JSON.stringify({ text })}\n\n`)
  globalThis.fetch = async (...request) => {
    if (!String(request[0]).endsWith("/v1/knowledge/ask")) return await fetch(...request)
    let line = 0
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve))
        if (line === 0) controller.enqueue(part("```ts\n"))
        if (line < lines) controller.enqueue(part(`const value${line} = compute(${line}, "some words of the line")\n`))
        line++
      }
    })
    return new Response(body, { headers: { "content-type": "text/event-stream" } })
  }
}

describe.skipIf(chromiumPath === null)("Code of thousands of lines", () => {
  let console: Console
  let page: Page
  let base: string
  let client: Client

  beforeAll(async () => {
    ;({ base, client, console, page } = await openSignedIn())
  })
  afterAll(() => console?.close())
  afterEach(() => assert.deepStrictEqual(console.problems.take(), []))

  it("is code up to its end in a document, and found there", async () => {
    const { connector_id } = await client.connectors.create({ name: "Wiki", source_name: "wiki" })
    const text = `# Code\n\n\`\`\`ts\n${LINES}\`\`\`\n\nThe end of it.`
    const { items: [item] } = await client.ingest.text(connector_id, [{ external_id: "code.md", title: "Code", text }])
    await page.goto(`${base}/documents/${item!.document_id}?find=value4321`)
    assert.strictEqual(await page.locator("pre mark").innerText(), "value4321")
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight))
    await page.locator("p").getByText("The end of it.").waitFor()
    await page.locator("pre").getByText("const value4999 = 4999").waitFor()
  })

  it("streams into an answer as fast at its end as at its beginning", async () => {
    const tab = await console.newTab(page)
    await tab.addInitScript(answerInLines, 2_000)
    await tab.goto(`${base}/playground`)
    const session = await tab.context().newCDPSession(tab)
    await session.send("Performance.enable")
    /** Seconds of the page's scripts. */
    const worked = async (): Promise<number> => {
      const { metrics } = await session.send("Performance.getMetrics")
      return metrics.find(({ name }) => name === "ScriptDuration")!.value
    }
    await fill(tab, "Question", "What is the code?")
    await tab.keyboard.press("Enter")
    const times: Array<number> = []
    for (const line of [0, 299, 1_699, 1_999]) {
      await seen(tab, new RegExp(`const value${line} =`))
      times.push(await worked())
    }
    const [start = 0, quarter = 0, last = 0, end = 0] = times
    assert.isBelow((end - last) / (quarter - start), 3)
    await tab.close()
  })
})

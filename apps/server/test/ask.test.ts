/** `tributary ask` as a conversation: on a terminal, over HTTP and within the process. */
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import type { Answer } from "@tributary/client"
import { describeWith } from "../../../packages/sources/test/support/describeWith.ts"
import { answerText } from "../src/commands/ask/answerText.ts"
import { onTerminal } from "./onTerminal.ts"
import { api, command, type RunningServer, startServer } from "./serverProcess.ts"

const URL = "https://handbook.example.org/garage"

describeWith(["script"], "tributary ask on a terminal", () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await startServer([])
    const { connector_id } = await api<{ connector_id: string }>(server, "POST", "/v1/custom-connectors", {
      name: "Handbook",
      source_name: "handbook"
    })
    const timestamp = "2026-11-01T09:00:00Z"
    await api(server, "POST", `/v1/custom-connectors/${connector_id}/ingest/typed`, {
      items: [
        {
          external_id: "g",
          timestamp,
          payload: { kind: "page", title: "Garage", text: "The garage opens at seven.", url: URL }
        },
        {
          external_id: "l",
          timestamp,
          payload: { kind: "page", title: "Locker", text: "The locker holds the spare keys." }
        }
      ]
    })
  })
  afterAll(() => server?.stop())

  const reach = () => ({ TRIBUTARY_URL: server.url, TRIBUTARY_KEY: server.key })

  it("answers one question after the other, with clickable sources, until the person leaves", async () => {
    const { code, shown } = await onTerminal(["ask"], reach(), [
      ["> ", "When does the garage open?\r"],
      ["handbook, g)", ""],
      ["> ", "\r"],
      ["> ", "What does the locker hold?\r"],
      ["handbook, l)", ""],
      ["> ", "\u0004"]
    ])
    assert.strictEqual(code, 0, shown)
    assert.include(shown, "The garage opens at seven. [1]")
    assert.include(shown, `\u001b]8;;${URL}\u001b\\Garage\u001b]8;;\u001b\\`)
    assert.include(shown, "The locker holds the spare keys. [1]")
  })

  it("continues after a failed question, and leaves on Ctrl-C between two", async () => {
    const { code, shown } = await onTerminal(["ask", "--timezone", "Nowhere/Land"], reach(), [
      ["> ", "When does the garage open?\r"],
      ["IANA", ""],
      ["> ", "\u0003"]
    ])
    assert.strictEqual(code, 0, shown)
  })

  it("reads one question without a terminal", async () => {
    const { code, stderr } = await command(["ask"], reach())
    assert.strictEqual(code, 2)
    assert.include(stderr, "QUESTION is missing")
    const { stdout } = await command(["ask", "Who is the president of France?"], reach())
    assert.notInclude(stdout, "\u001b")
  })
})

describe("An answer in a terminal", () => {
  it("names the source of a quote that is the answer, and quotes what proves another one", () => {
    const text = (response: string) => {
      const entity = { external_id: "a", source: "custom:notes", title: "A", url: null, marker: 1, quote: "Open at 7." }
      const answer = { response, citations: [{ type: "custom", entity }], model: "extractive" }
      return answerText(answer as unknown as Answer, false)
    }
    assert.strictEqual(text("Open at 7. [1]"), "Open at 7. [1]\n\n[1] A  (custom:notes, a)")
    assert.include(text("It opens in the morning. [1]"), "    \"Open at 7.\"")
  })

  const shown = (quote: string) => {
    const entity = { external_id: "a", source: "custom:notes", title: "A", url: null, marker: null, quote }
    const answer = {
      response: "No evidence.",
      citations: [],
      model: "extractive",
      related: [{ type: "custom", entity }]
    }
    return answerText(answer as unknown as Answer, false)
  }

  it("shortens a long quote", () => {
    assert.include(shown("🐦".repeat(600)), `"${"🐦".repeat(600)}"`)
    assert.include(shown("🐦".repeat(601)), `"${"🐦".repeat(600)}…"`)
  })
})

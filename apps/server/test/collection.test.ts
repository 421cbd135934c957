/** Collections as files: the items of their lines, and the errors of invalid lines. */
import type { TextItem } from "@tributary/core/model/Ingest"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import { gzipSync } from "node:zlib"
import { fromCollection } from "../src/commands/ingest/collection.ts"
import type { Problem } from "../src/commands/ingest/Files.ts"

const folder = mkdtempSync(join(tmpdir(), "tributary-collection-"))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const read = async (name: string, content: string | Uint8Array) => {
  const path = join(folder, name)
  writeFileSync(path, content)
  const problems: Array<Problem> = []
  const reading = { problems, bytesRead: 0 }
  const items: Array<TextItem> = []
  for await (const item of fromCollection({ path, id: name, bytes: content.length }, reading)) items.push(item)
  return { items, problems: problems.map(({ path, problem }) => [path.slice(folder.length + 1), problem]), reading }
}

const lines = (count: number) =>
  Array.from({ length: count }, (_, number) => `{"id":${number},"text":"Number ${number}, né ${number}."}\n`).join("")

describe("A collection", () => {
  it("has an item per line, with its optional fields", async () => {
    const { items, problems } = await read(
      "a.jsonl",
      [
        "\ufeff{\"id\":7,\"text\":\"\"}\r",
        "",
        "{\"id\":\"b\",\"text\":\"B\",\"title\":null,\"colour\":\"passed over\"}",
        JSON.stringify({
          id: "c",
          text: "C",
          title: "T",
          url: "https://a.test/",
          date: "2026-01-31",
          metadata: { a: "b" }
        })
      ].join("\n")
    )
    assert.deepStrictEqual(problems, [])
    assert.deepStrictEqual(items, [
      { external_id: "7", text: "" },
      { external_id: "b", text: "B" },
      {
        external_id: "c",
        text: "C",
        title: "T",
        url: "https://a.test/",
        timestamp: new Date("2026-01-31T00:00:00Z"),
        metadata: { a: "b" }
      }
    ])
  })

  it.each([
    ["{", "it is no JSON"],
    ["[]", "it is no JSON object"],
    ["{\"text\":\"a\"}", "\"id\" must be a text of 1 to 512 characters"],
    ["{\"id\":9007199254740993,\"text\":\"a\"}", "\"id\" is a number that would lose digits"],
    ["{\"id\":\"a\"}", "\"text\" must be a text"],
    ["{\"id\":\"a\",\"text\":\"\",\"title\":1}", "\"title\" must be a text"],
    ["{\"id\":\"a\",\"text\":\"\\u0000\"}", "it holds a NUL character or half a surrogate pair, which no document may"],
    ["{\"id\":\"a\",\"text\":\"\",\"url\":\"a.test\"}", "\"url\" must be an address such as https://example.com/page"],
    ["{\"id\":\"a\",\"text\":\"\",\"date\":\"soon\"}", "\"date\" must be a date such as 2026-01-31"],
    ["{\"id\":\"a\",\"text\":\"\",\"date\":\"2026-02-30\"}", "\"date\" must be a date such as 2026-01-31"],
    [
      "{\"id\":\"a\",\"text\":\"\",\"date\":\"9999-12-31T23:00:00-01:00\"}",
      "\"date\" must be a date such as 2026-01-31"
    ],
    [
      "{\"id\":\"a\",\"text\":\"\",\"metadata\":{\"a\":1}}",
      "\"metadata\" must be an object of at most 50 texts of up to 2,000 characters"
    ],
    [Buffer.from([0x7b, 0xff, 0x7d]), "it is no text in UTF-8"],
    [Buffer.alloc(33 * 1024 * 1024, "a"), "it is longer than 32 MiB"]
  ])("says what is wrong with a line, and goes on after it: %#", async (line, problem) => {
    const { items, problems } = await read("b.jsonl", Buffer.concat([Buffer.from(line), Buffer.from(`\n${lines(1)}`)]))
    assert.deepStrictEqual(problems, [["b.jsonl:1", problem]])
    assert.lengthOf(items, 1)
  })

  it.each([
    ["2026-01-31", "2026-01-31T00:00:00Z"],
    ["2026-01-31T09:30:00+01:00", "2026-01-31T08:30:00Z"],
    ["2026-01-31T09:30:00", "2026-01-31T09:30:00Z"],
    ["0001-01-01", "0001-01-01T00:00:00Z"]
  ])("has the date %s in UTC, wherever it is read", async (date, moment) => {
    const { items } = await read("dates.jsonl", JSON.stringify({ id: "a", text: "", date }))
    assert.deepStrictEqual(items.map(({ timestamp }) => timestamp), [new Date(moment)])
  })

  it("may be compressed, and reports progress by the bytes of the file", async () => {
    const packed = gzipSync(lines(20_000))
    const { items, problems, reading } = await read("c.jsonl.gz", packed)
    assert.deepStrictEqual([items.length, items.at(-1)?.text], [20_000, "Number 19999, né 19999."])
    assert.deepStrictEqual(problems, [])
    assert.strictEqual(reading.bytesRead, packed.length)
  })

  it("that is damaged is ingested up to the damage", async () => {
    const packed = gzipSync(lines(20_000))
    const { items, problems } = await read("d.jsonl.gz", packed.subarray(0, packed.length - 1_000))
    assert.isAbove(items.length, 10_000)
    assert.deepStrictEqual(problems, [[
      `d.jsonl.gz:${items.length}`,
      "nothing after it can be read: unexpected end of file"
    ]])
    const none = await read("e.jsonl.gz", lines(1))
    assert.deepStrictEqual(none.problems, [["e.jsonl.gz", "it cannot be read: incorrect header check"]])
  })

  it("holds only one line in memory, however far it unpacks", async () => {
    const { items, problems } = await read("f.jsonl.gz", gzipSync(Buffer.alloc(40 * 1024 * 1024, " "), { level: 1 }))
    assert.deepStrictEqual([items, problems], [[], [["f.jsonl.gz:1", "it is longer than 32 MiB"]]])
  })
})

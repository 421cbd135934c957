import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { Cursor, PAGE, pageOf } from "../src/tools/fetchPage.ts"

const VERSION = "2026-01-02T03:04:05.678Z"

const pagesOf = (text: string): ReadonlyArray<string> => {
  const pages: Array<string> = []
  for (let cursor: string | null = null;;) {
    const page: ReturnType<typeof pageOf> = pageOf(text, VERSION, cursor)
    if (page === null) throw new Error("the page is gone")
    pages.push(page.text)
    if (page.next === null) return pages
    cursor = Schema.decodeUnknownSync(Cursor)(page.next)
  }
}

describe("Pages of a long text", () => {
  it.effect.prop(
    "join to the whole, and none ends within a character",
    [Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: PAGE }))],
    ([length]) =>
      Effect.sync(() => {
        const text = "x".repeat(length % 2) + "😀".repeat(length)
        const pages = pagesOf(text)
        assert.isTrue(pages.join("") === text)
        for (const page of pages) {
          assert.isAtMost(page.length, PAGE)
          assert.isTrue(page.isWellFormed())
        }
      }),
    { arbitrary: { runs: 20 } }
  )

  it("are one if the text is short", () => {
    assert.deepStrictEqual(pageOf("", VERSION, undefined), { text: "", next: null })
    assert.deepStrictEqual(pageOf("abc", VERSION, null), { text: "abc", next: null })
  })

  it("are of one version of the document", () => {
    const { next } = pageOf("x".repeat(PAGE + 1), VERSION, null)!
    assert.isNull(pageOf("x".repeat(PAGE + 1), "2026-01-02T03:04:05.679Z", next))
    assert.isNull(pageOf("short now", VERSION, next))
  })
})

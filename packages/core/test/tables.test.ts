/** Tables and counts: what is read across the passages of a document, and across documents. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Asks } from "../src/ask/Asks.ts"
import { filled, service } from "./support/filled.ts"
import { message, page } from "./support/written.ts"

const ROWS = Array.from(
  { length: 60 },
  (_, at) => `| gauge-${at} | ${2000 + at} | A gauge by the river that is read every morning. |`
)

const CONTENT = `# Gauges\n\nAll of them report to the harbour.\n\n| Name | Height | Note |\n| --- | --- | --- |\n${
  ROWS.join("\n")
}`

const GAUGES = page("gauges", "2026-01-05T09:00:00Z", "Gauges", CONTENT)

const failures = (count: number) =>
  Array.from(
    { length: count },
    (_, at) =>
      message(`f-${at}`, `2026-03-0${1 + (at % 9)}T0${at % 10}:00:00Z`, "#alerts", "Ada", `Backup number ${at} failed.`)
  )

layer(service)("an answer", (it) => {
  it.effect("reads a row with the head of its table, wherever that stands", () =>
    Effect.gen(function*() {
      const id = yield* filled([GAUGES])
      const asks = yield* Asks
      for (const [at, row] of ROWS.entries()) {
        const { citations, response } = yield* asks.ask(id, { query: `What is the height of gauge-${at}?` })
        assert.match(response, new RegExp(`^${2000 + at}: Name: gauge-${at}; Height: ${2000 + at}; `))
        const { end, quote, start } = citations[0]!.entity
        assert.deepStrictEqual([quote, CONTENT.slice(start, end)], [row, row])
      }
    }))

  it.effect("counts more documents than it cites, and says when there may be more than it has seen", () =>
    Effect.gen(function*() {
      const asks = yield* Asks
      const few = yield* asks.ask(yield* filled(failures(24)), { query: "How often did the backup fail?" })
      assert.match(few.response, /^24 documents match "backup" and "fail"\. /)
      assert.strictEqual(few.citations.length, 10)
      const many = yield* asks.ask(yield* filled(failures(130)), { query: "How often did the backup fail?" })
      assert.match(many.response, /^At least 1\d\d documents match /)
      assert.isTrue(many.truncated)
    }))

  it.effect("counts nothing that is only spoken of, that did not happen, or that happened on another day", () =>
    Effect.gen(function*() {
      const asks = yield* Asks
      const id = yield* filled([
        message("one", "2026-03-04T09:00:00Z", "#alerts", "Ada", "The backup failed."),
        message("two", "2026-03-05T09:00:00Z", "#alerts", "Ada", "The backup did not fail."),
        message("three", "2026-03-05T10:00:00Z", "#alerts", "Ada", "Did the backup fail?"),
        message("four", "2026-02-05T09:00:00Z", "#alerts", "Ada", "The backup failed.")
      ])
      const { citations } = yield* asks.ask(id, { query: "How often did the backup fail last week?" })
      assert.deepStrictEqual(citations.map(({ entity }) => entity.external_id), ["one"])
      assert.isFalse((yield* asks.ask(id, { query: "How many backups are there?" })).answered)
    }))

  it.effect("is none to what asks about nothing, however long it is", () =>
    Effect.gen(function*() {
      const id = yield* filled([GAUGES])
      const asks = yield* Asks
      const pairs = Array.from({ length: 660 }, (_, at) => at.toString(36).padStart(2, "0"))
      for (
        const query of [
          "when",
          "Is it?",
          "the of and to ".repeat(140),
          "?!.,;: ".repeat(280),
          "how many ".repeat(220),
          pairs.join(" "),
          "👨‍👩‍👧",
          "e\u0301".repeat(900),
          "什么时候开会？",
          "|---|"
        ]
      ) assert.isFalse((yield* asks.ask(id, { query })).answered, query.slice(0, 20))
      assert.isTrue((yield* asks.ask(id, { query: "gauge-7" })).answered)
    }))
})

/** Questions that ask about nothing. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Asks } from "../../src/ask/Asks.ts"
import { filled, service } from "../support/filled.ts"
import { page } from "../support/written.ts"

const ROWS = Array.from(
  { length: 60 },
  (_, at) => `| gauge-${at} | ${2000 + at} | A gauge by the river that is read every morning. |`
)

const CONTENT = `# Gauges\n\nAll of them report to the harbour.\n\n| Name | Height | Note |\n| --- | --- | --- |\n${
  ROWS.join("\n")
}`

const GAUGES = page("gauges", "2026-01-05T09:00:00Z", "Gauges", CONTENT)

layer(service)("an answer", (it) => {
  it.effect("is empty for a question without content, however long it is", () =>
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

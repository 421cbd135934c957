/** Questions about exact names, among documents that repeat similar ones. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Asks } from "../../src/ask/Asks.ts"
import { filled, service } from "../support/filled.ts"
import { page } from "../support/written.ts"

const TIME = "2026-03-01T09:00:00Z"

const MISSES: Readonly<Record<string, ReadonlyArray<string>>> = {
  "ABC-123": ["ABC-124", "ABC and 123", "123 ABC"],
  "5.10": ["5.1", "5 and 10", "10.5"],
  "F#": ["C#", "the F", "F and C#"],
  "GPT 4": ["GPT 3.5", "4 GPT", "GPT or 4"],
  "GB29 NWBK 6016 1331 9268 19": ["GB29 NWBK 6016 1331 19 9268", "GB29 NWBK 6016 1331 9268"],
  "O'Brien-Smythe": ["O'Brien and Smythe", "Smythe-O'Brien"],
  "Room 42": ["Room 43", "42 Room", "Room 4 and 2"]
}

const similar = Object.values(MISSES).flat().map((other, at) =>
  page(`other-${at}`, TIME, `Where is ${other}`, `Where is ${other} kept? ${other} is kept on the shelf, ${other} is.`)
)

const PLACES: Readonly<Record<string, (name: string) => readonly [title: string, text: string]>> = {
  "the text": (name) => ["Note", `Somebody said that ${name} is kept in the locker by the window, and left.`],
  "the title": (name) => [name, "It is kept in the locker by the window, at least since the winter."],
  "a table": (name) => [
    "List",
    `| what | where |\n|---|---|\n| ${MISSES[name]![0]} | shelf |\n| ${name} | locker |\n| ${MISSES[name]![1]} | box |`
  ]
}

layer(service)("a question about an exact name", (it) => {
  for (const [place, textOf] of Object.entries(PLACES)) {
    it.effect(`is answered from the document that has it in ${place}`, () =>
      Effect.gen(function*() {
        const named = Object.keys(MISSES).map((name, at) => page(`target-${at}`, TIME, ...textOf(name)))
        const id = yield* filled([...similar, ...named])
        for (const [at, name] of Object.keys(MISSES).entries()) {
          for (const query of [name, `where is ${name} kept?`]) {
            const { citations, related = [] } = yield* (yield* Asks).ask(id, { query })
            const [first] = [...citations, ...related]
            assert.strictEqual(first?.entity.external_id, `target-${at}`, query)
          }
        }
      }))
  }

  it.effect("is not answered from similar ones, where no document has it", () =>
    Effect.gen(function*() {
      const id = yield* filled(similar)
      for (const query of ["where is ABC-123 kept?", "where is Room 42 kept?", "where is GPT 4 kept?"]) {
        assert.isFalse((yield* (yield* Asks).ask(id, { query })).answered, query)
      }
    }))

  it.effect("is answered among hundreds that are alike but for names and numbers, and not beyond what they say", () =>
    Effect.gen(function*() {
      const people = ["Anna", "Eva", "Jan", "Mona"].flatMap((first) =>
        ["Huber", "Krause", "Lang", "Schmidt", "Vogt"].map((last) => `${first} ${last}`)
      )
      const id = yield* filled([
        ...people.map((name, at) =>
          page(
            `person-${at}`,
            TIME,
            name,
            `${name} works in sales and lives in street number ${at}. The telephone extension is ${1_000 + at}.`
          )
        ),
        ...Array.from({ length: 200 }, (_, at) =>
          page(
            `invoice-${at}`,
            TIME,
            `Invoice ${2_000 + at}`,
            `Invoice ${2_000 + at} was issued to customer ${at} and is due on day ${at} of the year.`
          ))
      ])
      const answered = {
        "Where does Anna Schmidt live?": `person-${people.indexOf("Anna Schmidt")}`,
        "What is the telephone extension of Eva Lang?": `person-${people.indexOf("Eva Lang")}`,
        "When is invoice 2041 due?": "invoice-41",
        "Who was invoice 2100 issued to?": "invoice-100"
      }
      for (const [query, external_id] of Object.entries(answered)) {
        const { citations } = yield* (yield* Asks).ask(id, { query })
        assert.strictEqual(citations[0]?.entity.external_id, external_id, query)
      }
      const unanswered = ["Where does Anna Otto live?", "When is invoice 3999 due?", "What is the salary of Eva Lang?"]
      for (const query of unanswered) assert.isFalse((yield* (yield* Asks).ask(id, { query })).answered, query)
    }))
})

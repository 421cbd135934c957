import { assert, describe, it } from "@effect/vitest"
import { IdentifierFinder } from "../../../src/text/names/identifiers.ts"
import { parseQuery } from "../../../src/search/query/Query.ts"
import { visitWords } from "../../../src/text/words.ts"
import { document, search, segmentOf } from "../../support/segments.ts"

const identifiersIn = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  const finder = new IdentifierFinder(text, (identifier) => found.push(identifier))
  visitWords(text, finder.word)
  finder.finish()
  return found
}

const NAMES = [
  "ABC-123",
  "report_v2.pdf",
  "E_CONN_RESET",
  "ada@example.com",
  "v1.2.3",
  "/etc/hosts",
  "0x80070005",
  "src/main.ts",
  "C:\\Users\\x",
  "https://example.com/docs/a?b=c",
  "192.168.0.17",
  "CVE-2024-3094",
  "KB5034441",
  "ORA-00942",
  "node_modules/.bin/tsc",
  "@tributary/core",
  "2026-03-01",
  "--dry-run",
  "~/notes/todo.md",
  "ada+lists@example.co.uk",
  "x86_64",
  "550e8400-e29b-41d4-a716-446655440000",
  "README.md",
  "build#4711",
  "20481193",
  "Ärger_über.txt",
  "报告_v2.pdf",
  "std::vector",
  "COVID-19",
  "fe80::1",
  "tsconfig.base.json",
  "HTTP/2.0",
  "PAY-77-A",
  "user_id=42",
  "a1b2c3d4",
  "10%",
  "$5",
  "\u20ac460k",
  "A+"
]

const PROSE = [
  "e.g. this",
  "the U.S. team",
  "and/or",
  "state-of-the-art",
  "10-20",
  "1.5",
  "1/2",
  "10:30",
  "$12.50",
  "well - spaced",
  "here\u2014and there\u2026so",
  "apples,pears",
  "\u30b9\u30ab\u30a4\u30bf\u30ef\u30fc",
  "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645",
  "Ada's",
  "the 10th",
  "the 1990s",
  "wait...",
  "yes/no",
  "-- so it is",
  "note:this",
  "--",
  "10 percent"
]

describe("an identifier", () => {
  it("is a name with punctuation, as written", () => {
    assert.deepStrictEqual(identifiersIn("See ABC-123, or mail ada@example.com."), ["ABC-123", "ada@example.com"])
    assert.deepStrictEqual(identifiersIn("(E_CONN_RESET)"), ["E_CONN_RESET"])
  })

  it("is not prose with punctuation, and not an amount", () => {
    for (const text of PROSE) assert.deepStrictEqual(parseQuery(text).identifiers, [], text)
  })

  it("is found within a longer one", () => {
    assert.includeMembers([...identifiersIn("at src/main.ts:42")], ["src/main.ts", "main.ts"])
    assert.includeMembers([...identifiersIn("user=ada@example.com&key=ABC-123")], ["ada@example.com", "ABC-123"])
    assert.includeMembers([...identifiersIn("/var/data/report_v2.pdf")], ["report_v2.pdf"])
  })

  it("is a number in groups, as without what is between them", () => {
    assert.deepStrictEqual(identifiersIn("to DE89 3704 0044 0532 0130 00, please"), ["DE89370400440532013000"])
    assert.deepStrictEqual(identifiersIn("IBAN DE89 3704 0044 0532 0130 00"), ["DE89370400440532013000"])
    assert.deepStrictEqual(identifiersIn("card 4111\u00a01111\u00a01111\u00a01111"), ["4111111111111111"])
    assert.deepStrictEqual(identifiersIn("DE89 3704 0044 0532 0130 00 EUR 2026"), ["DE89370400440532013000"])
    assert.includeMembers([...identifiersIn("call +49 (30) 90-18-20")], ["4930901820"])
    for (
      const other of ["2019 2020 2021", "READ THIS PART ONLY", "DE89 3704, 1044 1532, 1130", "1234 567 8901 2345 67"]
    ) {
      assert.deepStrictEqual(identifiersIn(other), [], other)
    }
    const written = ["DE89 3704 0044 0532 0130 00", "DE89370400440532013000"]
    const others = Array.from({ length: 20 }, (_, at) => document(at + 3, ["DE89 3704 0044 0532 0130 01, DE89 0130"]))
    for (const text of written) {
      const target = document(1, [`Please transfer it to the account ${text} within the next two weeks.`])
      for (const query of written) {
        const [first] = search([segmentOf([...others, target])], query)
        assert.strictEqual(first?.documentId, target.id, `${query} in ${text}`)
      }
    }
  })

  it("has a maximum length", () => {
    assert.deepStrictEqual(identifiersIn("a1-".repeat(100_000)), [])
    assert.deepStrictEqual(identifiersIn(`a${"-".repeat(100_000)}1`), [])
    assert.deepStrictEqual(identifiersIn("1 ".repeat(100_000)), [])
    assert.lengthOf(identifiersIn(`${"A-".repeat(90)}1`), 1)
  })

  it("in a query ranks its chunk before all with more of its parts", () => {
    for (const name of NAMES) {
      const parts: Array<string> = []
      visitWords(name, (start, end) => parts.push(name.slice(start, end)))
      // A single word has no parts; what resembles it is one letter longer.
      const words = parts.length === 1 ? [`${name}x`] : parts
      const distractors = Array.from(
        { length: 50 },
        (_, at) =>
          document(at + 1, [[...words, ...words].reverse().map((part) => `${part} is here,`).join(" ").repeat(3)])
      )
      const target = document(99, [
        `Something else entirely is said about it, for the record: ${name} was seen by us once today.`
      ])
      const segment = segmentOf([...distractors, target])
      for (const query of [name, `what about ${name}?`, name.toUpperCase()]) {
        const [first] = search([segment], query, { limit: 3 })
        assert.strictEqual(first?.documentId, target.id, query)
      }
    }
  })

  it("in a title counts, too", () => {
    const named = { ...document(2, ["Some text about nothing."]), title: "Ticket ABC-123" }
    const segment = segmentOf([document(1, ["abc abc abc 123 123 ticket ticket"]), named])
    assert.strictEqual(search([segment], "ticket ABC-123", { limit: 1 })[0]?.documentId, named.id)
  })
})

/** The best hit of a search over a workspace. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { WorkspaceId } from "../../src/model/Id.ts"
import type { SearchAnswer } from "../../src/model/Search.ts"
import { Search } from "../../src/search/Search.ts"
import { filled, service } from "../support/filled.ts"
import { DOCUMENTS } from "../support/workspace.ts"
import { NOW, type Written } from "../support/written.ts"

const found = Effect.fnUntraced(function*(id: WorkspaceId, q: string, more: object = {}) {
  const { results } = yield* (yield* Search).search(id, { q, ...more })
  return results.map(({ external_id }) => external_id)
})

const page = (id: string, content: string): Written => ({
  external_id: id,
  timestamp: NOW,
  payload: { kind: "page", title: "Note", content }
})

/** A name, and what resembles it. */
const NAMES: ReadonlyArray<readonly [name: string, ...others: ReadonlyArray<string>]> = [
  ["ABC-123", "ABC-124", "ABC-1234", "XABC-123", "ABC 123", "123 ABC ABC"],
  ["report_v2.pdf", "report_v3.pdf", "report v2 pdf", "old_report_v2.pdf"],
  ["E_CONN_RESET", "E_CONN_RESETS", "conn reset e", "E_CONN"],
  ["ada@example.com", "ada@example.org", "ida@example.com", "ada example com"],
  ["v1.2.3", "v1.2.4", "v1.2.3.1", "1 2 3 v1"],
  ["src/main.ts", "lib/src/main.ts", "main.ts", "src main ts"],
  ["getUserName", "getUserNames", "get user name", "userNameGet"],
  ["@grace", "grace grace grace", "grace@grace.example"],
  ["C++", "C#", "C C C C", "C"],
  ["+49 30 901820", "901820 30 49", "+49 30 901821"]
]

layer(service)("a search", (it) => {
  it.effect("ranks the one document with an exact name first, alone or among other words", () =>
    Effect.gen(function*() {
      const id = yield* filled(NAMES.flatMap(([name, ...others], at) => [
        page(`target-${at}`, `Of all that was said that day somebody mentioned ${name}, in passing.`),
        ...others.map((other, number) => page(`other-${at}-${number}`, `Status plan status plan ${other}, ${other}.`))
      ]))
      for (const [at, [name]] of NAMES.entries()) {
        for (const q of [name, `what is the status of ${name}?`, `plan (${name})`]) {
          for (const group_by of ["document", "chunk"]) {
            assert.strictEqual((yield* found(id, q, { group_by }))[0], `target-${at}`, q)
          }
        }
      }
    }))

  it.effect("ranks a quoted phrase first, even if its words occur in hundreds of better documents", () =>
    Effect.gen(function*() {
      const many = Array.from({ length: 150 }, (_, at) => page(`n${at}`, "launch budget, budget launch, launch budget"))
      const id = yield* filled([...many, page("phrase", `${"Something else. ".repeat(30)} The budget of the launch.`)])
      assert.strictEqual((yield* found(id, "\"budget of the launch\""))[0], "phrase")
    }))

  it.effect("finds a file by its name and by its path, whatever its title and its text are", () =>
    Effect.gen(function*() {
      const paths = [
        "terms/Contract-2024_v2.md",
        "terms/Contract-2024_v3.md",
        "old/Contract-2024_v2.md",
        "Übersicht.docx"
      ]
      const others = ["The contract of 2024, version 2", "terms, contract, md"].map((text, at) => page(`n${at}`, text))
      const id = yield* filled([...paths.map((path) => page(path, "The fee is 500 euros.")), ...others])
      for (const path of paths) assert.strictEqual((yield* found(id, path))[0], path)
      const both = (yield* found(id, "where is contract-2024_v2.md?")).slice(0, 2)
      assert.sameMembers(both, ["terms/Contract-2024_v2.md", "old/Contract-2024_v2.md"])
      assert.deepStrictEqual(yield* found(id, "Übersicht"), ["Übersicht.docx"])
    }))

  it.effect("finds a ticket by the key that is its external id, before those with like keys", () =>
    Effect.gen(function*() {
      const others = Array.from({ length: 20 }, (_, at) => page(`OPS-42${at}`, `OPS 42, OPS ${at}: the roof leaks.`))
      const id = yield* filled([...others, page("OPS-42", "The roof leaks.")])
      for (const q of ["OPS-42", "ops-42", "what became of OPS-42?"]) {
        assert.strictEqual((yield* found(id, q))[0], "OPS-42")
      }
    }))

  it.effect("ranks what is called by a name before what mentions it, however many do", () =>
    Effect.gen(function*() {
      const text = "See OPS-42, OPS-42 and setup.md, setup.md again."
      const many = Array.from({ length: 10 }, (_, at) => page(`n${at}`, text))
      for (const mentions of [many.slice(0, 1), many]) {
        const id = yield* filled([...mentions, page("OPS-42", "The roof leaks."), page("docs/setup.md", "Unpack it.")])
        for (const q of ["OPS-42", "ops-42", "what became of OPS-42?"]) {
          assert.strictEqual((yield* found(id, q))[0], "OPS-42", `${q}, ${mentions.length}`)
        }
        for (const q of ["setup.md", "docs/setup.md"]) assert.strictEqual((yield* found(id, q))[0], "docs/setup.md", q)
      }
    }))

  it.effect("finds a dated item by the words of its date", () =>
    Effect.gen(function*() {
      const id = yield* filled(DOCUMENTS)
      assert.include(yield* found(id, "what happened on 27 February 2026"), "c-office")
      assert.strictEqual((yield* found(id, "fire drill Friday"))[0], "k-drill")
    }))

  it.effect("completes an unfinished last word, and reports the completion", () =>
    Effect.gen(function*() {
      const id = yield* filled(DOCUMENTS)
      const { results } = yield* (yield* Search).search(id, { q: "canteen clos", limit: 1 })
      assert.strictEqual(results[0]!.external_id, "c-lunch")
      const shown = results[0]!.highlights.map(([start, end]) => results[0]!.snippet.slice(start, end))
      assert.deepStrictEqual(shown, ["canteen", "closed"])
      assert.deepStrictEqual(yield* found(id, "zzz"), [])
    }))
  it.effect("pages through a thousand results at most, each once", () =>
    Effect.gen(function*() {
      const id = yield* filled(Array.from({ length: 1_010 }, (_, at) => page(`n${at}`, `lamp ${at}`)))
      const paged = new Set<string>()
      let cursor: string | null = null
      do {
        const answer: SearchAnswer = yield* (yield* Search).search(id, { q: "lamp", limit: 90, cursor })
        for (const { external_id } of answer.results) paged.add(external_id)
        cursor = answer.next_cursor
      } while (cursor !== null && paged.size < 1_010)
      assert.strictEqual(paged.size, 1_000)
    }))

  it.effect("pages through all passages of a document, each once", () =>
    Effect.gen(function*() {
      const id = yield* filled([
        page("long", "The lamp of the hall is lit at six. ".repeat(400)),
        page("other", "A lamp")
      ])
      const search = yield* Search
      const all = yield* search.search(id, { q: "lamp", group_by: "chunk", limit: 100 })
      assert.isAbove(all.count, 6)
      const paged: Array<SearchAnswer["results"][number]> = []
      let cursor: string | null = null
      do {
        const answer: SearchAnswer = yield* search.search(id, { q: "lamp", group_by: "chunk", limit: 3, cursor })
        paged.push(...answer.results)
        cursor = answer.next_cursor
      } while (cursor !== null)
      assert.deepStrictEqual(paged, all.results)
    }))
})

/** Rules for every answerer, tested with one of the host. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Latch, Layer, Logger, Stream } from "effect"
import { TestClock } from "effect/testing"
import { Asks } from "../../src/ask/Asks.ts"
import { Documents } from "../../src/documents/Documents.ts"
import { Connectors } from "../../src/ingest/Connectors.ts"
import { Answerer, type EvidenceSource, type Outcome, type Quote, type Statement } from "../../src/ports/Answerer.ts"
import { filled, serviceWith } from "../support/filled.ts"
import { page } from "../support/written.ts"

const OUTCOME: Outcome = { _tag: "Outcome", model: "scripted", related: [], warnings: [], truncated: false }

type Script = (source: EvidenceSource) => Effect.Effect<ReadonlyArray<Statement | Outcome>>

const scripted = (script: Script) =>
  Layer.succeed(Answerer, {
    answer: (_, source) => Stream.fromIterableEffect(script(source))
  })

const QUERY = "harbour"

const FIRST = "The harbour opens at six. "
const LONG = `${FIRST.repeat(60)}Nobody is let in after ten.`

/** The best passage for the question, or what `of` makes of it. */
const passageOf = (source: EvidenceSource) =>
  Effect.map(Effect.orDie(source.search(QUERY, 1)), ({ passages }) => passages[0]!)

const statement = (text: string, ...quotes: ReadonlyArray<Quote>): Statement => ({ _tag: "Statement", text, quotes })

const asked = (script: Script, content: string) =>
  Effect.gen(function*() {
    const id = yield* filled([page("rules", "2026-03-01T09:00:00Z", "Rules", content)])
    return yield* (yield* Asks).ask(id, { query: QUERY })
  }).pipe(Effect.provide(serviceWith(scripted(script))))

describe("an answer of a host's answerer", () => {
  it.effect("has its statements in order, with one marker per distinct quote", () =>
    Effect.gen(function*() {
      const answer = yield* asked((source) =>
        Effect.map(passageOf(source), ({ change_seq, document_id }) => {
          const [one, other] = [{ document_id, change_seq, start: 0, end: 11 }, {
            document_id,
            change_seq,
            start: 4,
            end: 25
          }]
          return [statement("First.", one), statement("Then see [7].", other, one), OUTCOME]
        }), FIRST.repeat(3))
      assert.strictEqual(answer.response, "First. [1]\n\nThen see [ 7 ]. [2][1]")
      assert.deepStrictEqual(answer.citations.map(({ entity }) => [entity.marker, entity.quote]), [
        [1, "The harbour"],
        [2, "harbour opens at six."]
      ])
      assert.deepInclude(answer, { answered: true, model: "scripted" })
    }))

  it.effect("fails when it has not ended within ten minutes, as a whole and as a stream", () =>
    Effect.gen(function*() {
      const id = yield* filled([page("rules", "2026-03-01T09:00:00Z", "Rules", FIRST)])
      const asks = yield* Asks
      const whole = Effect.asVoid(asks.ask(id, { query: QUERY }))
      const streamed = Effect.flatMap(asks.stream(id, { query: QUERY }), Stream.runDrain)
      for (const endless of [whole, streamed]) {
        const asking = yield* Effect.forkChild(Effect.flip(endless))
        yield* TestClock.adjust("599 seconds")
        assert.isUndefined(asking.pollUnsafe())
        yield* TestClock.adjust("1 second")
        assert.strictEqual(asking.pollUnsafe()?._tag, "Success")
        assert.strictEqual((yield* Fiber.join(asking))._tag, "StorageUnavailable")
      }
    }).pipe(Effect.provide(serviceWith(scripted(() => Effect.never)))))

  it.effect("ends with its outcome, and fails as a stream and as a whole without one", () =>
    Effect.gen(function*() {
      const streamed = (script: Script) =>
        Effect.gen(function*() {
          const id = yield* filled([page("rules", "2026-03-01T09:00:00Z", "Rules", FIRST)])
          const asks = yield* Asks
          const events = yield* Effect.exit(Effect.flatMap(asks.stream(id, { query: QUERY }), Stream.runCollect))
          const answer = yield* Effect.exit(asks.ask(id, { query: QUERY }))
          return {
            names: Exit.isSuccess(events) ? events.value.map(({ event }) => event) : null,
            isAnswered: Exit.isSuccess(answer)
          }
        }).pipe(Effect.provide(serviceWith(scripted(script)), { local: true }))
      const twice = yield* streamed(() => Effect.succeed([OUTCOME, { ...OUTCOME, model: "another" }]))
      assert.deepStrictEqual(twice, { names: ["delta", "done"], isAnswered: true })
      assert.deepStrictEqual(yield* streamed(() => Effect.succeed([])), { names: null, isAnswered: false })
    }))

  it.effect("puts no marker into a table or a code fence", () =>
    Effect.gen(function*() {
      const texts = ["| a | b |", "```\nmake\n```", `~~~${"\n".repeat(200_000)}make\n  ~~~`]
      const { response } = yield* asked((source) =>
        Effect.map(passageOf(source), ({ change_seq, document_id }) => [
          ...texts.map((text) => statement(text, { document_id, change_seq, start: 0, end: 3 })),
          OUTCOME
        ]), FIRST)
      assert.strictEqual(response, texts.map((text) => `${text}\n\n[1]`).join("\n\n"))
    }))

  it.effect("says how many statements are left out, as their quotes are not in the passages, and logs it once", () =>
    Effect.gen(function*() {
      const lines: Array<unknown> = []
      const logger = Logger.layer([Logger.make(({ message }) => void lines.push(message))])
      const leave = (count: number) =>
        asked((source) =>
          Effect.map(passageOf(source), ({ change_seq, document_id }) => {
            const version = { document_id, change_seq }
            const unknown = statement("Quicksilver.", { ...version, start: 0, end: 100_000 })
            const proved = statement("Proved.", { ...version, start: 0, end: 5 })
            return [
              ...Array.from({ length: count }, (_, at) => at === 1 ? statement("No quote.") : unknown),
              proved,
              OUTCOME
            ]
          }), LONG).pipe(Effect.provide(logger))
      assert.isUndefined((yield* leave(0)).warnings)
      assert.isEmpty(lines)
      const reason = "left out, because not every quote is in the passages that the answerer was given"
      assert.deepStrictEqual((yield* leave(1)).warnings, [`answerer: a statement was ${reason}`])
      assert.deepStrictEqual(lines, [["statements with unknown quotes are left out", {
        model: "scripted",
        statements: 1
      }]])
      const { response, warnings } = yield* leave(3)
      assert.deepStrictEqual([response, warnings], ["Proved. [1]", [`answerer: 3 statements were ${reason}`]])
      assert.lengthOf(lines, 2)
    }))

  it.effect("shows nothing of a statement with a quote outside of the given passages", () =>
    Effect.gen(function*() {
      for (const [start, end] of [[0, 0], [5, 2], [-1, 4], [0, 100_000], [900, 1_900]] as const) {
        const answer = yield* asked((source) =>
          Effect.map(passageOf(source), ({ change_seq, document_id }) => {
            const version = { document_id, change_seq }
            const sound = { ...version, start: 0, end: 5 }
            return [statement("Not proved.", sound, { ...version, start, end }), OUTCOME]
          }), LONG)
        assert.deepInclude(answer, { answered: false, citations: [] }, `${start} to ${end}`)
        assert.notInclude(answer.response, "Not proved")
      }
    }))

  it.effect("may quote across passages, once all of them were read", () =>
    Effect.gen(function*() {
      const [start, end] = [500, LONG.length]
      const { citations } = yield* asked((source) =>
        Effect.gen(function*() {
          const { change_seq, document_id } = yield* passageOf(source)
          const version = { document_id, change_seq }
          yield* Effect.orDie(source.read([0, 1, 2, 3].map((ordinal) => ({ ...version, ordinal }))))
          return [statement("All of it.", { ...version, start, end }), OUTCOME]
        }), LONG)
      assert.deepStrictEqual(citations.map(({ entity }) => entity.quote), [LONG.slice(start, end)])
    }))

  it.effect("relates at most five quotes without markers, and only without an answer", () =>
    Effect.gen(function*() {
      const related = (more: ReadonlyArray<string>) =>
        asked((source) =>
          Effect.map(passageOf(source), ({ change_seq, document_id }) => {
            const quotes = Array.from({ length: 8 }, (_, at) => ({ document_id, change_seq, start: at, end: at + 3 }))
            return [...more.map((text) => statement(text, quotes[0]!)), { ...OUTCOME, related: quotes }]
          }), LONG)
      const none = yield* related([])
      assert.deepStrictEqual(none.related?.map(({ entity }) => [entity.marker, entity.quote]), [
        [null, "The"],
        [null, "he "],
        [null, "e h"],
        [null, " ha"],
        [null, "har"]
      ])
      assert.isUndefined((yield* related(["Here."])).related)
    }))

  it.effect("holds nothing only if no passage comes close", () =>
    Effect.gen(function*() {
      const close = yield* asked((source) =>
        Effect.map(passageOf(source), ({ change_seq, document_id }) => [
          { ...OUTCOME, related: [{ document_id, change_seq, start: 0, end: 5 }] }
        ]), LONG)
      const nothing = yield* asked(() => Effect.succeed([OUTCOME]), LONG)
      const context = "The knowledge context of this workspace holds"
      assert.deepStrictEqual([close.response, nothing.response], [
        `${context} no certain answer to this question, only passages that come close.`,
        `${context} nothing that answers this question.`
      ])
    }))

  it.effect("reads no document that the search did not find", () =>
    Effect.gen(function*() {
      const seen: Array<number> = []
      yield* asked((source) =>
        Effect.gen(function*() {
          const { change_seq, document_id } = yield* passageOf(source)
          const refs = [{ document_id, change_seq: change_seq + 1, ordinal: 0 }, {
            document_id,
            change_seq,
            ordinal: 999
          }]
          seen.push((yield* Effect.orDie(source.read(refs))).length)
          return [OUTCOME]
        }), LONG)
      assert.deepStrictEqual(seen, [0])
    }))

  it.effect("is withheld if a document that it quotes is deleted before it ends", () => {
    const [reading, deleted] = [Latch.makeUnsafe(), Latch.makeUnsafe()]
    const script: Script = Effect.fnUntraced(function*(source) {
      const { change_seq, document_id } = yield* passageOf(source)
      yield* reading.open
      yield* deleted.await
      return [statement("Six.", { document_id, change_seq, start: 0, end: 11 }), OUTCOME]
    })
    return Effect.gen(function*() {
      const id = yield* filled([page("rules", "2026-03-01T09:00:00Z", "Rules", FIRST)])
      const [connector] = yield* (yield* Connectors).list(id, true)
      const asking = yield* Effect.forkChild((yield* Asks).ask(id, { query: QUERY }))
      yield* reading.await
      yield* (yield* Documents).deleteByExternalId(id, connector!.connector_id, "rules")
      yield* deleted.open
      const answer = yield* Fiber.join(asking)
      assert.deepInclude(answer, { answered: false, citations: [] })
      assert.include(answer.response, "withheld")
    }).pipe(Effect.provide(serviceWith(scripted(script))))
  })

  it.effect("is streamed: citations before the first text with their marker, and the whole at the end", () =>
    Effect.gen(function*() {
      const script: Script = (source) =>
        Effect.map(passageOf(source), ({ change_seq, document_id }) => [
          statement("One.", { document_id, change_seq, start: 0, end: 3 }),
          statement("Two.", { document_id, change_seq, start: 4, end: 11 }),
          OUTCOME
        ])
      const events = yield* Effect.gen(function*() {
        const id = yield* filled([page("rules", "2026-03-01T09:00:00Z", "Rules", FIRST)])
        return yield* Stream.runCollect(yield* (yield* Asks).stream(id, { query: QUERY }))
      }).pipe(Effect.provide(serviceWith(scripted(script))))
      assert.deepStrictEqual(events.map(({ event }) => event), ["citation", "delta", "citation", "delta", "done"])
      const streamed = events.flatMap((event) => event.event === "delta" ? [event.data.text] : []).join("")
      const done = events.at(-1)!
      assert.strictEqual(done.event === "done" ? done.data.response : null, streamed)
    }))
})

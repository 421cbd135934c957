import { rerankerContract } from "@tributary/contract/PartsContract"
import { Reranker } from "@tributary/core/ports/Reranker"
import { Effect, Redacted } from "effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Readable } from "node:stream"
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest"
import * as HttpReranker from "../../src/rerank/HttpReranker.ts"

interface Answer {
  readonly status?: number
  readonly body?: unknown
}

let url: string
const requests: Array<{ readonly path: string; readonly key: string | undefined; readonly body: object }> = []
/** What the server answers, first to last; nothing at all when there is nothing left. */
const answers: Array<Answer> = []

/** As a service does: by the words that a text has in common with the query, best first. */
const scored = ({ documents, query }: { readonly query: string; readonly documents: ReadonlyArray<string> }) => {
  const words = new Set(query.toLowerCase().match(/\w+/g))
  return documents
    .map((text, index) => ({
      index,
      relevance_score: text.toLowerCase().match(/\w+/g)!.filter((w) => words.has(w)).length
    }))
    .sort((one, other) => other.relevance_score - one.relevance_score)
}

/** An answer that does not end, written as fast as it is read. */
async function* endless() {
  while (true) yield "[".repeat(100_000)
}

const server = createServer(async (request, response) => {
  const body = JSON.parse(Buffer.concat(await request.toArray()).toString()) as object
  requests.push({ path: request.url ?? "", key: request.headers.authorization, body })
  const answer = request.url === "/words/rerank" ? { body: { results: scored(body as never) } } : answers.shift()
  if (answer?.body === endless) Readable.from(endless()).pipe(response)
  else if (answer !== undefined) response.writeHead(answer.status ?? 200).end(JSON.stringify(answer.body ?? {}))
})
beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
})
afterAll(() => {
  server.closeAllConnections()
  return new Promise((done) => server.close(done))
})
beforeEach(() => {
  requests.length = 0
  answers.length = 0
})

/** Only silence takes as long as the timeout. */
const rerank = (times = 1, timeout = 60_000) =>
  Effect.runPromise(
    Effect.gen(function*() {
      const reranker = (yield* Reranker)!
      const all = yield* Effect.all(Array.from({ length: times }, () => reranker.rerank("secret?", ["one", "two"])))
      return all.at(-1)!
    }).pipe(Effect.provide(HttpReranker.layer({ url, model: "m", key: Redacted.make("sk-1"), timeout })))
  )

rerankerContract("of a service", {
  model: "words",
  rerank: (query, texts) =>
    Effect.flatMap(
      HttpReranker.make({ url: `${new URL(url).origin}/words`, model: "words" }),
      (model) => model.rerank(query, texts)
    ).pipe(Effect.provide(FetchHttpClient.layer))
})

describe("scores come in the order of the texts", () => {
  test.each([
    ["Cohere and Jina", { results: [{ index: 1, relevance_score: 0.9 }, { index: 0, relevance_score: 0.1 }] }],
    ["Voyage", { object: "list", data: [{ index: 1, relevance_score: 0.9 }, { index: 0, relevance_score: 0.1 }] }],
    ["text-embeddings-inference", [{ index: 1, score: 0.9 }, { index: 0, score: 0.1 }]]
  ])("from an answer of %s", async (_, body) => {
    answers.push({ body })
    expect(await rerank()).toEqual([0.1, 0.9])
    expect(requests).toEqual([{
      path: "/v1/rerank",
      key: "Bearer sk-1",
      body: { model: "m", query: "secret?", documents: ["one", "two"] }
    }])
  })

  test("are requested in the other dialect if needed, which is remembered", async () => {
    const body = [{ index: 0, score: 0.5 }, { index: 1, score: 0.25 }]
    answers.push({ status: 422 }, { body }, { body })
    expect(await rerank(2)).toEqual([0.5, 0.25])
    expect(requests.map(({ body }) => Object.keys(body).includes("texts"))).toEqual([false, true, true])
  })
})

describe("an error says what happened without repeating the texts", () => {
  test.each<readonly [string, ReadonlyArray<Answer>]>([
    ["500", [{ status: 500 }]],
    ["400 in both dialects", [{ status: 400 }, { status: 400 }]],
    ["another answer", [{ body: { ok: true } }]],
    ["too few scores", [{ body: { results: [{ index: 0, relevance_score: 1 }] } }]],
    ["more scores than texts", [{ body: { results: [0, 1, 1].map((index) => ({ index, relevance_score: 1 })) } }]],
    ["silence", []]
  ])("%s", async (_, scripted) => {
    answers.push(...scripted)
    const failure = await rerank(1, scripted.length === 0 ? 300 : undefined).catch((error: unknown) => error)
    expect(String((failure as Error).cause ?? failure)).not.toMatch(/secret|sk-1/)
    expect((failure as { readonly _tag: string })._tag).toBe("ModelUnavailable")
  })

  test("as soon as an answer is longer than any", async () => {
    answers.push({ body: endless })
    await expect(rerank()).rejects.toMatchObject({ cause: { message: "its answer holds no scores" } })
  })
})

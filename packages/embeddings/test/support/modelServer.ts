/** A server of ours with the published interface of embeddings, and a model of letters behind it. */
import { createServer, type ServerResponse } from "node:http"
import { gramVector } from "../../../core/test/support/gramModel.ts"

interface Asked {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: { readonly model: string; readonly input: ReadonlyArray<string>; readonly dimensions?: number }
}

export type Answer = (response: ServerResponse, asked: Asked) => void

export const json = (response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) => {
  response.writeHead(status, { "content-type": "application/json", ...headers })
  response.end(JSON.stringify(body))
}

/** As published, but last text first: the order is in `index`. */
export const properly: Answer = (response, { body }) =>
  json(response, 200, {
    object: "list",
    model: body.model,
    data: body.input.map((text, index) => ({
      object: "embedding",
      index,
      embedding: gramVector(text, body.dimensions)
    }))
      .reverse(),
    usage: { prompt_tokens: 1, total_tokens: 1 }
  })

/** Answers the n-th request as the n-th of `answers` does, and every one behind them properly. */
export const startModel = async (...answers: ReadonlyArray<Answer>) => {
  const asked: Array<Asked> = []
  const server = createServer((request, response) => {
    const pieces: Array<Uint8Array> = []
    request.on("data", (piece: Uint8Array) => pieces.push(piece))
    request.on("end", () => {
      const one = {
        path: `${request.method} ${request.url}`,
        authorization: request.headers.authorization,
        body: JSON.parse(Buffer.concat(pieces).toString()) as Asked["body"]
      }
      asked.push(one)
      ;(answers[asked.length - 1] ?? properly)(response, one)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  return {
    asked,
    url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/v1`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}

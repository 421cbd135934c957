/** A model server for tests: each request is answered by the next script, and every request is kept. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { setTimeout as sleep } from "node:timers/promises"

export type Script =
  /** A streamed reply in pieces of `size` characters, the connection torn after `bytes` of the whole body. */
  | {
    readonly reply: string
    readonly size?: number
    readonly pause?: number
    readonly bytes?: number
    readonly finish?: string
    /** How many comments precede it, 100 ms apart. */
    readonly comments?: number
  }
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>>; readonly body?: string }
  /** Accepts the request and never answers. */
  | { readonly silent: true }
  /** A response of 200 that is no streamed completion. */
  | { readonly body: string; readonly type: string }

interface Request {
  readonly path: string
  readonly authorization: string | undefined
  /** How many requests are being answered, with this one. */
  readonly open: number
  readonly body: {
    readonly model: string
    readonly stream: boolean
    readonly temperature?: number
    readonly response_format?: { readonly type: string }
    readonly messages: ReadonlyArray<{ readonly role: string; readonly content: string }>
  }
}

const event = (data: unknown): string => `data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`

const chunk = (content: string, finish_reason: string | null = null) =>
  event({ object: "chat.completion.chunk", choices: [{ index: 0, delta: { content }, finish_reason }] })

const COMMENT = ": a comment\n\n"

const eventsOf = (reply: string, size: number, finish: string): ReadonlyArray<string> => [
  COMMENT,
  event({
    object: "chat.completion.chunk",
    choices: [{ index: 0, delta: { role: "assistant" }, finish_reason: null }]
  }),
  ...Array.from(
    { length: Math.ceil(reply.length / size) },
    (_, index) => chunk(reply.slice(index * size, (index + 1) * size))
  ),
  chunk("", finish),
  event({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1 } }),
  event("[DONE]")
]

/** The body of a whole reply. */
export const bodyOf = (reply: string, size: number): Uint8Array =>
  new TextEncoder().encode(eventsOf(reply, size, "stop").join(""))

export const startScriptedModel = async () => {
  const scripts: Array<Script> = []
  const requests: Array<Request> = []
  let aborted = 0
  let open = 0

  const stream = async (response: ServerResponse, script: Extract<Script, { readonly reply: string }>) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    for (let left = script.comments ?? 0; left > 0 && !response.destroyed; left--) {
      response.write(COMMENT)
      await sleep(100)
    }
    let left = script.bytes ?? Infinity
    for (const text of eventsOf(script.reply, script.size ?? 7, script.finish ?? "stop")) {
      const bytes = Buffer.from(text)
      await new Promise((done) => response.write(bytes.subarray(0, Math.max(0, left)), done))
      left -= bytes.length
      if (left <= 0) return response.destroy()
      if (script.pause !== undefined) await sleep(script.pause)
      if (response.destroyed) return
    }
    return response.end()
  }

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const pieces: Array<Buffer> = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const { authorization } = request.headers
    const body = JSON.parse(Buffer.concat(pieces).toString())
    requests.push({ path: request.url ?? "", authorization, body, open: ++open })
    response.once("finish", () => open--).once("close", () => {
      if (response.writableFinished) return
      open--
      aborted++
    })
    const script = scripts.shift() ?? { status: 500 }
    if ("silent" in script) return
    if ("reply" in script) return await stream(response, script)
    if ("type" in script) response.writeHead(200, { "content-type": script.type })
    else response.writeHead(script.status, { "content-type": "application/json", ...script.headers })
    response.end(script.body ?? "{\"error\":{\"message\":\"scripted\"}}")
  }

  const server = createServer((request, response) => void answer(request, response).catch(() => response.destroy()))
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    scripts,
    requests,
    get aborted() {
      return aborted
    },
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((done) => server.close(() => done()))
    }
  }
}

type Quoted = readonly [text: string, ...quotes: ReadonlyArray<readonly [passage: number, quote: string]>]

/** A reply as the contract asks for it. */
export const replyOf = (...statements: ReadonlyArray<Quoted>): string =>
  JSON.stringify({
    statements: statements.map(([text, ...quotes]) => ({
      text,
      quotes: quotes.map(([passage, quote]) => ({ passage, quote }))
    }))
  })

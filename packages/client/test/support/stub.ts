/** A server with the responses that a test sets. It records the requests and their times. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"

interface Asked {
  readonly method: string
  readonly path: string
  readonly body: string
  /** Milliseconds, by a clock that only goes forward. */
  readonly at: number
}

/** `count` is 1 for the first request. */
type Answer = (count: number, response: ServerResponse, request: IncomingMessage) => void

export const startStub = async (answer: Answer) => {
  const asked: Array<Asked> = []
  const server = createServer((request, response) => {
    const chunks: Array<Uint8Array> = []
    request.on("data", (chunk: Uint8Array) => chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString()
      asked.push({ method: request.method!, path: request.url!, body, at: performance.now() })
      answer(asked.length, response, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return {
    asked,
    baseUrl: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      })
  }
}

export const json = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {}
): void => {
  response.writeHead(status, { "content-type": "application/json", "x-request-id": `request-${status}`, ...headers })
  response.end(JSON.stringify(body))
}

export const failure = (response: ServerResponse, status: number, error_code: string, headers = {}): void =>
  json(response, status, { error_code, message: "As the test says.", details: null }, headers)

export const SETTINGS = { temporal_settings: { start: null, end: null } }

/** A status of the knowledge context while it is rebuilt. */
export const REBUILDING = {
  loaded: false,
  up_to_date: false,
  latest_snapshot: null,
  latest_built_at: null,
  loaded_snapshot: null,
  evidence_watermark: null,
  state: "rebuilding",
  progress: null,
  pending_documents: 0,
  error: null
}

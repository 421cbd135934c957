/** Calendar servers as there are: each answers as the real one behind it does, but for what it does differently. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

type Question = "propfind" | "sync-collection" | "calendar-multiget"

/** What is answered instead: a status, or another text. */
type Change = (question: Question, text: string) => number | string

const listen = async (behind: number, change: Change) => {
  /** What it was asked, as `REPORT calendar-multiget`. */
  const asked: Array<string> = []
  const server = createServer(async (request, response) => {
    const parts: Array<Buffer> = []
    for await (const part of request) parts.push(part)
    const body = Buffer.concat(parts).toString()
    const question = /<(?:\w+:)?(propfind|sync-collection|calendar-multiget)\b/.exec(body)?.[1] as Question
    asked.push(`${request.method} ${question}`)
    const answer = await fetch(`http://127.0.0.1:${behind}${request.url}`, {
      method: request.method!,
      headers: {
        authorization: request.headers.authorization ?? "",
        depth: String(request.headers["depth"] ?? "0"),
        "content-type": "application/xml"
      },
      body: body === "" ? null : body,
      redirect: "manual"
    })
    const changed = change(question, await answer.text())
    if (typeof changed === "number") return void response.writeHead(changed).end("<d:error xmlns:d=\"DAV:\"/>")
    response.writeHead(answer.status, { "content-type": "application/xml" }).end(changed)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return { asked, port: (server.address() as AddressInfo).port, close: () => void server.close() }
}

export const changedServer = (behind: number, change: Change) =>
  Effect.acquireRelease(Effect.promise(() => listen(behind, change)), ({ close }) => Effect.sync(close))

/** It reports that something changed, but not what. */
export const olderServer = (behind: number) =>
  changedServer(
    behind,
    (question, text) =>
      question === "sync-collection" ? 403 : text.replace(/<((?:\w+:)?sync-token)(?:\s[^>]*)?>[^<]*<\/\1>/g, "")
  )

/** A calendar server as older ones are: it tells that something changed, but not what. Behind it stands a real one. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

const listen = async (behind: number) => {
  /** What it was asked, as `REPORT calendar-multiget`. */
  const asked: Array<string> = []
  const server = createServer(async (request, response) => {
    const parts: Array<Buffer> = []
    for await (const part of request) parts.push(part)
    const body = Buffer.concat(parts).toString()
    const question = /<(?:\w+:)?(propfind|sync-collection|calendar-multiget)\b/.exec(body)?.[1]
    asked.push(`${request.method} ${question}`)
    if (question === "sync-collection") return void response.writeHead(403).end()
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
    const text = (await answer.text()).replace(/<((?:\w+:)?sync-token)(?:\s[^>]*)?>[^<]*<\/\1>/g, "")
    response.writeHead(answer.status, { "content-type": "application/xml" }).end(text)
  }).listen(0, "127.0.0.1")
  await once(server, "listening")
  return { asked, port: (server.address() as AddressInfo).port, close: () => void server.close() }
}

export const olderServer = (behind: number) =>
  Effect.acquireRelease(Effect.promise(() => listen(behind)), ({ close }) => Effect.sync(close))

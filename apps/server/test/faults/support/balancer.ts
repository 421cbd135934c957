/** A minimal load balancer: round robin over the current servers. */
import { createServer, request } from "node:http"
import type { AddressInfo } from "node:net"

export interface Balancer {
  readonly url: string
  /** Requests go to these from now on. */
  serve(urls: ReadonlyArray<string>): void
  close(): void
}

export const startBalancer = async (): Promise<Balancer> => {
  let urls: ReadonlyArray<string> = []
  let turn = 0
  const server = createServer((incoming, answer) => {
    const lost = () => {
      if (answer.headersSent) answer.destroy()
      else answer.writeHead(502, { "content-type": "application/json" }).end("{}")
    }
    const forwarded = request(`${urls[turn++ % urls.length]}${incoming.url}`, {
      method: incoming.method,
      headers: incoming.headers,
      agent: false
    }, (outgoing) => {
      outgoing.on("error", lost)
      answer.writeHead(outgoing.statusCode ?? 502, outgoing.headers)
      outgoing.pipe(answer)
    })
    forwarded.on("error", lost)
    incoming.pipe(forwarded)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    serve: (next) => {
      urls = next
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}

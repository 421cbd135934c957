/** A site with a feed behind a password. What it asks for, whether it answers and what is in it can be changed. */
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"

export const startFeedServer = async () => {
  const state = { password: "secret", hangs: false, fails: false, entries: ["Zeppelins are moored at the old mast."] }
  const hanging = new Set<ServerResponse>()
  const server = createServer((request, response) => {
    if (state.hangs) {
      hanging.add(response)
      return
    }
    if (state.fails) {
      response.writeHead(503).end()
      return
    }
    if (request.headers.authorization !== `Basic ${btoa(`ada:${state.password}`)}`) {
      response.writeHead(401, { "www-authenticate": "Basic realm=\"feed\"" }).end()
      return
    }
    const items = state.entries.map((text, index) => ({
      id: `entry-${index}`,
      title: `Entry ${index + 1}`,
      content_text: text,
      date_published: "2026-05-05T10:00:00Z"
    }))
    response.setHeader("content-type", "application/feed+json")
    response.end(JSON.stringify({ version: "https://jsonfeed.org/version/1.1", title: "Airships", items }))
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  return {
    state,
    url: `http://127.0.0.1:${typeof address === "object" ? address?.port : 0}/feed.json`,
    stop: () => {
      for (const response of hanging) response.destroy()
      server.close()
      server.closeAllConnections()
    }
  }
}

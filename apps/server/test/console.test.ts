// The console's files as the server sends them: their headers, and that no other files are served.
import { request } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { type RunningServer, startServer } from "./serverProcess.ts"

/** As the page names them. */
const filesOf = (page: Buffer): ReadonlyArray<string> =>
  [...page.toString().matchAll(/(?:src|href)="([^"]+)"/g)].map(([, file]) => file!)

interface Got {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: Buffer
}

// The first request builds the console if it is not built yet.
describe("the console's files", () => {
  let server: RunningServer
  beforeAll(async () => {
    server = await startServer()
  })
  afterAll(() => server.child.kill("SIGKILL"))

  /** Sends the raw path: `fetch` would resolve its dots. */
  const get = (path: string, headers: Readonly<Record<string, string>> = {}, method = "GET") =>
    new Promise<Got>((resolve, reject) => {
      const { hostname, port } = new URL(server.url)
      request({ hostname, port, path, headers, method }, (response) => {
        const chunks: Array<Uint8Array> = []
        response.on("data", (chunk: Uint8Array) => chunks.push(chunk))
        response.on(
          "end",
          () => resolve({ status: response.statusCode!, headers: response.headers, body: Buffer.concat(chunks) })
        )
      }).on("error", reject).end()
    })

  const assets = async () =>
    filesOf((await get("/console/")).body).map((file) => new URL(file, "http://server/console/").pathname)

  it("allow only this server's scripts and styles, and forbid framing by other pages", async () => {
    for (const path of ["/console", "/console/", "/console/sign-in", "/console/w/any/keys", ...(await assets())]) {
      const { headers, status } = await get(path)
      assert.strictEqual(status, 200, path)
      const policy = String(headers["content-security-policy"])
      for (const part of ["default-src 'none'", "script-src 'self'", "style-src 'self'", "frame-ancestors 'none'"]) {
        assert.include(policy.split("; "), part)
      }
      assert.notMatch(policy, /unsafe|data:|\*|https?:/)
      assert.strictEqual(headers["x-frame-options"], "DENY")
      assert.strictEqual(headers["x-content-type-options"], "nosniff")
      assert.strictEqual(headers["referrer-policy"], "no-referrer")
    }
  })

  it("have the id of their request, also where there is no such file", async () => {
    for (const path of ["/console/", ...(await assets()), "/console/assets/none.js"]) {
      assert.strictEqual((await get(path, { "x-request-id": "mine" })).headers["x-request-id"], "mine", path)
      assert.match(String((await get(path)).headers["x-request-id"]), /^[\da-f-]{36}$/, path)
    }
    const { headers } = await get("/", { accept: "text/html", "x-request-id": "mine" })
    assert.strictEqual(headers["x-request-id"], "mine")
  })

  it("are where the server's address leads a browser, while a client of the API gets its error", async () => {
    const accept = "text/html,application/xhtml+xml,*/*;q=0.8"
    for (const [method, path] of [["GET", "/"], ["HEAD", "/"], ["GET", "/?from=mail"]] as const) {
      const { headers, status } = await get(path, { accept }, method)
      assert.deepStrictEqual([status, headers["location"]], [302, "console"], `${method} ${path}`)
    }
    for (const [path, types] of [["/", "*/*"], ["/", "application/json"], ["/v1/nothing", accept]] as const) {
      const answer = await get(path, { accept: types })
      assert.strictEqual(answer.status, 404)
      assert.strictEqual(JSON.parse(answer.body.toString()).error_code, "not_found")
    }
  })

  it("are named by the page as it sees them, wherever a proxy serves it", async () => {
    for (const path of ["/console", "/console/", "/console/sign-in", "/console/w/any/", "/console/w/any/keys?q=/a/b"]) {
      for (const root of ["", "/below", "/far/below"]) {
        const files = filesOf((await get(path)).body)
        assert.isAbove(files.length, 3)
        for (const file of files) {
          const { pathname } = new URL(file, `http://proxy${root}${path}`)
          assert.match(pathname, new RegExp(`^${root}/console/assets/`), `${file} of ${root}${path}`)
        }
      }
    }
  })

  it("contain no inline script or style", async () => {
    const page = (await get("/console/")).body.toString()
    assert.notMatch(page, /<script(?![^>]* src=)|<style|\son\w+=|\sstyle=/)
  })

  it("are cached forever if their names have a hash, and revalidated otherwise", async () => {
    const page = await get("/console/")
    assert.strictEqual(page.headers["cache-control"], "no-cache")
    const etag = String(page.headers["etag"])
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const again = await get("/console/", { "if-none-match": known })
      assert.deepStrictEqual([again.status, again.body.length], [304, 0])
    }
    assert.strictEqual((await get("/console/", { "if-none-match": "\"other\"" })).status, 200)
    for (const path of await assets()) {
      assert.strictEqual((await get(path)).headers["cache-control"], "public, max-age=31536000, immutable")
    }
  })

  it("are compressed for clients that accept it, and for no others", async () => {
    const [script] = (await assets()).filter((path) => path.endsWith(".js"))
    const plain = await get(script!)
    for (const coding of ["br", "gzip"]) {
      const coded = await get(script!, { "accept-encoding": coding })
      assert.strictEqual(coded.headers["content-encoding"], coding)
      assert.isBelow(coded.body.length, plain.body.length / 2)
    }
    const spaced = await get(script!, { "accept-encoding": `br${" ".repeat(15_000)}x, gzip ; x ; q=1` })
    assert.strictEqual(spaced.headers["content-encoding"], "gzip")
    const refusing = await get(script!, { "accept-encoding": "br;q=0, gzip;q=0" })
    assert.isUndefined(refusing.headers["content-encoding"])
    assert.strictEqual(refusing.headers["vary"], "accept-encoding")
    assert.deepStrictEqual(refusing.body, plain.body)
  })

  it("are the only served files: no path leads out of them", async () => {
    const page = (await get("/console/")).body
    const climbs = ["../", "..%2f", "%2e%2e/", "..%5c", "..\\", "%252e%252e/", "....//"]
    for (const climb of climbs) {
      for (const target of ["package.json", "src/main.ts", "etc/passwd"]) {
        const { body } = await get(`/console/${climb.repeat(4)}${target}`)
        const isPage = body.includes(`<div id="console">`) && filesOf(body).length === filesOf(page).length
        assert.isTrue(isPage || body.includes("error_code"), `${climb}${target}`)
        const { status } = await get(`/console/assets/${climb.repeat(4)}${target}`)
        assert.strictEqual(status, 404, `assets/${climb}${target}`)
      }
    }
    for (const path of ["/console/assets/", "/console/assets/none.js", "/console/assets/index.html%00"]) {
      assert.strictEqual((await get(path)).status, 404, path)
    }
  })

  it("do not affect the API and other methods", async () => {
    for (const path of ["/console/api", "/console/api/", "/console/api/none", "/consolex"]) {
      const { body, headers } = await get(path)
      assert.match(String(headers["content-type"]), /json/, path)
      assert.include(body.toString(), "error_code")
    }
    assert.strictEqual((await get("/console/api/me")).status, 401)
    assert.strictEqual((await get("/console/", {}, "POST")).status, 404)
    const head = await get("/console/", {}, "HEAD")
    assert.deepStrictEqual([head.status, head.body.length], [200, 0])
  })
})

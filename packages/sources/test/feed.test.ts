import { writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Worker } from "node:worker_threads"
import { assert, describe, it } from "@effect/vitest"
import { secretFields } from "@tributary/core/ports/Provider"
import { feed } from "@tributary/sources/Feed"
import { Effect, Redacted } from "effect"
import { afterAll, beforeAll } from "vitest"
import { BAD_WEB_SERVERS, badServer } from "./support/badServers.ts"
import { itemOf, outcome, sync } from "./support/collect.ts"
import { LOGIN, startNginx } from "./support/nginx.ts"
import { describeWith } from "./support/describeWith.ts"
import type { Running } from "./support/programs.ts"
import { item, rss } from "./support/rss.ts"

const local = feed({ allowPrivateAddresses: ["127.0.0.1"] })
const impatient = feed({ allowPrivateAddresses: ["127.0.0.1"], timeoutMillis: 200 })

describeWith(["nginx", "fcgiwrap"], "a connected feed", () => {
  let nginx: Running
  beforeAll(async () => {
    nginx = await startNginx()
  })
  afterAll(() => nginx?.stop())
  const at = (path: string) => ({ url: `http://127.0.0.1:${nginx.port}/${path}` })
  const publish = (path: string, text: string) => writeFileSync(join(nginx.folder, "www", path), text)

  it.effect("returns its entries, and then added and changed ones; dropped ones stay", () =>
    Effect.gen(function*() {
      publish("feed.rss", rss(item("a", "A"), item("b", "B")))
      assert.deepStrictEqual(yield* local.resources(at("feed.rss")), ["feed"])
      const first = yield* sync(local, at("moved"), "feed")
      assert.deepStrictEqual(first.upserts, ["feed/a", "feed/b"])
      assert.isNull(first.complete)
      const entry = itemOf(first, "feed/a")!
      assert.isTrue("payload" in entry)
      assert.deepStrictEqual(entry.payload, {
        kind: "page",
        title: "a & more",
        url: "https://example.org/posts/a",
        content: "<p>A</p>",
        content_type: "text/html"
      })
      assert.deepStrictEqual(entry.timestamp, new Date("2026-03-02T09:00:00Z"))

      const unchanged = yield* sync(local, at("feed.rss"), "feed", first.cursor)
      assert.deepStrictEqual(unchanged.steps.map(({ _tag }) => _tag), ["Checkpoint"])
      assert.strictEqual(unchanged.cursor, first.cursor)

      publish("feed.rss", rss(item("c", "C"), item("b", "changed")))
      const second = yield* sync(local, at("feed.rss"), "feed", first.cursor)
      assert.deepStrictEqual({ upserts: second.upserts, deletes: second.deletes, complete: second.complete }, {
        upserts: ["feed/b", "feed/c"],
        deletes: [],
        complete: null
      })
    }))

  it.effect("resumes from the last checkpoint", () =>
    Effect.gen(function*() {
      publish("long.rss", rss(...Array.from({ length: 1_200 }, (_, at) => item(`e${at}`, "x"))))
      const { steps } = yield* sync(local, at("long.rss"), "feed")
      const saved = steps.findIndex(({ _tag }) => _tag === "Checkpoint")
      assert.strictEqual(saved, 500)
      const { cursor } = outcome(steps.slice(0, saved + 1))
      assert.strictEqual((yield* sync(local, at("long.rss"), "feed", cursor)).upserts.length, 700)
    }))

  it.effect("reaches back to the start", () =>
    Effect.gen(function*() {
      publish("old.rss", rss(item("a", "A")))
      const since = (start: string) =>
        Effect.map(sync(local, at("old.rss"), "feed", null, new Date(start)), ({ upserts }) => upserts)
      assert.deepStrictEqual(yield* since("2026-03-02T09:00:00.001Z"), [])
      assert.deepStrictEqual(yield* since("2026-03-02T09:00:00Z"), ["feed/a"])
      publish("old.rss", rss("<item><guid>b</guid><title>without a date</title></item>"))
      assert.deepStrictEqual(yield* since("2026-03-02T09:00:00Z"), ["feed/b"])
    }))

  it.effect("shows nothing of the query of its address in the links of entries", () =>
    Effect.gen(function*() {
      publish("based.rss", "<rss><channel><item><guid>a</guid><link>#part</link></item></channel></rss>")
      const entry = itemOf(yield* sync(local, at("based.rss?token=secret"), "feed"), "feed/a")!
      assert.isTrue("payload" in entry)
      assert.propertyVal(entry.payload, "url", `${at("based.rss").url}#part`)
    }))

  it.effect("returns a changed entry also from before the start, because its old text may be stored", () =>
    Effect.gen(function*() {
      publish("edited.rss", rss(item("a", "A")))
      const before = new Date("2026-02-01")
      const first = yield* sync(local, at("edited.rss"), "feed", null, before)
      publish("edited.rss", rss(item("a", "changed")))
      const later = yield* sync(local, at("edited.rss"), "feed", first.cursor, new Date("2026-04-01"))
      assert.deepStrictEqual([first.upserts, later.upserts], [["feed/a"], ["feed/a"]])
    }))

  it.effect("keeps its password out of the description, and reports a wrong one", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual([...secretFields(local).keys()], ["password"])
      publish("private/feed.rss", rss(item("a", "A")))
      const config = { ...at("private/feed.rss"), username: LOGIN.username }
      const right = { ...config, password: Redacted.make(LOGIN.password) }
      assert.deepStrictEqual((yield* sync(local, right, "feed")).upserts, ["feed/a"])
      const refused = yield* Effect.flip(sync(local, { ...config, password: Redacted.make("guess") }, "feed"))
      assert.strictEqual(refused._tag, "CredentialsRefused")
      assert.match(refused.message, /refuses the user name or password/)
      const asked = yield* Effect.flip(sync(local, at("private/feed.rss"), "feed"))
      assert.strictEqual(asked._tag, "CredentialsRefused")
      assert.match(asked.message, /asks for a user name and password/)
    }))

  it.effect("respects Retry-After, and recognizes a missing feed and other content", () =>
    Effect.gen(function*() {
      publish("page.html", "<html><link rel=stylesheet href=a.css><body>Hello</body></html>")
      publish("blog.html", `<link href='/news.rss?a=1&amp;b=2' type="application/rss+xml" rel="alternate"><p>Hello`)
      publish("deep.rss", "<a>".repeat(200_000))
      const busy = yield* Effect.flip(sync(local, at("busy"), "feed"))
      assert.isTrue(busy._tag === "RetryableFailure" && busy.retry_after_seconds === 120)
      assert.strictEqual((yield* Effect.flip(local.resources(at("gone"))))._tag, "SourceGone")
      assert.strictEqual((yield* Effect.flip(local.resources(at("missing"))))._tag, "SourceGone")
      const [page, blog] = yield* Effect.all(
        ["page.html", "blog.html"].map((name) => Effect.flip(local.resources(at(name))))
      )
      assert.strictEqual(page?._tag, "FatalFailure")
      assert.match(page?.message ?? "", / is no RSS, Atom or JSON feed\.$/)
      assert.include(blog?.message, `The page names this one: ${at("news.rss").url}?a=1&b=2`)
      assert.strictEqual((yield* Effect.flip(local.resources(at("deep.rss"))))._tag, "FatalFailure")
    }))
})

describe("a feed's server", () => {
  it.live("that reports no change without a condition is not believed", () =>
    Effect.gen(function*() {
      const port = yield* badServer((socket) => void socket.once("data", () => socket.end("HTTP/1.1 304 Not\r\n\r\n")))
      const failure = yield* Effect.flip(sync(local, { url: `http://127.0.0.1:${port}/` }, "feed"))
      assert.strictEqual(failure._tag, "FatalFailure")
    }))

  it.live("that redirects to another one sends it no password, and the failure says so", () =>
    Effect.gen(function*() {
      const asking = yield* badServer((socket) => void socket.once("data", () => socket.end("HTTP/1.1 401 No\r\n\r\n")))
      const location = `http://127.0.0.1:${asking}/feed`
      const port = yield* badServer((socket) =>
        void socket.once("data", () => socket.end(`HTTP/1.1 302 Found\r\nlocation: ${location}\r\n\r\n`))
      )
      const config = { url: `http://127.0.0.1:${port}/`, username: "ada", password: Redacted.make("secret") }
      const { message } = yield* Effect.flip(sync(local, config, "feed"))
      assert.match(message, /does not get the user name and password, because http:\/\/127\.0\.0\.1:\d+ only redirects/)
    }))

  it.live("that forbids access without a password does not ask for one", () =>
    Effect.gen(function*() {
      const port = yield* badServer((socket) => void socket.once("data", () => socket.end("HTTP/1.1 403 No\r\n\r\n")))
      const config = { url: `http://127.0.0.1:${port}/` }
      const failure = yield* Effect.flip(sync(local, config, "feed"))
      assert.strictEqual(failure._tag, "FatalFailure")
      const login = { username: "ada", password: Redacted.make("guess") }
      assert.strictEqual((yield* Effect.flip(sync(local, { ...config, ...login }, "feed")))._tag, "CredentialsRefused")
    }))

  it.live("whose feed ends in the middle is asked again later, because the last entry may be a part of one", () =>
    Effect.gen(function*() {
      const whole = rss(item("a", "A"), item("b", "B"))
      for (const text of [whole.slice(0, whole.indexOf("&lt;p&gt;B")), whole.slice(0, -1)]) {
        const port = yield* badServer((socket) =>
          void socket.once("data", () => socket.end(`HTTP/1.1 200 OK\r\netag: "1"\r\n\r\n${text}`))
        )
        const failure = yield* Effect.flip(sync(local, { url: `http://127.0.0.1:${port}/` }, "feed"))
        assert.deepStrictEqual([failure._tag, failure.message], [
          "RetryableFailure",
          `The feed of 127.0.0.1:${port} ends in the middle.`
        ])
      }
    }))

  it.live("has its feed parsed in a separate thread, and the next one, too", () =>
    Effect.gen(function*() {
      const started: Array<Worker> = []
      const remember = (worker: Worker) => void started.push(worker)
      process.on("worker", remember)
      yield* Effect.addFinalizer(() => Effect.sync(() => process.off("worker", remember)))
      const port = yield* badServer((socket) =>
        void socket.once("data", () => socket.end(`HTTP/1.1 200 OK\r\n\r\n${rss(item("a", "A"))}`))
      )
      const provider = feed({ allowPrivateAddresses: ["127.0.0.1"] })
      for (let fetched = 0; fetched < 2; fetched++) {
        assert.deepStrictEqual((yield* sync(provider, { url: `http://127.0.0.1:${port}/` }, "feed")).upserts, [
          "feed/a"
        ])
      }
      assert.lengthOf(started, 1)
    }))

  for (const [what, serve] of Object.entries(BAD_WEB_SERVERS)) {
    it.live(`that ${what} is retried later`, () =>
      Effect.gen(function*() {
        const port = yield* badServer(serve)
        const failure = yield* Effect.flip(sync(impatient, { url: `http://127.0.0.1:${port}/` }, "feed"))
        assert.strictEqual(failure._tag, "RetryableFailure")
        assert.isBelow(failure.message.length, 300)
      }))
  }
})

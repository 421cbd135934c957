/** Addresses that contain a credential. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { type Provider, shownParts } from "@tributary/core/ports/Provider"
import { caldav } from "@tributary/sources/Caldav"
import { feed } from "@tributary/sources/Feed"
import { git } from "@tributary/sources/Git"
import { Effect } from "effect"
import { afterAll, beforeAll } from "vitest"
import { itemOf, sync } from "./support/collect.ts"
import { describeWith } from "./support/describeWith.ts"
import { startNginx } from "./support/nginx.ts"
import type { Running } from "./support/programs.ts"

const SECRET = "7f3a9c"

const network = { allowPrivateAddresses: ["127.0.0.1"] }

const shown = (provider: Pick<Provider, "config">, field: string) => {
  const part = shownParts(provider).get(field)!
  return (text: string) => {
    assert.strictEqual(part(part(text)), part(text))
    return part(text)
  }
}

describe("an address in a configuration", () => {
  it("of a published calendar shows only its host", () => {
    const part = shown(caldav(), "url")
    const host = "https://calendar.example.com"
    assert.strictEqual(part(`${host}/ical/ada%40example.com/private-${SECRET}/basic.ics`), `${host}/…`)
    assert.strictEqual(part(`${host}/${SECRET}.ICS?x=1`), `${host}/…`)
    assert.strictEqual(part(`webcal://calendar.example.com:81/${SECRET}`), "webcal://calendar.example.com:81/…")
    for (const open of [`${host}/`, `${host}/dav/ada/work/?x=1`]) assert.strictEqual(part(open), open)
  })

  it("shows no parameters, because one may grant access", () => {
    const providers = [
      shown(feed(), "url"),
      shown(caldav(), "url"),
      shown(git({ cacheDirectory: "/nowhere" }), "repository")
    ]
    const at = "https://example.org/ada/news"
    for (const part of providers) {
      for (const name of ["token", "access_token", "feedToken", "api_key", "KEY", "X-Amz-Signature", "auth"]) {
        assert.strictEqual(part(`${at}?tag=a&${name}=${SECRET}`), `${at}?…`, name)
      }
      assert.strictEqual(part(`https://ada:${SECRET}@example.org/ada/news`), `${at}?…`)
      for (const open of [at, `${at}?tag=keys`, `${at}#token=no`, "/srv/repository", "no address"]) {
        assert.strictEqual(part(open), open)
      }
    }
  })
})

describeWith(["nginx", "fcgiwrap"], "a secret in an address", () => {
  let nginx: Running
  beforeAll(async () => {
    nginx = await startNginx()
    mkdirSync(join(nginx.folder, "www", SECRET))
  })
  afterAll(() => nginx?.stop())
  const at = (path: string) => ({ url: `http://127.0.0.1:${nginx.port}/${path}` })
  const publish = (path: string, text: string) => writeFileSync(join(nginx.folder, "www", path), text)

  it.effect("is in no error", () =>
    Effect.gen(function*() {
      publish("page.html", "<html><body>Hello</body></html>")
      publish(`${SECRET}/page.ics`, "<html><body>Hello</body></html>")
      publish(`${SECRET}/cut.ics`, "BEGIN:VCALENDAR\r\n")
      const failures = [
        ...["page.html", "missing", "gone", "busy", "private/feed.rss"].map((path) =>
          feed(network).resources(at(`${path}?token=${SECRET}`))
        ),
        ...["page.ics", "cut.ics", "missing.ics"].map((path) => caldav(network).resources(at(`${SECRET}/${path}`))),
        caldav(network).resources(at(`missing?token=${SECRET}`)),
        git({ ...network, cacheDirectory: nginx.folder }).resources({
          repository: at(`page.html?token=${SECRET}`).url
        })
      ]
      for (const failing of failures) {
        const { message } = yield* Effect.flip(failing)
        assert.include(message, "127.0.0.1")
        assert.notInclude(message, SECRET)
      }
    }))

  it.effect("is in no link of a feed", () =>
    Effect.gen(function*() {
      publish("links.rss", `<rss><channel><item><guid>a</guid><link>#a</link></item></channel></rss>`)
      const outcome = yield* sync(feed(network), at(`links.rss?token=${SECRET}`), "feed")
      assert.strictEqual(itemOf(outcome, "feed/a")?.payload?.["url"], `${at("links.rss").url}#a`)
    }))
})

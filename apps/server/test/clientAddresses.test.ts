import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as HttpServerRequest from "effect/http/HttpServerRequest"
import * as Option from "effect/Option"
import { clientAddressOf, withClientAddresses } from "../src/serve/clientAddresses.ts"
import { networksOf } from "../src/settings/networks.ts"

const PROXIES = ["10.0.0.0/8", "::1", "fd00::/8"]

describe("the client address of a request", () => {
  const proxies = networksOf(PROXIES)!

  it.each([
    ["10.0.0.1", "203.0.113.7", "203.0.113.7"],
    ["::ffff:10.0.0.1", "203.0.113.7", "203.0.113.7"],
    ["fd00::2", "2001:db8::7", "2001:db8::7"],
    ["10.0.0.1", "198.51.100.9, 203.0.113.7, 10.0.0.2", "203.0.113.7"],
    ["10.0.0.1", "10.0.0.3,10.0.0.2", "10.0.0.3"],
    ["10.0.0.1", "", "10.0.0.1"],
    ["10.0.0.1", "203.0.113.7, unknown", "10.0.0.1"],
    ["10.0.0.1", "203.0.113.7:4711", "10.0.0.1"],
    ["203.0.113.7", "198.51.100.9", "203.0.113.7"]
  ])("from %s, which forwards for %j, is %s", (peer, forwardedFor, sender) => {
    assert.strictEqual(clientAddressOf(peer, forwardedFor, proxies), sender)
  })

  it.effect("is that of the connection, unless that is a trusted proxy", () =>
    Effect.gen(function*() {
      const request = HttpServerRequest.fromWeb(
        new Request("https://tributary.test/", { headers: { "x-forwarded-for": "203.0.113.7" } })
      ).modify({ remoteAddress: Option.some("10.0.0.1") })
      const seen = (proxies: ReadonlyArray<string>) =>
        withClientAddresses(
          Effect.map(HttpServerRequest.HttpServerRequest, ({ remoteAddress }) => remoteAddress),
          proxies
        )
          .pipe(
            Effect.provideService(HttpServerRequest.HttpServerRequest, request)
          )
      assert.deepStrictEqual(yield* seen(PROXIES), Option.some("203.0.113.7"))
      assert.deepStrictEqual(yield* seen(["192.0.2.1"]), Option.some("10.0.0.1"))
      assert.deepStrictEqual(yield* seen([]), Option.some("10.0.0.1"))
    }))
})

describe("the networks of proxies", () => {
  it("are addresses, with or without a prefix length", () => {
    for (const text of ["10.0.0.1", "0.0.0.0/0", "10.0.0.0/32", "::/0", "fd00::1/128"]) {
      assert.isNotNull(networksOf([text]), text)
    }
    for (
      const text of ["", "proxy", "10.0.0.0/33", "10.0.0/8", "10.0.0.0/8/8", "10.0.0.0/-1", "fd00::/129", "10.0.0.0/"]
    ) {
      assert.isNull(networksOf(["10.0.0.1", text]), text)
    }
  })
})

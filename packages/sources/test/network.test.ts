import type { Socket } from "node:net"
import { gzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { CredentialsRefused, FatalFailure, RetryableFailure, SourceGone } from "@tributary/core/ports/Provider"
import { caldav } from "@tributary/sources/Caldav"
import { feed } from "@tributary/sources/Feed"
import { git } from "@tributary/sources/Git"
import { Schema } from "effect"
import { afterAll, beforeAll, expect } from "vitest"
import { guardedAddresses, type Network } from "../src/internal/network/guardedAddresses.ts"
import { isAllowedAddress, isPublicAddress } from "../src/internal/network/publicAddress.ts"
import { retryAfter } from "../src/internal/network/retryAfter.ts"
import { makeWebClient } from "../src/internal/network/webClient.ts"
import { shownAddress } from "../src/internal/webConfig.ts"
import { withServer } from "./support/badServers.ts"
import { describeWith } from "./support/describeWith.ts"
import type { Running } from "./support/programs.ts"
import { startNginx } from "./support/nginx.ts"

const { signal } = new AbortController()

describe("an address", () => {
  it("must be public", () => {
    for (const address of ["8.8.8.8", "93.184.216.34", "2606:4700:4700::1111", "2001:4860:4860::8888"]) {
      assert.isTrue(isPublicAddress(address), address)
    }
    const refused = [
      "127.0.0.1",
      "127.1.2.3",
      "10.1.2.3",
      "172.16.0.1",
      "192.168.1.1",
      "169.254.169.254",
      "100.64.0.1",
      "0.0.0.0",
      "224.0.0.1",
      "255.255.255.255",
      "240.0.0.1",
      "192.0.2.1",
      "198.18.0.1",
      "168.63.129.16",
      "100.100.100.200",
      "192.0.0.192",
      "::1",
      "::",
      "fe80::1",
      "fe80::1%eth0",
      "fc00::1",
      "fd00:ec2::254",
      "ff02::1",
      "::ffff:127.0.0.1",
      "::ffff:8.8.8.8",
      "::ffff:7f00:1",
      "64:ff9b::7f00:1",
      "64:ff9b:1::a00:1",
      "2002:7f00:1::",
      "2001:0:1::1",
      "2001:db8::1",
      "::7f00:1",
      "fec0::1",
      "100::1",
      "2130706433",
      "0177.0.0.1",
      "127.1",
      "0x7f.1",
      "134744072",
      "010.8.8.8",
      "0x8.8.8.8",
      "8.8.2056",
      "",
      "localhost"
    ]
    for (const address of refused) assert.isFalse(isPublicAddress(address), address)
  })

  it("of a private network is allowed if the operator lists that network", () => {
    const networks = ["10.1.0.0/16", "127.0.0.1", "fd12:3456::/32"]
    for (const address of ["10.1.2.3", "127.0.0.1", "fd12:3456::1"]) {
      assert.isTrue(isAllowedAddress(address, networks), address)
      assert.isTrue(isAllowedAddress(address, true), address)
      assert.isFalse(isAllowedAddress(address, false), address)
    }
    for (const address of ["10.2.0.1", "127.0.0.2", "::1", "::ffff:10.1.2.3", "fd13::1", "nowhere"]) {
      assert.isFalse(isAllowedAddress(address, networks), address)
    }
  })

  it("of a metadata service is never allowed, in any notation and with any setting", () => {
    const written = [
      "169.254.169.254",
      "169.254.170.2",
      "168.63.129.16",
      "100.100.100.200",
      "192.0.0.192",
      "fd00:ec2::254",
      "fd20:ce::254",
      "::ffff:169.254.169.254",
      "::a9fe:a9fe",
      "64:ff9b::a9fe:a9fe",
      "64:ff9b:1::a9fe:a9fe",
      "2002:a9fe:a9fe::1",
      "fe80::a9fe:a9fe"
    ]
    for (const address of written) {
      for (const allowed of [true, ["0.0.0.0/0", "::/0", address]]) {
        assert.isFalse(isAllowedAddress(address, allowed), address)
      }
    }
  })

  it("is checked after its name is resolved, in any form", async () => {
    for (const host of ["localhost", "127.1", "2130706433", "0177.0.0.1", "0x7f000001", "[::1]", "::ffff:127.0.0.1"]) {
      await expect(guardedAddresses(host, {}), host).rejects.toBeInstanceOf(FatalFailure)
    }
    await expect(guardedAddresses("name.invalid", {})).rejects.toBeInstanceOf(RetryableFailure)
  })

  it("is one of those that are allowed", async () => {
    const network: Network = { resolve: async () => ["10.0.0.1", "8.8.8.8"] }
    assert.deepStrictEqual(await guardedAddresses("both.example", network), ["8.8.8.8"])
    const all = await guardedAddresses("both.example", { ...network, allowPrivateAddresses: true })
    assert.deepStrictEqual(all, ["10.0.0.1", "8.8.8.8"])
  })
})

describe("the wait that an answer requests", () => {
  it("is in whole seconds, at least one, or until a date", () => {
    for (
      const [header, seconds] of [["120", 120], [" 7 ", 7], ["0", 1], ["Thu, 01 Jan 1970 00:00:00 GMT", 1]] as const
    ) {
      assert.strictEqual(retryAfter(header), seconds, header)
    }
    assert.closeTo(retryAfter(new Date(Date.now() + 90_000).toUTCString())!, 90, 2)
    for (const header of [null, "", "soon"]) assert.isUndefined(retryAfter(header))
  })
})

describe("a web client", () => {
  it("connects to the checked address, without resolving it again", async () => {
    const answers = [["127.0.0.1"], ["127.0.0.2"]]
    let asked = 0
    const client = makeWebClient({ allowPrivateAddresses: ["127.0.0.1"], resolve: async () => answers[asked++] ?? [] })
    const serve = (socket: Socket) =>
      void socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 2\r\n\r\nok"))
    await withServer(serve, async (port) => {
      const request = { url: `http://rebinding.example:${port}/`, signal }
      assert.strictEqual((await client(request)).body.length, 2)
      assert.strictEqual(asked, 1)
      // The name has another address now.
      await expect(client(request)).rejects.toBeInstanceOf(FatalFailure)
    })
  })

  it("connects to another address of the name if the first one does not answer", async () => {
    const resolve = async () => ["127.0.0.2", "127.0.0.1"]
    const client = () => makeWebClient({ allowPrivateAddresses: true, resolve })
    const serve = (socket: Socket) =>
      void socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"))
    const url = await withServer(serve, async (port) => {
      const url = `http://two.example:${port}/`
      assert.strictEqual((await client()({ url, signal })).status, 200)
      return url
    })
    await expect(client()({ url, signal })).rejects.toThrow(/connect ECONNREFUSED 127\.0\.0\.1:/)
  })

  it("refuses private addresses at once", async () => {
    for (
      const url of ["http://127.0.0.1:8080/", "http://2130706433/", "http://[::ffff:7f00:1]/", "http://localhost/"]
    ) {
      await expect(makeWebClient({})({ url, signal }), url).rejects.toBeInstanceOf(FatalFailure)
    }
  })

  it("says of a port that the web does not use that it is reserved, and is not tried again", async () => {
    const asked = makeWebClient({ allowPrivateAddresses: true })({ url: "http://127.0.0.1:6000/", signal })
    const failure = await asked.catch((error: unknown) => error)
    assert.instanceOf(failure, FatalFailure)
    assert.strictEqual(
      (failure as FatalFailure).message,
      "127.0.0.1:6000 cannot be reached: its port, or that of a redirect, is reserved for another protocol."
    )
  })

  it("fails with what a status means: try again, give up, or that the source is gone", async () => {
    const meanings = [
      [RetryableFailure, [408, 423, 425, 429, 500, 502, 503, 504]],
      [FatalFailure, [400, 403, 405, 406, 418, 451]],
      [SourceGone, [404, 410]],
      [CredentialsRefused, [401]]
    ] as const
    for (const [failure, statuses] of meanings) {
      for (const status of statuses) {
        const serve = (socket: Socket) =>
          void socket.once("data", () => socket.end(`HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`))
        await withServer(serve, (port) =>
          expect(
            makeWebClient({ allowPrivateAddresses: true })({ url: `http://127.0.0.1:${port}/`, signal }),
            `${status}`
          ).rejects.toBeInstanceOf(failure))
      }
    }
  })

  it("limits the size after decompression", async () => {
    const bomb = gzipSync(new Uint8Array(5_000_000))
    const serve = (socket: Socket) =>
      void socket.once("data", () => {
        socket.write(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`)
        socket.end(bomb)
      })
    await withServer(serve, (port) =>
      expect(
        makeWebClient({ allowPrivateAddresses: true })({
          url: `http://127.0.0.1:${port}/`,
          signal,
          maxBytes: 1_000_000
        })
      ).rejects.toBeInstanceOf(FatalFailure))
  })

  it("takes an answer of the largest size, and none of a byte more", () =>
    withServer(
      (socket) => void socket.once("data", () => socket.end("HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n0123456789")),
      async (port) => {
        const client = makeWebClient({ allowPrivateAddresses: true })
        const get = (maxBytes: number) => client({ url: `http://127.0.0.1:${port}/`, signal, maxBytes })
        assert.strictEqual((await get(10)).body.length, 10)
        await expect(get(9)).rejects.toBeInstanceOf(FatalFailure)
      }
    ))

  it("limits the time of a whole answer, however steadily it comes", () =>
    withServer(
      (socket) =>
        void socket.once("data", () => {
          socket.write("HTTP/1.1 200 OK\r\n\r\n")
          let left = 500
          const drip = setInterval(() => left-- > 0 ? socket.write("x") : socket.end(), 10)
          socket.on("close", () => clearInterval(drip))
        }),
      (port) =>
        expect(
          makeWebClient({ allowPrivateAddresses: true, timeoutMillis: 100 })({
            url: `http://127.0.0.1:${port}/`,
            signal
          })
        ).rejects.toMatchObject({
          _tag: "RetryableFailure",
          message: `127.0.0.1:${port} did not answer in time.`
        })
    ))

  it("says of a source that never answers that it did not in time", () =>
    withServer(
      () => undefined,
      (port) =>
        expect(
          makeWebClient({ allowPrivateAddresses: true, timeoutMillis: 100 })({
            url: `http://127.0.0.1:${port}/`,
            signal
          })
        ).rejects.toMatchObject({ message: `127.0.0.1:${port} did not answer in time.` })
    ))
})

describeWith(["nginx", "fcgiwrap"], "redirects of a real server", () => {
  let nginx: Running
  beforeAll(async () => {
    nginx = await startNginx()
  })
  afterAll(() => nginx?.stop())

  it("are not followed to private addresses, in any form, nor to other protocols", async () => {
    const client = makeWebClient({ allowPrivateAddresses: ["127.0.0.1"] })
    for (const path of ["inward", "mapped", "metadata", "decimal", "octal"]) {
      await expect(client({ url: `http://127.0.0.1:${nginx.port}/${path}`, signal }), path)
        .rejects.toBeInstanceOf(FatalFailure)
    }
    await expect(client({ url: `http://127.0.0.1:${nginx.port}/file`, signal })).rejects.toThrow()
  })
})

describe("the address of a source", () => {
  it("is shown, except for what grants access", () => {
    for (const url of ["https://example.org/a?page=2", "https://example.org/"]) {
      assert.strictEqual(shownAddress(url), url)
    }
    for (const name of ["token", "api_key", "client-secret", "Password", "auth", "sig", "X-Amz-Signature"]) {
      assert.strictEqual(shownAddress(`https://example.org/a?page=2&${name}=x`), "https://example.org/a?…", name)
    }
    assert.strictEqual(shownAddress("https://ada:secret@example.org/a"), "https://example.org/a?…")
  })

  const providers = { url: [feed(), caldav()], repository: [git({ cacheDirectory: "/nowhere" })] }
  for (const [field, all] of Object.entries(providers)) {
    for (const provider of all) {
      it(`of ${provider.provider} must not contain a password, because it would be shown`, () => {
        const config = Schema.is(Schema.toEncoded(provider.config))
        assert.isTrue(config({ [field]: "https://example.org/a@b" }))
        for (const url of ["https://ada:secret@example.org/", "https://ada@example.org/", "HTTPS:\\\\:x@example.org"]) {
          assert.isFalse(config({ [field]: url }), url)
        }
      })

      it(`of ${provider.provider} is refused for its port if that is wrong`, () => {
        const decode = Schema.decodeUnknownSync(provider.config)
        assert.throws(() => decode({ [field]: "https://example.org:99999/a" }), "invalid port number")
        assert.throws(() => decode({ [field]: "https://a b/" }), "invalid international domain name")
      })
    }
  }
})

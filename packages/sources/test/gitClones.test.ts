/** Clones of repositories in the cache folder, and where they come from. */
import { existsSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { git } from "@tributary/sources/Git"
import { Effect, Redacted } from "effect"
import { afterAll, beforeAll } from "vitest"
import { badServer } from "./support/badServers.ts"
import { sync } from "./support/collect.ts"
import { describeWith } from "./support/describeWith.ts"
import { interposed } from "./support/interposed.ts"
import { LOGIN, startNginx } from "./support/nginx.ts"
import { run, type Running, temporaryFolder } from "./support/programs.ts"
import { commitAt, makeRepository } from "./support/repositories.ts"

describeWith(["git", "nginx", "fcgiwrap"], "the clone of a repository", () => {
  let nginx: Running
  beforeAll(async () => {
    nginx = await startNginx()
  })
  afterAll(() => nginx?.stop())
  const served = (name: string) => makeRepository(join(nginx.folder, "git", name))
  const at = (name: string) => ({ repository: `http://127.0.0.1:${nginx.port}/git/${name}/.git` })

  it.live("stays within its size limit, and makes room among the others", () =>
    Effect.gen(function*() {
      const repository = served("heavy")
      repository.write("noise.bin", run("openssl", ["rand", "-hex", "400000"]))
      commitAt(repository, "2026-01-01T10:00:00Z")
      const cacheDirectory = temporaryFolder()
      const options = { cacheDirectory, roots: [join(nginx.folder, "git")] }
      const config = { repository: repository.path }
      const refused = yield* Effect.flip(sync(git({ ...options, maxRepositoryBytes: 100 }), config, "main"))
      assert.match(refused.message, /larger than 100 bytes/)
      assert.strictEqual((yield* sync(git({ ...options, maxCacheBytes: 100 }), config, "main")).upserts.length, 1)
      rmSync(cacheDirectory, { recursive: true })

      // Two of these fit, and not three.
      const provider = git({ ...options, maxCacheBytes: 1_200_000 })
      const clones = () => readdirSync(cacheDirectory).filter((name) => name.endsWith(".git"))
      const folders = new Map<string, string>()
      const pulled = Effect.fnUntraced(function*(name: string) {
        const before = existsSync(cacheDirectory) ? clones() : []
        yield* sync(provider, { repository: join(nginx.folder, "git", name) }, "main")
        for (const clone of clones()) if (!before.includes(clone)) folders.set(name, clone)
      })
      for (const name of ["heavy-a", "heavy-b", "heavy-c"]) {
        const other = served(name)
        other.write("noise.bin", run("openssl", ["rand", "-hex", "400000"]))
        commitAt(other, "2026-01-01T10:00:00Z")
      }
      for (const name of ["heavy-a", "heavy-b", "heavy-a", "heavy-c"]) yield* pulled(name)
      assert.sameMembers(clones(), [folders.get("heavy-a")!, folders.get("heavy-c")!])
      rmSync(cacheDirectory, { recursive: true })
    }))

  it.live("comes from a server that gets no password of the one that redirected to it", () =>
    Effect.gen(function*() {
      const repository = served("redirected")
      repository.write("a.txt", "a")
      commitAt(repository, "2026-01-01T10:00:00Z")
      let heard = ""
      const target = yield* interposed(nginx.port, (piece) => piece, (piece) => {
        heard += piece.toString("latin1")
      })
      const origin = yield* badServer((socket) =>
        void socket.once("data", (head) => {
          const [, path] = head.toString("latin1").split(" ")
          socket.end(`HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:${target}${path}\r\ncontent-length: 0\r\n\r\n`)
        })
      )
      const cacheDirectory = temporaryFolder()
      const provider = git({ cacheDirectory, allowPrivateAddresses: ["127.0.0.1"] })
      const config = {
        repository: `http://127.0.0.1:${origin}/git/redirected/.git`,
        username: LOGIN.username,
        password: Redacted.make(LOGIN.password)
      }
      assert.deepStrictEqual((yield* sync(provider, config, "main")).upserts, ["main/a.txt"])
      assert.include(heard, "git-upload-pack")
      assert.notMatch(heard, /authorization/i)
      rmSync(cacheDirectory, { recursive: true })
    }))

  it.live("comes from the address that was checked, whatever its name means elsewhere", () =>
    Effect.gen(function*() {
      const repository = served("pinned")
      repository.write("a.txt", "a")
      commitAt(repository, "2026-01-01T10:00:00Z")
      const cacheDirectory = temporaryFolder()
      const resolve = () => Promise.resolve(["127.0.0.1"])
      const provider = git({ cacheDirectory, allowPrivateAddresses: ["127.0.0.1"], resolve })
      const config = { repository: `http://repository.invalid:${nginx.port}/git/pinned/.git` }
      assert.deepStrictEqual((yield* sync(provider, config, "main")).upserts, ["main/a.txt"])
      rmSync(cacheDirectory, { recursive: true })
    }))

  it.live("that was made with a password is not used without one", () =>
    Effect.gen(function*() {
      const repository = served("both")
      repository.write("a.txt", "a")
      commitAt(repository, "2026-01-01T10:00:00Z")
      const cacheDirectory = temporaryFolder()
      const provider = git({ cacheDirectory, allowPrivateAddresses: ["127.0.0.1"] })
      const known = { ...LOGIN, password: Redacted.make(LOGIN.password) }
      for (const login of [{}, known, known]) {
        assert.deepStrictEqual((yield* sync(provider, { ...at("both"), ...login }, "main")).upserts, ["main/a.txt"])
      }
      assert.strictEqual(readdirSync(cacheDirectory).filter((name) => name.endsWith(".git")).length, 2)
      rmSync(cacheDirectory, { recursive: true })
    }))
})

import { appendFileSync, existsSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { once } from "node:events"
import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { git } from "@tributary/sources/Git"
import { Effect, Redacted } from "effect"
import { afterAll, beforeAll } from "vitest"
import { BAD_WEB_SERVERS, badServer } from "./support/badServers.ts"
import { brokenOff, itemOf, sync } from "./support/collect.ts"
import { LOGIN, startNginx } from "./support/nginx.ts"
import { describeWith } from "./support/describeWith.ts"
import { run, type Running, temporaryFolder } from "./support/programs.ts"
import { commitAt, makeRepository } from "./support/repositories.ts"

describeWith(["git", "nginx", "fcgiwrap"], "a connected repository", () => {
  let nginx: Running
  let provider: ReturnType<typeof git>
  beforeAll(async () => {
    nginx = await startNginx()
    provider = git({
      cacheDirectory: join(nginx.folder, "cache"),
      roots: [join(nginx.folder, "git")],
      allowPrivateAddresses: ["127.0.0.1"]
    })
  })
  afterAll(() => nginx?.stop())
  const served = (name: string) => makeRepository(join(nginx.folder, "git", name))
  const at = (name: string, path = "git") => ({ repository: `http://127.0.0.1:${nginx.port}/${path}/${name}/.git` })

  it.live("returns the files of its branches, and then exactly the changed, added, renamed and deleted ones", () =>
    Effect.gen(function*() {
      const repository = served("plain")
      repository.write("README.md", "# One")
      repository.write("src/a.ts", "a")
      commitAt(repository, "2026-01-01T10:00:00+02:00", "Grace")
      repository.write("src/b é.ts", "b")
      symlinkSync("/etc/passwd", join(repository.path, "link"))
      commitAt(repository, "2026-02-01T10:00:00Z")
      repository.call("branch", "feature/x")
      const config = at("plain")

      assert.deepStrictEqual(yield* provider.resources(config), ["main"])
      assert.deepStrictEqual(yield* provider.resources({ ...config, branches: ["feature/x"] }), ["feature/x"])
      const first = yield* sync(provider, config, "main")
      assert.deepStrictEqual(first.upserts, ["main/README.md", "main/src/a.ts", "main/src/b é.ts"])
      assert.deepStrictEqual(first.complete, first.upserts)
      const item = itemOf(first, "main/src/a.ts")!
      assert.isTrue("file" in item && new TextDecoder().decode(item.file.bytes) === "a")
      assert.deepStrictEqual(item.timestamp, new Date("2026-01-01T08:00:00Z"))
      assert.deepStrictEqual(item.metadata, { path: "src/a.ts", author: "Grace" })

      const unchanged = yield* sync(provider, config, "main", first.cursor)
      assert.deepStrictEqual(unchanged.steps.map(({ _tag }) => _tag), ["Checkpoint"])

      appendFileSync(join(repository.path, "README.md"), " more")
      renameSync(join(repository.path, "src/a.ts"), join(repository.path, "src/c.ts"))
      rmSync(join(repository.path, "src/b é.ts"))
      repository.write("new.txt", "new")
      commitAt(repository, "2026-03-01T10:00:00Z")
      const second = yield* sync(provider, config, "main", first.cursor)
      assert.deepStrictEqual({ upserts: second.upserts, deletes: second.deletes }, {
        upserts: ["main/README.md", "main/new.txt", "main/src/c.ts"],
        deletes: ["main/src/a.ts", "main/src/b é.ts"]
      })
      assert.deepStrictEqual(second.complete, second.upserts)

      const local = { repository: repository.path }
      assert.deepStrictEqual((yield* sync(provider, local, "main")).upserts, second.upserts)
      const recent = yield* sync(
        provider,
        { ...local, branches: ["feature/x"] },
        "feature/x",
        null,
        new Date("2026-01-15")
      )
      assert.deepStrictEqual(recent.upserts, ["feature/x/src/b é.ts"])
    }))

  it.live("resumes from the last checkpoint, even if the branch moved or was rewritten", () =>
    Effect.gen(function*() {
      const repository = served("large")
      const names = Array.from({ length: 600 }, (_, number) => `${String(number).padStart(4, "0")}.txt`)
      for (const name of names) repository.write(name, name)
      commitAt(repository, "2026-01-01T10:00:00Z")
      const config = { repository: repository.path }
      const first = yield* brokenOff(provider, config, "main")
      assert.strictEqual(first.upserts.length, 500)
      repository.write(names[3]!, "changed")
      rmSync(join(repository.path, names[4]!))
      commitAt(repository, "2026-01-02T10:00:00Z")
      const second = yield* sync(provider, config, "main", first.cursor)
      assert.include(second.upserts, `main/${names[3]}`)
      assert.strictEqual(second.upserts.length, 101)
      assert.strictEqual(second.complete?.length, 599)
      assert.isFalse(second.complete?.includes(`main/${names[4]}`))

      repository.call("reset", "--quiet", "--hard", "HEAD~1")
      repository.write("other.txt", "x")
      commitAt(repository, "2026-01-03T10:00:00Z")
      const third = yield* sync(provider, config, "main", second.cursor)
      assert.deepStrictEqual(third.upserts, [`main/${names[3]}`, `main/${names[4]}`, "main/other.txt"])
      const lost = yield* sync(provider, config, "main", `{"v":1,"commit":"${"0".repeat(40)}","run":null}`)
      assert.strictEqual(lost.upserts.length, 601)
    }))

  it.live("returns a file that an older one has replaced, also from before the start", () =>
    Effect.gen(function*() {
      const repository = served("reverted")
      const config = { repository: repository.path }
      repository.write("a.txt", "old")
      commitAt(repository, "2020-01-01T10:00:00Z")
      repository.write("a.txt", "new")
      repository.write("b.txt", "b")
      commitAt(repository, "2026-01-02T10:00:00Z")
      const since = new Date("2026-01-01")
      const first = yield* sync(provider, config, "main", null, since)
      assert.deepStrictEqual(first.upserts, ["main/a.txt", "main/b.txt"])
      repository.call("reset", "--quiet", "--hard", "HEAD~1")
      const second = yield* sync(provider, config, "main", first.cursor, since)
      assert.deepStrictEqual([second.upserts, second.deletes], [["main/a.txt"], ["main/b.txt"]])
    }))

  it.live("reports files that Git LFS stores elsewhere, and names that are not valid text", () =>
    Effect.gen(function*() {
      const repository = served("pointers")
      const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 12345\n`
      repository.write("a.txt", "a")
      repository.write("large.txt", pointer)
      repository.write("about.md", `# Pointers\n${pointer}`)
      for (const name of ["caf\\351.txt", "caf\\350.txt"]) {
        run("bash", ["-c", `echo x > $'${name}'`], { cwd: repository.path })
      }
      commitAt(repository, "2026-01-01T10:00:00Z")
      const { skipped, upserts } = yield* sync(provider, { repository: repository.path }, "main")
      assert.deepStrictEqual(upserts, ["main/a.txt", "main/about.md"])
      assert.deepStrictEqual(skipped, ["main/caf\ufffd.txt", "main/caf\ufffd.txt", "main/large.txt"])
    }))

  for (const left of ["config.lock", "refs/heads/main.lock", "objects/pack/tmp_pack_left"]) {
    it.live(`is fetched even if a killed git left ${left} behind`, () =>
      Effect.gen(function*() {
        const repository = served(left.replaceAll(/\W/g, "-"))
        const config = { repository: repository.path }
        repository.write("a.txt", "a")
        commitAt(repository, "2026-01-01T10:00:00Z")
        const cacheDirectory = temporaryFolder()
        const provider = git({ cacheDirectory, roots: [repository.path], maxRepositoryBytes: 200_000 })
        const { cursor } = yield* sync(provider, config, "main")
        const [clone] = readdirSync(cacheDirectory).filter((name) => name.endsWith(".git"))
        const path = join(cacheDirectory, clone!, left)
        writeFileSync(path, "x".repeat(300_000))
        repository.write("b.txt", "b")
        commitAt(repository, "2026-01-02T10:00:00Z")
        assert.deepStrictEqual((yield* sync(provider, config, "main", cursor)).upserts, ["main/b.txt"])
        assert.isFalse(existsSync(path))
        rmSync(cacheDirectory, { recursive: true })
      }))
  }

  it.live("reports a wrong password, a missing repository and a missing branch", () =>
    Effect.gen(function*() {
      const repository = served("locked")
      repository.write("a.txt", "a")
      commitAt(repository, "2026-01-01T10:00:00Z")
      const config = { ...at("locked", "git-private"), username: LOGIN.username }
      const right = { ...config, password: Redacted.make(LOGIN.password) }
      assert.deepStrictEqual((yield* sync(provider, right, "main")).upserts, ["main/a.txt"])
      const wrong = yield* Effect.flip(sync(provider, { ...config, password: Redacted.make("guess") }, "main"))
      assert.strictEqual(wrong._tag, "CredentialsRefused")
      assert.strictEqual((yield* Effect.flip(sync(provider, right, "gone")))._tag, "SourceGone")
      assert.strictEqual((yield* Effect.flip(provider.resources(at("nothing"))))._tag, "SourceGone")
      writeFileSync(join(nginx.folder, "www/page.html"), "<html>")
      const page = { repository: `http://127.0.0.1:${nginx.port}/page.html?` }
      assert.strictEqual((yield* Effect.flip(provider.resources(page)))._tag, "SourceGone")
    }))

  /** What a server sends instead of files after it has listed its branches. */
  const LIES: Readonly<Record<string, (response: ServerResponse) => void>> = {
    "falls silent": () => undefined,
    "cuts the connection": (response) => void response.destroy(),
    "sends garbage": (response) => void response.end("0000garbage".repeat(1_000)),
    "sends a broken pack": (response) =>
      void response.end("000dpackfile\n0011\u0001PACK\u0000\u0000\u0000\u0002????0000"),
    "ends before the length that it named": (response) => {
      response.setHeader("content-length", 100_000)
      response.write("000dpackfile\n")
      setImmediate(() => response.socket?.end())
    }
  }
  for (const [what, lie] of Object.entries(LIES)) {
    it.live(`whose server ${what} instead of its files is retried later, and then complete`, () =>
      Effect.gen(function*() {
        const name = `lying-${what.replaceAll(" ", "-")}`
        const repository = served(name)
        repository.write("a.txt", "a")
        commitAt(repository, "2026-01-01T10:00:00Z")
        let lies = true
        const proxy = createServer((request, response) => {
          const parts: Array<Buffer> = []
          request.on("data", (part: Buffer) => parts.push(part)).on("end", async () => {
            const body = Buffer.concat(parts)
            if (lies && body.includes("command=fetch")) {
              response.setHeader("content-type", "application/x-git-upload-pack-result")
              return lie(response)
            }
            const { host: _, connection: __, ...headers } = request.headers as Record<string, string>
            const answer = await fetch(`http://127.0.0.1:${nginx.port}${request.url}`, {
              method: request.method!,
              headers,
              ...(body.length === 0 ? {} : { body })
            })
            response.setHeader("content-type", answer.headers.get("content-type") ?? "")
            response.end(Buffer.from(await answer.arrayBuffer()))
          })
        }).listen(0, "127.0.0.1")
        yield* Effect.addFinalizer(() =>
          Effect.sync(() => {
            proxy.closeAllConnections()
            proxy.close()
          })
        )
        yield* Effect.promise(() => once(proxy, "listening"))
        const impatient = git({
          cacheDirectory: join(nginx.folder, "cache-of-lies"),
          allowPrivateAddresses: ["127.0.0.1"],
          fetchTimeoutMillis: 3_000
        })
        const config = { repository: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/git/${name}/.git` }
        const failure = yield* Effect.flip(sync(impatient, config, "main"))
        assert.strictEqual(failure._tag, "RetryableFailure", failure.message)
        assert.isBelow(failure.message.length, 500)
        lies = false
        assert.deepStrictEqual((yield* sync(impatient, config, "main")).upserts, ["main/a.txt"])
      }).pipe(Effect.scoped))
  }

  it.live("runs nothing of a repository in a folder, and follows no links", () =>
    Effect.gen(function*() {
      const mark = join(nginx.folder, "ran")
      const repository = served("hostile")
      repository.write("a.txt", "a")
      repository.write(".gitattributes", "*.txt filter=evil diff=evil")
      commitAt(repository, "2026-01-01T10:00:00Z")
      const touch = `touch ${mark}`
      for (
        const [key, value] of [
          ["core.fsmonitor", touch],
          ["core.sshCommand", touch],
          ["core.pager", touch],
          ["filter.evil.smudge", touch],
          ["diff.evil.textconv", touch],
          ["uploadpack.packObjectsHook", touch],
          ["remote.origin.uploadpack", touch]
        ] as const
      ) repository.call("config", key, value)
      for (const hook of ["post-checkout", "reference-transaction", "pre-auto-gc"]) {
        writeFileSync(join(repository.path, ".git/hooks", hook), `#!/bin/sh\n${touch}\n`, { mode: 0o755 })
      }
      const config = { repository: repository.path }
      assert.deepStrictEqual((yield* sync(provider, config, "main")).upserts, ["main/.gitattributes", "main/a.txt"])
      assert.isFalse(existsSync(mark))

      repository.call("config", "remote.origin.promisor", "true")
      assert.strictEqual((yield* Effect.flip(sync(provider, config, "main")))._tag, "FatalFailure")
      const outside = yield* Effect.flip(sync(provider, { repository: nginx.folder }, "main"))
      assert.match(outside.message, /not within the folders/)
      const borrowing = served("borrowing")
      writeFileSync(join(borrowing.path, ".git/objects/info/alternates"), join(repository.path, ".git/objects"))
      assert.strictEqual((yield* Effect.flip(provider.resources({ repository: borrowing.path })))._tag, "FatalFailure")
    }))
})

describe("a repository's server", () => {
  const provider = git({
    cacheDirectory: temporaryFolder(),
    allowPrivateAddresses: ["127.0.0.1"],
    timeoutMillis: 100
  })
  for (const [what, serve] of Object.entries(BAD_WEB_SERVERS)) {
    it.live(`that ${what} is retried later`, () =>
      Effect.gen(function*() {
        const port = yield* badServer(serve)
        const failure = yield* Effect.flip(sync(provider, { repository: `http://127.0.0.1:${port}/r` }, "main"))
        assert.strictEqual(failure._tag, "RetryableFailure")
      }))
  }

  it.effect("is not contacted at a private address", () =>
    Effect.gen(function*() {
      const guarded = git({ cacheDirectory: temporaryFolder() })
      for (const repository of ["http://127.0.0.1:8080/r", "http://[::1]:8080/r", "https://169.254.169.254/r"]) {
        assert.strictEqual((yield* Effect.flip(guarded.resources({ repository })))._tag, "FatalFailure")
      }
    }))
})

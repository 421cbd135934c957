/** Histories that git itself can make, and some that only somebody hostile does. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { git } from "@tributary/sources/Git"
import { Effect } from "effect"
import { afterAll } from "vitest"
import { brokenOff, fileOf, itemOf, sync } from "../support/collect.ts"
import { describeWith } from "../support/describeWith.ts"
import { run, temporaryFolder } from "../support/programs.ts"
import { commitAt, makeRepository } from "../support/repositories.ts"

describeWith(["git"], "the history of a repository", () => {
  const folder = temporaryFolder()
  afterAll(() => rmSync(folder, { recursive: true }))
  const options = { cacheDirectory: join(folder, "cache"), roots: [folder] }
  const provider = git(options)
  const made = (name: string) => {
    const repository = makeRepository(join(folder, name))
    const call = (...args: ReadonlyArray<string>) =>
      repository.call("-c", "user.name=Ada", "-c", "user.email=x@example.org", ...args)
    return { ...repository, call, config: { repository: repository.path } }
  }
  const textOf = (outcome: Parameters<typeof fileOf>[0], id: string) =>
    new TextDecoder().decode(fileOf(outcome, id).bytes)

  it.live("dates each file by the commit that gave it its content, whatever was merged and how it is named", () =>
    Effect.gen(function*() {
      const repository = made("merged")
      for (const name of ["kept.txt", "settled.txt", "\u0001 7\u001fEve", "\nlead"]) repository.write(name, "old")
      commitAt(repository, "2026-01-01T10:00:00Z")
      repository.call("checkout", "--quiet", "-b", "side")
      repository.write("kept.txt", "discarded")
      repository.write("settled.txt", "theirs")
      commitAt(repository, "2026-01-03T10:00:00Z", "Eve")
      repository.call("checkout", "--quiet", "main")
      repository.write("settled.txt", "ours")
      commitAt(repository, "2026-01-02T10:00:00Z", "Grace")
      repository.call("merge", "--quiet", "--no-commit", "--strategy=ours", "side")
      repository.write("settled.txt", "both")
      commitAt(repository, "2026-01-04T10:00:00Z", "Ida")

      const outcome = yield* sync(provider, repository.config, "main")
      const found = outcome.upserts.map((id) => {
        const { metadata, timestamp } = itemOf(outcome, id)!
        return [id, timestamp?.toISOString().slice(0, 10), metadata?.["author"]]
      })
      assert.deepStrictEqual(found, [
        ["main/\u0001 7\u001fEve", "2026-01-01", "Ada"],
        ["main/\nlead", "2026-01-01", "Ada"],
        ["main/kept.txt", "2026-01-01", "Ada"],
        ["main/settled.txt", "2026-01-04", "Ida"]
      ])
    }))

  it.live("may claim any date, of which a store gets one that it can keep", () =>
    Effect.gen(function*() {
      const repository = made("dated")
      const dates = []
      for (const claimed of ["99999999999999 +0000", "", "1700000000 +9999"]) {
        repository.write("a.txt", claimed)
        repository.call("add", "--all")
        const tree = repository.call("write-tree").trim()
        const input = `tree ${tree}\nauthor A <a> 1 +0000\ncommitter A <a> ${claimed}\n\nmessage\n`
        const args = ["hash-object", "-t", "commit", "-w", "--stdin", "--literally"]
        repository.call("update-ref", "refs/heads/main", run("git", args, { cwd: repository.path, input }).trim())
        dates.push(itemOf(yield* sync(provider, repository.config, "main"), "main/a.txt")?.timestamp)
      }
      assert.deepStrictEqual(dates, [new Date("9999-12-31T23:59:59.999Z"), new Date(0), new Date(1_700_000_000_000)])
    }))

  it.live("is followed when an interrupted sync resumes: what it stored may have been taken back", () =>
    Effect.gen(function*() {
      const repository = made("reverted")
      const names = Array.from({ length: 600 }, (_, at) => `${at + 100}.txt`)
      for (const name of names) repository.write(name, "old")
      commitAt(repository, "2026-01-01T10:00:00Z")
      const first = yield* sync(provider, repository.config, "main")
      for (const name of names) repository.write(name, "new")
      commitAt(repository, "2026-01-02T10:00:00Z")
      const second = yield* brokenOff(provider, repository.config, "main", first.cursor)
      assert.strictEqual(textOf(second, "main/100.txt"), "new")
      const kept = repository.call("rev-parse", "HEAD").trim()
      repository.call("reset", "--quiet", "--hard", "HEAD~1")
      repository.call("reflog", "expire", "--expire=now", "--all")
      rmSync(options.cacheDirectory, { recursive: true })
      const lost = yield* sync(provider, repository.config, "main", second.cursor)
      assert.strictEqual(textOf(lost, "main/100.txt"), "old")
      repository.call("reset", "--quiet", "--hard", kept)
      for (const name of ["100.txt", "699.txt"]) repository.write(name, "old")
      commitAt(repository, "2026-01-03T10:00:00Z")
      const third = yield* sync(provider, repository.config, "main", second.cursor)
      assert.strictEqual(textOf(third, "main/100.txt"), "old")
      assert.deepStrictEqual(third.upserts, ["100.txt", ...names.slice(500, -1)].map((name) => `main/${name}`))
    }))

  it.live("loses no file after a name that is not valid text", () =>
    Effect.gen(function*() {
      const repository = made("garbled")
      for (let at = 0; at < 499; at++) repository.write(`${at}.txt`, "a")
      run("bash", ["-c", "echo x > $'\\200'"], { cwd: repository.path })
      for (const name of ["é.txt", "ü.txt"]) repository.write(name, "a")
      commitAt(repository, "2026-01-01T10:00:00Z")
      const first = yield* brokenOff(provider, repository.config, "main")
      const second = yield* sync(provider, repository.config, "main", first.cursor)
      assert.strictEqual(new Set([...first.upserts, ...second.upserts]).size, 501)
    }))

  it.live("may have SHA-256 ids, also from a day on", () =>
    Effect.gen(function*() {
      const repository = made("hashed")
      repository.write("a.txt", "a")
      commitAt(repository, "2026-01-01T10:00:00Z")
      const first = yield* sync(provider, repository.config, "main")
      rmSync(join(repository.path, ".git"), { recursive: true })
      repository.call("init", "--quiet", "--initial-branch=main", "--object-format=sha256")
      repository.write("b.txt", "b")
      commitAt(repository, "2026-01-02T10:00:00Z")
      const second = yield* sync(provider, repository.config, "main", first.cursor)
      assert.deepStrictEqual(second.upserts, ["main/a.txt", "main/b.txt"])
      assert.deepStrictEqual((yield* sync(provider, repository.config, "main", second.cursor)).upserts, [])
    }))

  it.live("may begin in its middle, where a shallow repository does", () =>
    Effect.gen(function*() {
      const repository = made("deep")
      for (const name of ["a.txt", "b.txt"]) {
        repository.write(name, name)
        commitAt(repository, "2026-01-01T10:00:00Z")
      }
      repository.call("clone", "--quiet", "--depth=1", `file://${repository.path}`, "../shallow")
      const shallow = { repository: join(folder, "shallow") }
      assert.deepStrictEqual((yield* sync(provider, shallow, "main")).upserts, ["main/a.txt", "main/b.txt"])
    }))

  it.live("may have a branch in a folder of the name that another one had", () =>
    Effect.gen(function*() {
      const repository = made("renamed")
      repository.write("a.txt", "a")
      commitAt(repository, "2026-01-01T10:00:00Z")
      for (const branch of ["main/x/y", "main", "main/x"]) {
        repository.call("branch", "--move", branch)
        assert.deepStrictEqual((yield* sync(provider, repository.config, branch)).upserts, [`${branch}/a.txt`])
      }
    }))

  it.live("is that of the default branch, also when another one becomes it, or none is named", () =>
    Effect.gen(function*() {
      const repository = made("moved-default")
      repository.write("a.txt", "a")
      commitAt(repository, "2026-01-01T10:00:00Z")
      for (const branch of ["a-feature", "trunk"]) repository.call("branch", branch)
      const { config } = repository
      assert.deepStrictEqual(yield* provider.resources(config), ["main"])
      const { cursor } = yield* sync(provider, config, "main")

      repository.call("symbolic-ref", "HEAD", "refs/heads/trunk")
      assert.deepStrictEqual(yield* provider.resources(config), ["trunk"])
      assert.strictEqual((yield* Effect.flip(sync(provider, config, "main", cursor)))._tag, "SourceGone")
      const named = { ...config, branches: ["main"] }
      assert.deepStrictEqual((yield* sync(provider, named, "main", cursor)).deletes, [])

      repository.call("symbolic-ref", "HEAD", "refs/heads/none")
      assert.deepStrictEqual(yield* provider.resources(config), ["main"])
    }))

  const DAMAGES = {
    "an empty branch": (clone: string) => {
      const branches = join(clone, "refs/branches")
      for (const name of readdirSync(branches)) writeFileSync(join(branches, name), "")
    },
    "an empty HEAD": (clone: string) => writeFileSync(join(clone, "HEAD"), ""),
    "no readable settings": (clone: string) => writeFileSync(join(clone, "config"), "[bro"),
    "half of a pack": (clone: string) => {
      const packs = join(clone, "objects/pack")
      for (const name of readdirSync(packs).filter((name) => name.endsWith(".pack"))) {
        rmSync(join(packs, name))
        writeFileSync(join(packs, name), "PACK")
      }
    }
  }
  for (const [what, damage] of Object.entries(DAMAGES)) {
    it.live(`is fetched again after a power cut that left a clone with ${what}`, () =>
      Effect.gen(function*() {
        const repository = made(what.replaceAll(" ", "-"))
        const cacheDirectory = join(folder, `cache of ${what}`)
        const provider = git({ ...options, cacheDirectory })
        repository.write("a.txt", "a")
        commitAt(repository, "2026-01-01T10:00:00Z")
        yield* sync(provider, repository.config, "main")
        for (const name of readdirSync(cacheDirectory).filter((name) => name.endsWith(".git"))) {
          damage(join(cacheDirectory, name))
        }
        const failure = yield* Effect.flip(sync(provider, repository.config, "main"))
        assert.strictEqual(failure._tag, "RetryableFailure")
        assert.notInclude(failure.message, folder)
        assert.deepStrictEqual((yield* sync(provider, repository.config, "main")).upserts, ["main/a.txt"])
      }))
  }

  it.live("is refused if it names more files than anybody can keep, or one with a name of megabytes", () =>
    Effect.gen(function*() {
      const repository = made("bomb")
      mkdirSync(join(repository.path, "inner"))
      for (let at = 0; at < 3; at++) repository.write(`inner/${at}`, "a")
      repository.call("add", "--all")
      const inner = repository.call("write-tree", "--prefix=inner/").trim()
      const commit = (lines: string) => {
        const tree = run("git", ["mktree"], { cwd: repository.path, input: lines }).trim()
        repository.call("update-ref", "refs/heads/main", repository.call("commit-tree", "-m", "x", tree).trim())
      }
      commit(["a", "b", "c"].map((name) => `040000 tree ${inner}\t${name}\n`).join(""))
      const strict = git({ ...options, maxFiles: 8 })
      assert.match((yield* Effect.flip(sync(strict, repository.config, "main"))).message, /More than 8 files/)
      assert.strictEqual((yield* sync(provider, repository.config, "main")).upserts.length, 9)
      const blob = repository.call("rev-parse", ":inner/0").trim()
      commit(`100644 blob ${blob}\t${"n".repeat(3_000_000)}\n`)
      assert.match((yield* Effect.flip(sync(provider, repository.config, "main"))).message, /name that is too long/)
    }))
})

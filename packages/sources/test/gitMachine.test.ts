/** What git is kept from on the machine that it runs on. */
import { chmodSync, chownSync, mkdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs"
import { join, relative } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { git, usableGit } from "@tributary/sources/Git"
import { Effect } from "effect"
import { afterEach, beforeEach, vi } from "vitest"
import { localRepository } from "../src/internal/git/localRepository.ts"
import { sync } from "./support/collect.ts"
import { describeWith } from "./support/describeWith.ts"
import { run, temporaryFolder } from "./support/programs.ts"

const isRoot = process.getuid?.() === 0

describeWith(["git"], "a repository in a folder", () => {
  let folder: string
  let repository: string
  beforeEach(() => {
    folder = temporaryFolder()
    repository = join(folder, "repository")
    run("git", ["init", "--quiet", "--initial-branch=main", repository])
    writeFileSync(join(repository, "a.txt"), "a")
    run("git", ["add", "--all"], { cwd: repository })
    run("git", ["-c", "user.name=Ada", "-c", "user.email=x@example.org", "commit", "--quiet", "--message", "a"], {
      cwd: repository
    })
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const provider = (cacheDirectory = join(folder, "cache")) => git({ cacheDirectory, roots: [repository] })
  const refusal = (cacheDirectory?: string) =>
    Effect.map(Effect.flip(sync(provider(cacheDirectory), { repository }, "main")), ({ message }) => message)

  for (
    const part of [
      "objects/pack",
      "objects/info",
      "objects/ab",
      "refs/heads",
      "refs/tags/v1",
      "HEAD",
      "packed-refs",
      "config"
    ]
  ) {
    it.live(`is not read if its ${part} is a link`, () =>
      Effect.gen(function*() {
        const path = join(repository, ".git", part)
        const elsewhere = join(folder, "elsewhere")
        if (statSync(path, { throwIfNoEntry: false }) === undefined) mkdirSync(elsewhere)
        else renameSync(path, elsewhere)
        symlinkSync(elsewhere, path)
        assert.match(yield* refusal(), new RegExp(`links in its ${part.split("/")[0]}`))
      }))
  }

  it.live("is read through a cache folder that is named from the working directory", () =>
    Effect.gen(function*() {
      const cache = provider(relative(process.cwd(), join(folder, "cache")))
      assert.deepStrictEqual((yield* sync(cache, { repository }, "main")).upserts, ["main/a.txt"])
    }))

  it.live("is not read if it contains a pipe, on which git would block", () =>
    Effect.gen(function*() {
      run("mkfifo", [join(repository, ".git/refs/heads/other")])
      assert.match(yield* refusal(), /links in its refs/)
    }))

  it.live("is refused if a link was added during the fetch", () =>
    Effect.gen(function*() {
      const { recheck } = yield* Effect.promise(() => localRepository(repository, [repository]))
      yield* Effect.promise(recheck)
      symlinkSync("/etc", join(repository, ".git/objects/of-another"))
      const again = yield* Effect.promise(() => recheck().then(() => "sound", ({ message }: Error) => message))
      assert.match(again, /links in its objects/)
    }))

  it.live("is copied only to a folder of the service's user, with mode 0700", () =>
    Effect.gen(function*() {
      const cache = join(folder, "cache")
      assert.lengthOf((yield* sync(provider(), { repository }, "main")).upserts, 1)
      assert.strictEqual(statSync(cache).mode & 0o777, 0o700)
      chmodSync(cache, 0o770)
      assert.match(yield* refusal(), /the service's own/)
      chmodSync(cache, 0o700)
      symlinkSync(cache, join(folder, "link"))
      assert.match(yield* refusal(join(folder, "link")), /the service's own/)
      if (!isRoot) return
      chownSync(cache, 65_534, 65_534)
      assert.match(yield* refusal(), /the service's own/)
    }))
})

describe("the git of a machine", () => {
  let folder: string
  beforeEach(() => {
    folder = temporaryFolder()
    vi.stubEnv("PATH", folder)
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true })
  })
  const says = (version: string) =>
    writeFileSync(join(folder, "git"), `#!/bin/sh\necho "git version ${version}"\n`, { mode: 0o755 })

  it.live("can be used from version 2.37 on, which connects to the checked address", () =>
    Effect.gen(function*() {
      for (const version of ["2.37.0", "2.50.1 (Apple Git-155)", "3.0.0", "2.37.0.windows.1"]) {
        says(version)
        yield* usableGit
      }
      for (const version of ["2.36.9", "1.99.0", "unheard of"]) {
        says(version)
        assert.match((yield* Effect.flip(usableGit)).message, /Git 2.37 or newer is needed/)
      }
    }))

  it.live("is reported if it is missing", () =>
    Effect.gen(function*() {
      assert.match((yield* Effect.flip(usableGit)).message, /cannot be started/)
    }))
})

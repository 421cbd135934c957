/** The encryption key of a data directory. */
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Redacted } from "effect"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { keyIn } from "../src/EncryptionKey.ts"

const root = mkdtempSync(join(tmpdir(), "tributary-key-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const fresh = () => mkdtempSync(join(root, "key-"))
const key = (directory: string) => Effect.map(keyIn(directory), Redacted.value)
const refusal = (directory: string) => Effect.map(Effect.flip(keyIn(directory)), ({ message }) => message)

describe("The key of a directory", () => {
  it.effect("is created once, readable by its owner only, and found again", () =>
    Effect.gen(function*() {
      const directory = fresh()
      const created = yield* key(directory)
      assert.lengthOf(created, 32)
      const path = join(directory, "encryption.key")
      assert.strictEqual(statSync(path).mode & 0o777, 0o600)
      assert.strictEqual(readFileSync(path, "utf8"), Buffer.from(created).toString("base64"))
      assert.deepStrictEqual(yield* key(directory), created)
      assert.notDeepEqual(yield* key(fresh()), created)
    }))

  it.effect("is refused with a sentence if it is damaged or empty", () =>
    Effect.gen(function*() {
      const directory = fresh()
      writeFileSync(join(directory, "encryption.key"), "no key")
      assert.include(yield* refusal(directory), "is no key")
      writeFileSync(join(directory, "encryption.key"), Buffer.alloc(33, 1).toString("base64"))
      assert.include(yield* refusal(directory), "is no key")
      writeFileSync(join(directory, "encryption.key"), "")
      assert.include(yield* refusal(directory), "is empty. Restore it from a backup")
    }))

  it.effect("is not replaced by a new one if it cannot be read", () =>
    Effect.gen(function*() {
      const directory = fresh()
      const path = join(directory, "encryption.key")
      symlinkSync(path, path)
      assert.include(yield* refusal(directory), "can neither be read nor created")
      assert.isTrue(lstatSync(path).isSymbolicLink())
    }))

  it.effect.skipIf(!existsSync("/dev/full"))(
    "is complete or absent, wherever its writing is interrupted",
    () =>
      Effect.gen(function*() {
        const directory = fresh()
        const unfinished = join(directory, "encryption.key.new")
        symlinkSync("/dev/full", unfinished)
        assert.include(yield* refusal(directory), "can neither be read nor created: the disk is full.")
        assert.deepStrictEqual(readdirSync(directory), [])
        writeFileSync(unfinished, "half a k")
        yield* key(directory)
        assert.isFalse(existsSync(unfinished))
      })
  )
})

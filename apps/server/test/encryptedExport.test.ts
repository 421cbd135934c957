/** Exports that are encrypted with a passphrase: decryption, and detection of changes. */
import crypto, { randomBytes } from "node:crypto"
import fs, { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { syncBuiltinESMExports } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import { HEADER_BYTES } from "../src/commands/transfer/encryption.ts"
import { readStoreFile } from "../src/commands/transfer/readStoreFile.ts"
import { StoreFile } from "../src/commands/transfer/StoreFile.ts"

const PASSPHRASE = "correct horse battery staple"
/** A chunk with its tag. */
const CHUNK = 65_536 + 16

const root = mkdtempSync(join(tmpdir(), "tributary-encrypted-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const file = join(root, "store")
// They fill several chunks, even compressed.
const lines = Array.from({ length: 200 }, (_, n) => `line ${n} ${randomBytes(1_000).toString("base64")}`)

const written = async (path: string, passphrase: string | null) => {
  const store = new StoreFile(path, passphrase)
  for (const line of lines) await store.write(`${line}\n`)
  await store.finish()
}

const read = async (path: string, passphrase: string | null) => {
  const found: Array<string> = []
  for await (const line of readStoreFile(path, { passphrase })) found.push(line)
  return found
}

const refusal = (path: string, passphrase: string | null) =>
  read(path, passphrase).then(() => "", ({ message }: Error) => message)

const changed = (change: (bytes: Buffer) => Buffer) => {
  const path = join(root, crypto.randomUUID())
  writeFileSync(path, change(Buffer.from(readFileSync(file))))
  return refusal(path, PASSPHRASE)
}

const DAMAGED = "The file is damaged or was cut off. Nothing was imported."
const UNOPENED = "The passphrase is not the one of this file, or the file is damaged. Nothing was imported."

// By design, a key takes a third of a second: the one of a passphrase and a salt is derived once.
const { scryptSync } = crypto
const keys = new Map<string, ReturnType<typeof scryptSync>>()
const derive = vi.spyOn(crypto, "scryptSync").mockImplementation((...input) => {
  const name = JSON.stringify(input)
  const key = keys.get(name) ?? scryptSync(...input)
  keys.set(name, key)
  return key
})
syncBuiltinESMExports()
afterAll(() => {
  derive.mockRestore()
  syncBuiltinESMExports()
})

beforeAll(() => written(file, PASSPHRASE))

describe("an encrypted export", () => {
  it("is read with its passphrase and shows nothing without it", async () => {
    assert.deepStrictEqual(await read(file, PASSPHRASE), lines)
    assert.strictEqual(await refusal(file, "correct horse battery stable"), UNOPENED)
    assert.match(await refusal(file, null), /^The file is encrypted\./)
    const bytes = readFileSync(file)
    assert.strictEqual(bytes.subarray(0, 22).toString(), "tributary encrypted 1\n")
    assert.isAbove(bytes.length, 3 * CHUNK)
    // How what is packed begins; a part of it occurs in other bytes by chance.
    assert.isFalse(bytes.includes(gzipSync("").subarray(0, 8)))
  })

  it("is a different file each time", async () => {
    await written(join(root, "again"), PASSPHRASE)
    const [one, other] = [file, join(root, "again")].map((path) => readFileSync(path).subarray(HEADER_BYTES))
    assert.isFalse(one!.subarray(0, 1_000).equals(other!.subarray(0, 1_000)))
  })

  it("is required when a passphrase is given", async () => {
    await written(join(root, "clear"), null)
    assert.deepStrictEqual(await read(join(root, "clear"), null), lines)
    assert.match(await refusal(join(root, "clear"), PASSPHRASE), /^The file is not encrypted/)
  })

  it("is refused if truncated anywhere", async () => {
    const { length } = readFileSync(file)
    const ends = [length - 1, HEADER_BYTES + 2 * CHUNK, HEADER_BYTES + 2 * CHUNK + 5]
    for (const end of ends) assert.strictEqual(await changed((bytes) => bytes.subarray(0, end)), DAMAGED, `at ${end}`)
    for (const end of [HEADER_BYTES, HEADER_BYTES + CHUNK]) {
      assert.strictEqual(await changed((bytes) => bytes.subarray(0, end)), UNOPENED, `at ${end}`)
    }
  })

  it("is refused if a byte is changed, or chunks are swapped, repeated or left out", async () => {
    const chunk = (bytes: Buffer, n: number) => bytes.subarray(HEADER_BYTES + n * CHUNK, HEADER_BYTES + (n + 1) * CHUNK)
    const flipped = (at: number) =>
      changed((bytes) => {
        bytes[at]! ^= 1
        return bytes
      })
    assert.strictEqual(await flipped(HEADER_BYTES + CHUNK + 7), DAMAGED)
    assert.strictEqual(await flipped(HEADER_BYTES - 1), UNOPENED)
    const put = (order: ReadonlyArray<number>) =>
      changed((bytes) =>
        Buffer.concat([
          bytes.subarray(0, HEADER_BYTES),
          ...order.map((n) => chunk(bytes, n)),
          bytes.subarray(HEADER_BYTES + 3 * CHUNK)
        ])
      )
    assert.strictEqual(await put([0, 1, 2]), "")
    assert.strictEqual(await put([0, 2, 1]), DAMAGED)
    assert.strictEqual(await put([0, 1, 1, 2]), DAMAGED)
    assert.strictEqual(await put([0, 2]), DAMAGED)
  })

  it("needs no hard links, which not every file system has", async () => {
    const link = vi.spyOn(fs, "linkSync").mockImplementation(() => {
      throw new Error("EPERM: operation not permitted, link")
    })
    syncBuiltinESMExports()
    try {
      await written(join(root, "unlinked"), PASSPHRASE)
    } finally {
      link.mockRestore()
      syncBuiltinESMExports()
    }
    assert.deepStrictEqual(await read(join(root, "unlinked"), PASSPHRASE), lines)
  })
})

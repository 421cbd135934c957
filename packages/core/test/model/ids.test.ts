import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, Redacted, Schema } from "effect"
import { paged } from "../../src/internal/paged.ts"
import { cursorOf } from "../../src/model/Cursor.ts"
import { base62, hashOf, hintOf, isSecret, newSecret } from "../../src/internal/secret.ts"
import { uuid7 } from "../../src/internal/uuid7.ts"
import { ConnectorId, DocumentId, parseId } from "../../src/model/Id.ts"

const timeOf = (id: string): number => Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)

const Millisecond = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 47 }))

describe("UUIDv7", () => {
  // First, while no later moment has been seen by this process.
  it("contains its creation time", () => {
    assert.strictEqual(timeOf(uuid7(-1)), 0)
    for (const now of [1, 1_700_000_000_000, 1_700_000_000_000, 1_800_000_000_123]) {
      assert.strictEqual(timeOf(uuid7(now)), now)
    }
  })

  it("has the shape of its version", () => {
    for (let n = 0; n < 1_000; n++) {
      assert.match(uuid7(n), /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
    }
  })

  it("increases, however many are created in a millisecond", () => {
    const ids = Array.from({ length: 40_000 }, () => uuid7(0))
    assert.isTrue(ids.every((id, index) => index === 0 || id > ids[index - 1]!))
  })

  it.prop("increases within a millisecond and when the clock goes back", [Schema.Array(Millisecond)], ([moments]) => {
    const ids = [...moments, 5, 5, 5].map((now) => uuid7(now))
    assert.deepStrictEqual(ids, ids.toSorted())
    assert.strictEqual(new Set(ids).size, ids.length)
  })
})

describe("an id in a path", () => {
  it("is read in either case, and is not found if it is invalid", () => {
    const id = uuid7(0)
    assert.deepStrictEqual(parseId(ConnectorId)(id.toUpperCase()), Option.some(ConnectorId.make(id)))
    for (const text of ["", "x", `${id} `, `{${id}}`, id.replaceAll("-", ""), "\u0000", "../etc"]) {
      assert.isTrue(Option.isNone(parseId(ConnectorId)(text)), text)
    }
  })
})

describe("a cursor", () => {
  const cursor = cursorOf("things", Schema.Struct({ n: Schema.Int, text: Schema.String }))

  it.effect.prop("is restored unchanged", [Schema.Int, Schema.String], ([n, words]) =>
    Effect.gen(function*() {
      // JSON knows no negative zero.
      const value = { n: n + 0, text: words }
      const text = cursor.encode(value)
      assert.match(text, /^[A-Za-z0-9_-]+$/)
      if (text.length <= 1_000) assert.deepStrictEqual(yield* cursor.decode(text), value)
    }))

  it.effect("that is absent means the beginning", () =>
    Effect.gen(function*() {
      assert.isNull(yield* cursor.decode(null))
    }))

  it.effect("is refused if it does not belong to the list", () =>
    Effect.gen(function*() {
      const foreign = [
        "",
        " ",
        "abc",
        "W10",
        "!!!!",
        "a".repeat(5),
        btoa("[\"things\",{\"n\":1.5,\"text\":\"\"}]"),
        btoa("[\"things\",{\"n\":\"1\",\"text\":\"\"}]"),
        btoa("[\"things\"]"),
        btoa("\xff\xfe"),
        cursorOf("others", Schema.Struct({ n: Schema.Int, text: Schema.String })).encode({ n: 1, text: "" }),
        cursorOf("things", DocumentId).encode(DocumentId.make(uuid7(0))),
        cursor.encode({ n: 1, text: "long ".repeat(3_000) })
      ]
      for (const text of foreign) {
        assert.strictEqual((yield* Effect.flip(cursor.decode(text.replaceAll("=", ""))))._tag, "InvalidCursor", text)
      }
    }))

  it.effect("leads through a list without gaps or duplicates, and ends with its last page", () =>
    Effect.gen(function*() {
      const numbers = cursorOf("numbers", Schema.Int)
      const read = (after: number | null, limit: number) =>
        Effect.succeed(
          Array.from({ length: Math.max(0, Math.min(limit, 7 - (after ?? 0))) }, (_, n) => (after ?? 0) + n + 1)
        )
      const pages: Array<ReadonlyArray<number>> = []
      let next: string | null = null
      do {
        const page: { items: ReadonlyArray<number>; next: string | null } = yield* paged(
          numbers,
          { limit: 3, cursor: next },
          (n: number) => n,
          read
        )
        pages.push(page.items)
        next = page.next
      } while (next !== null)
      assert.deepStrictEqual(pages, [[1, 2, 3], [4, 5, 6], [7]])
      const whole = yield* paged(numbers, { limit: 7, cursor: null }, (n: number) => n, read)
      assert.isNull(whole.next)
    }))
})

describe("a secret", () => {
  it("is 43 base62 characters after its prefix, never twice the same", () => {
    const secrets = Array.from({ length: 200 }, newSecret)
    for (const secret of secrets) {
      assert.match(Redacted.value(secret), /^pk_live_[0-9A-Za-z]{43}$/)
      assert.isTrue(isSecret(Redacted.value(secret)))
      assert.strictEqual(hintOf(secret), Redacted.value(secret).slice(-4))
    }
    assert.strictEqual(new Set(secrets.map(Redacted.value)).size, 200)
  })

  it("has uniformly distributed characters", () => {
    const counts = new Map<string, number>()
    for (const character of Array.from({ length: 62 }, () => base62(4_000)).join("")) {
      counts.set(character, (counts.get(character) ?? 0) + 1)
    }
    assert.strictEqual(counts.size, 62)
    // Six standard deviations; with a plain modulo the first eight characters are 25 % likelier.
    for (const [character, count] of counts) assert.closeTo(count, 4_000, 380, character)
  })

  it("is not revealed by printing", () => {
    const secret = newSecret()
    assert.notInclude(`${String(secret)}${JSON.stringify({ secret })}`, Redacted.value(secret))
  })

  it("equals no other text", () => {
    const secret = Redacted.value(newSecret())
    for (
      const text of [
        "",
        secret.slice(1),
        secret.slice(0, -1),
        `${secret}a`,
        ` ${secret}`,
        `${secret}\n`,
        secret.replace("live", "test")
      ]
    ) {
      assert.isFalse(isSecret(text), text)
    }
  })

  it.effect("is found by its SHA-256", () =>
    Effect.gen(function*() {
      assert.strictEqual(
        yield* hashOf(Redacted.make("abc")),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
      )
    }))
})

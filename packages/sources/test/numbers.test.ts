/** The numbers of a folder's mails, asked for some at a time. */
import { assert, it } from "@effect/vitest"
import type { ImapFlow } from "imapflow"
import { numbersWithin } from "../src/internal/imap/numbers.ts"

const collected = async (uids: ReadonlyArray<number>, first: number, end: number) => {
  const asked: Array<{ readonly from: number; readonly to: number }> = []
  const search = async ({ uid }: { readonly uid: string }) => {
    const [from, to] = uid.split(":").map(Number) as [number, number]
    asked.push({ from, to })
    return uids.filter((one) => one >= from && one <= to).toReversed()
  }
  const found: Array<number> = []
  for await (const some of numbersWithin({ search } as unknown as ImapFlow, first, end, null)) found.push(...some)
  return { asked, found }
}

it("are ascending and unique, whatever their gaps", async () => {
  const uids = [
    1,
    5_000,
    ...Array.from({ length: 20_000 }, (_, at) => 100_000 + at),
    900_000,
    ...Array.from({ length: 5_000 }, (_, at) => 1_000_000 + 3 * at)
  ]
  const { asked, found } = await collected(uids, 1, 1_014_998)
  assert.deepStrictEqual(found, uids)
  assert.isTrue(asked.every(({ from, to }, at) => to >= from && from === (at === 0 ? 1 : asked[at - 1]!.to + 1)))
  assert.strictEqual(asked.at(-1)!.to, 1_014_997)
})

it("start and end at the given bounds", async () => {
  const uids = Array.from({ length: 9_999 }, (_, at) => at + 1)
  const { found } = await collected(uids, 42, 9_001)
  assert.deepStrictEqual(found, uids.slice(41, 9_000))
  assert.deepStrictEqual((await collected(uids, 9_001, 9_001)).asked, [])
})

it("are requested in answers of a limited length, and in few of them if they are sparse", async () => {
  const { asked } = await collected([3_000_000], 1, 3_000_001)
  assert.isTrue(asked.every(({ from, to }) => to - from < 65_536))
  assert.isBelow(asked.length, 60)
})

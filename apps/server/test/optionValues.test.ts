/** Times as people write them in options. */
import * as Effect from "effect/Effect"
import { assert, it } from "vitest"
import type { Arguments } from "../src/cli/Command.ts"
import { timeOf } from "../src/commands/optionValues.ts"

const read = (text: string) => {
  const args: Arguments = {
    positionals: [],
    otherOptions: {},
    has: () => true,
    value: () => text,
    values: () => [text]
  }
  return Effect.runPromise(Effect.match(timeOf(args, "from"), {
    onFailure: ({ exitCode, message }) => `${exitCode} ${message}`,
    onSuccess: (time) => time?.toISOString()
  }))
}

it.each([
  ["2027-01-31T00:00:00Z", "2027-01-31T00:00:00.000Z"],
  ["2027-01-31T00:00:00+02:00", "2027-01-30T22:00:00.000Z"],
  ["2027-01-31T08:30", "2027-01-31T08:30:00.000Z"],
  ["2027-01-31", "2027-01-31T00:00:00.000Z"]
])("the time %j is %s, whatever the time zone of the machine", async (text, expected) => {
  assert.strictEqual(await read(text), expected)
})

it.each(["01.02.2027", "12/11/2026", "day 7", "7", "2027", "2027-02-30", "Sun Jan 31 2027", "", "2027-01-31T25:00Z"])(
  "%j is no time, because it would be guessed",
  async (text) => {
    assert.strictEqual(await read(text), `2 --from: "${text}" is no time such as 2027-01-31T00:00:00Z.`)
  }
)

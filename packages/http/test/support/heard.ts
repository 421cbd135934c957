/** The received part of a stream of server-sent events, while the test clock decides what comes next. */
import { Effect } from "effect"

export interface Heard {
  readonly name: string
  readonly data: unknown
  readonly id: string | undefined
}

/** Lets everything happen that waits for nothing but its turn. */
export const settle = Effect.promise(async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
})

const toEvent = (block: string): ReadonlyArray<Heard> => {
  const value = (name: string) => block.split("\n").find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
  const [name, data] = [value("event"), value("data")]
  return name === undefined || data === undefined ? [] : [{ name, data: JSON.parse(data), id: value("id") }]
}

export const heard = Effect.fnUntraced(function*(response: Response) {
  const state = { text: "", ended: false }
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  const read = async () => {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) state.text += chunk.value
    state.ended = true
  }
  yield* Effect.sync(() => void read())
  return {
    status: response.status,
    headers: response.headers,
    text: Effect.as(settle, state).pipe(Effect.map(({ text }) => text)),
    ended: Effect.as(settle, state).pipe(Effect.map(({ ended }) => ended)),
    events: Effect.as(settle, state).pipe(Effect.map(({ text }) => text.split("\n\n").flatMap(toEvent))),
    close: Effect.promise(() => reader.cancel())
  }
})

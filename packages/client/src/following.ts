/** Follows a list that is newest first. */
import { CALL, type CallOptions } from "./calling.ts"
import type { Names } from "./optionNames.ts"

/** From which entry on a list is followed. */
export interface Following extends CallOptions {
  /** The id of the last known entry. */
  readonly after?: string | undefined
}

export const FOLLOWING: Names<Following> = { ...CALL, after: true }

/** Between two looks at the list, in milliseconds. */
const PAUSE = 1_000

const pause = (signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal?.removeEventListener("abort", end)
      resolve()
    }
    const timer = setTimeout(end, PAUSE)
    signal?.addEventListener("abort", end)
  })

/** New entries as they appear, oldest first: from now on, or from after an earlier one. */
export async function* following<A>(
  list: () => AsyncIterable<A>,
  idOf: (entry: A) => string,
  { after, signal }: Following
): AsyncGenerator<A, void> {
  let last = after
  if (last === undefined) {
    for await (const newest of list()) {
      last = idOf(newest)
      break
    }
  }
  while (true) {
    const added: Array<A> = []
    for await (const entry of list()) {
      if (idOf(entry) === last) break
      added.push(entry)
    }
    for (const entry of added.reverse()) {
      last = idOf(entry)
      yield entry
    }
    await pause(signal)
  }
}

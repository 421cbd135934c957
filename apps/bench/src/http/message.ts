import type { ChildProcess } from "node:child_process"
import { once } from "node:events"

/** The next message of a process; fails if the process ends first. */
export const messageOf = (child: ChildProcess): Promise<unknown> => {
  const done = new AbortController()
  const ended = once(child, "exit", done).then(([code]) => {
    throw new Error(`a process ended with ${code}`)
  })
  const received = once(child, "message", done).then(([value]) => value as unknown)
  return Promise.race([received, ended]).finally(() => done.abort())
}

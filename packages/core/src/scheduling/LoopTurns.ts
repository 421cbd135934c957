/**
 * One task per turn of the event loop, and keys take turns: a task waits for one of each other key, however many
 * tasks another key has.
 */
import { Effect } from "effect"

/** Runs it in a later turn of the event loop. */
export const nextTurn = (globalThis as { readonly setImmediate?: (task: () => void) => unknown }).setImmediate ??
  ((task: () => void) => setTimeout(task, 0))

/** `next` runs a function in a later turn. */
export const makeLoopTurns = (next: (task: () => void) => unknown = nextTurn) => {
  /** The waiting tasks, by key in the order of their turns. */
  const waiting = new Map<string, Array<() => void>>()
  let isTaken = false

  const turn = (): void => {
    const [first] = waiting
    isTaken = first !== undefined
    if (first === undefined) return
    next(turn)
    const [key, tasks] = first
    const task = tasks.shift()!
    // The other keys come before its next one.
    waiting.delete(key)
    if (tasks.length > 0) waiting.set(key, tasks)
    task()
  }

  /** Takes the current turn; false if a task has it. */
  const take = (): boolean => {
    if (isTaken) return false
    isTaken = true
    next(turn)
    return true
  }

  /** Continues in a turn that no other task shares; at once if this one is free. */
  const turnOf = (key: string): Effect.Effect<void> =>
    Effect.callback((resume) => {
      const task = () => resume(Effect.void)
      if (take()) return task()
      const tasks = waiting.get(key)
      if (tasks === undefined) waiting.set(key, [task])
      else tasks.push(task)
    })

  return { take, turnOf }
}

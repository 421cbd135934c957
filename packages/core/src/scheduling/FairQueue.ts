/**
 * Fair queueing for a scarce resource.
 *
 * Each key has its own queue, and keys take turns: at most `perKey` tasks of a key are in the common queue at a time.
 */
import { Effect, Semaphore } from "effect"
import { Overloaded } from "../model/Error.ts"

export interface FairQueueOptions {
  readonly atOnce: number
  readonly perKey: number
  /** The most waiting and running tasks, in total and per key. More are refused. */
  readonly most: number
  readonly mostPerKey: number
  /** The message of a refusal. */
  readonly message: string
}

export interface FairQueue {
  (key: string): <A, E, R>(task: Effect.Effect<A, E, R>) => Effect.Effect<A, E | Overloaded, R>
  /** Whether tasks wait for those of other keys. */
  readonly isCrowded: () => boolean
}

interface Queue {
  readonly turns: Semaphore.Semaphore
  tasks: number
}

export const makeFairQueue = ({ atOnce, message, most, mostPerKey, perKey }: FairQueueOptions): FairQueue => {
  const common = Semaphore.makeUnsafe(atOnce)
  const queues = new Map<string, Queue>()
  let tasks = 0

  const enter = (key: string) =>
    Effect.suspend(() => {
      const queue = queues.get(key) ?? { turns: Semaphore.makeUnsafe(perKey), tasks: 0 }
      if (tasks >= most || queue.tasks >= mostPerKey) return Effect.fail(new Overloaded({ message }))
      queues.set(key, queue)
      queue.tasks++
      tasks++
      return Effect.succeed(queue)
    })

  const leave = (key: string, queue: Queue) =>
    Effect.sync(() => {
      tasks--
      if (--queue.tasks === 0) queues.delete(key)
    })

  const run = (key: string) => <A, E, R>(task: Effect.Effect<A, E, R>) =>
    Effect.acquireUseRelease(
      enter(key),
      ({ turns }) => turns.withPermit(common.withPermit(task)),
      (queue) => leave(key, queue)
    )

  const isCrowded = (): boolean => {
    let wanted = 0
    for (const { tasks } of queues.values()) wanted += Math.min(tasks, perKey)
    return wanted > atOnce
  }

  return Object.assign(run, { isCrowded })
}

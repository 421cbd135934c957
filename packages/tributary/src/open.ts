/**
 * The front door:
 *
 *     await using kb = await open({ storage: "memory" })
 *     const workspace = await kb.createWorkspace({ name: "Handbook" })
 */
import * as Memory from "@tributary/memory/Memory"
import { type Backend, inProcess } from "./inProcess.ts"
import { type Calls, KnowledgeBase } from "./KnowledgeBase.ts"

export * from "@tributary/client/TributaryError"
export type { Backend } from "./inProcess.ts"
export type { KnowledgeBase, NewWorkspace, Workspace } from "./KnowledgeBase.ts"

export type Storage = "memory" | "embedded" | { readonly postgres: string }

export interface Options extends Calls {
  /** `memory` keeps everything in this process and forgets it at its end. */
  readonly storage: Storage
}

/** On a backend of the host's own: the layers of its ports. */
export const openWith = async <E>(backend: Backend<E>, calls: Calls = {}): Promise<KnowledgeBase> =>
  new KnowledgeBase(await inProcess(backend), calls)

export const open = async ({ storage, ...calls }: Options): Promise<KnowledgeBase> => {
  if (storage === "memory") return openWith(Memory.layer, calls)
  const name = typeof storage === "string" ? storage : Object.keys(storage).join()
  throw new TypeError(
    `There is no storage ${JSON.stringify(name)} yet. Use "memory", or openWith and layers of your own.`
  )
}

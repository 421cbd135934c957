/**
 * The front door:
 *
 *     await using kb = await open({ storage: "memory" })
 *     const workspace = await kb.createWorkspace({ name: "Handbook" })
 */
import "@tributary/node/supportedNode"
import * as Memory from "@tributary/memory/Memory"
import { Layer, Struct } from "effect"
import { type Backend, inProcess } from "./inProcess.ts"
import { type Calls, KnowledgeBase } from "./KnowledgeBase.ts"
import { namingPackage } from "./missingPackage.ts"
import { toOpenError } from "./OpenError.ts"
import { checkOptions, checkParts, type Options } from "./options.ts"
import { overridesLayer, type Parts, partsLayer, runtimeLayer } from "./parts.ts"
import { isObject } from "./rules.ts"

export type * from "@tributary/client"
export * from "@tributary/client/TributaryError"
export type { FieldType, KindDefinition } from "@tributary/core/model/KindCatalogue"
export type { HandlerOptions, HostCaller } from "./handlers.ts"
export type { Backend } from "./inProcess.ts"
export type { Calls, Health, KnowledgeBase, NewWorkspace, Workspace } from "./KnowledgeBase.ts"
export { OpenError } from "./OpenError.ts"
export type { InDirectory, InMemory, InPostgres, Options, Storage } from "./options.ts"
export type { Answers, Embeddings, Parts, Reranking, SegmentCacheOptions } from "./parts.ts"

const openOn = async <E>(backend: Backend<E>, options: Calls & Parts): Promise<KnowledgeBase> => {
  const calls = Struct.pick(options, ["attemptTimeout", "retries", "timeout"])
  const indexing = options.indexing === "worker" ? (await import("@tributary/node/IndexThreads")).layer : Layer.empty
  const layer = Layer.mergeAll(partsLayer(options), indexing, backend, overridesLayer(options)).pipe(
    Layer.provideMerge(runtimeLayer(options))
  )
  return new KnowledgeBase(await inProcess(layer, options.account), calls)
}

/**
 * Opens the service over layers of Effect: those of the storage ports, such as `Memory.layer` of `@tributary/memory/Memory`,
 * and of any other part to replace. They win over the defaults.
 */
export const openWith = async <E>(backend: Backend<E>, options: Calls & Parts = {}): Promise<KnowledgeBase> => {
  if (!Layer.isLayer(backend)) throw new TypeError("The backend of \"openWith\" must be a layer.")
  checkParts(options)
  return openOn(backend, options)
}

/** By default, no request waits for a rebuild. */
const inWorkers = (options: Options): Options => ({ ...options, indexing: options.indexing ?? "worker" })

/** A bundle lacks the workers' module, and is to work in memory nevertheless. */
const inWorkersIfAny = async (options: Options): Promise<Options> =>
  (await import("@tributary/node/IndexThreads")).isAvailable() ? inWorkers(options) : options

const missingStorage = ({ storage }: { readonly storage?: unknown }): string =>
  storage === undefined ? `The option "storage" is missing.` : `There is no storage ${JSON.stringify(storage)}.`

const openStorage = async (options: Options): Promise<KnowledgeBase> => {
  checkOptions(options)
  switch (options.storage) {
    case "memory":
      return openOn(Memory.layer, await inWorkersIfAny(options))
    case "embedded":
      return openOn((await import("./embedded.ts")).layer(options), inWorkers(options))
    case "postgres":
      return openOn((await import("./postgres.ts")).layer(options), inWorkers(options))
    default:
      throw new TypeError(
        `${missingStorage(options)} Use "memory", "embedded" or "postgres", or openWith and layers of your own.`
      )
  }
}

/** An optional package, loaded with the storage that needs it. */
const NEEDED: Readonly<Record<string, string>> = { postgres: "@effect/sql-pg" }

/**
 * Opens the service in this process. `storage` says where documents are kept; all other options have defaults. Close the
 * result, or open it with `await using`: otherwise the process stays alive.
 *
 * Rejects with a `TypeError` for an invalid option, and with an `OpenError` if the storage cannot be opened.
 */
export const open = async (given: Options): Promise<KnowledgeBase> => {
  if (given !== undefined && !isObject(given)) {
    throw new TypeError(`The options must be an object, not ${JSON.stringify(given)}.`)
  }
  const options: Options = { ...given }
  return openStorage(options).catch((thrown: unknown) => {
    const needed = NEEDED[options.storage]
    const error = needed === undefined ? thrown : namingPackage(`Storage "${options.storage}"`, needed, thrown)
    throw error instanceof TypeError ? error : toOpenError(error)
  })
}

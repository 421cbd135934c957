/**
 * The front door:
 *
 *     await using kb = await open({ storage: "memory" })
 *     const workspace = await kb.createWorkspace({ name: "Handbook" })
 */
import * as OpenAiEmbeddings from "@tributary/embeddings/OpenAiEmbeddings"
import * as Memory from "@tributary/memory/Memory"
import { Layer, Redacted } from "effect"
import type { Embedded } from "./embedded.ts"
import { type Backend, inProcess } from "./inProcess.ts"
import { type Calls, KnowledgeBase } from "./KnowledgeBase.ts"
import type { Postgres } from "./postgres.ts"

export * from "@tributary/client/TributaryError"
export { defineKind, type FieldType, type KindDefinition } from "@tributary/core/model/KindCatalogue"
export type { Backend } from "./inProcess.ts"
export type { KnowledgeBase, NewWorkspace, Workspace } from "./KnowledgeBase.ts"

/** Everything is kept in this process and forgotten at its end. */
export interface InMemory {
  readonly storage: "memory"
}

/** Kept in a directory; takes the package `@electric-sql/pglite`. */
export interface InDirectory extends Embedded {
  readonly storage: "embedded"
}

/** Kept in a Postgres; takes the package `@effect/sql-pg`. */
export interface InPostgres extends Postgres {
  readonly storage: "postgres"
}

/** A service that answers `POST /v1/embeddings` as OpenAI does; with it, things are found by meaning, too. */
export interface Embeddings extends Pick<OpenAiEmbeddings.Options, "url" | "model" | "dimensions"> {
  readonly key?: string
}

export interface Models {
  readonly embeddings?: Embeddings
}

export type Storage = InMemory | InDirectory | InPostgres

export type Options = Calls & Models & Storage

/** On a backend of the host's own: the layers of its ports. */
export const openWith = async <E>(backend: Backend<E>, calls: Calls = {}): Promise<KnowledgeBase> =>
  new KnowledgeBase(await inProcess(backend), calls)

const withModels = <E>(backend: Backend<E>, embeddings: Embeddings | undefined): Backend<E> => {
  if (embeddings === undefined) return backend
  const { key, ...model } = embeddings
  return Layer.merge(
    backend,
    OpenAiEmbeddings.layer({ ...model, key: key === undefined ? undefined : Redacted.make(key) })
  )
}

const openStorage = async (options: Options): Promise<KnowledgeBase> => {
  switch (options.storage) {
    case "memory": {
      const { embeddings, storage: _memory, ...calls } = options
      return openWith(withModels(Memory.layer, embeddings), calls)
    }
    case "embedded": {
      const { directory, embeddings, fsync = true, storage: _embedded, ...calls } = options
      // A small part of the package tells whether it is there, before a directory is made for it.
      await import("@electric-sql/pglite/template")
      return openWith(withModels((await import("./embedded.ts")).layer({ directory, fsync }), embeddings), calls)
    }
    case "postgres": {
      const { embeddings, maxConnections = 10, schema = "tributary", storage: _postgres, url, ...calls } = options
      const backend = (await import("./postgres.ts")).layer({ maxConnections, schema, url })
      return openWith(withModels(backend, embeddings), calls)
    }
    default:
      throw new TypeError(
        `There is no storage ${JSON.stringify((options as { storage?: unknown }).storage)}. Use "memory", "embedded" ` +
          `or "postgres", or openWith and layers of your own.`
      )
  }
}

/** Optional packages: each is loaded with the storage that needs it. */
const NEEDED: Readonly<Record<string, string>> = { embedded: "@electric-sql/pglite", postgres: "@effect/sql-pg" }

/** Rejects with an `Error` whose message says why when the storage cannot be opened. */
export const open = (options: Options): Promise<KnowledgeBase> =>
  openStorage(options).catch((error: unknown) => {
    const needed = NEEDED[options.storage]
    const isMissing = error instanceof Error && needed !== undefined &&
      error.message.includes(`Cannot find package '${needed}'`)
    throw isMissing
      ? new Error(`Storage "${options.storage}" needs a package that is not installed: npm install ${needed}`, {
        cause: error
      })
      : error
  })

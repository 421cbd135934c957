/** The configured storage with its ports, its description, and operations that only some kinds support. */
import type * as Memory from "@tributary/memory/Memory"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import type { ApiHandler } from "./ApiRequest.ts"

export class Store extends Context.Service<Store, {
  /** Where data is kept, for the start message. */
  readonly place: string
  /** Initialization takes a lock, because several servers may find the same store empty. */
  readonly exclusively: <A, E, R>(task: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Answers commands of this machine without HTTP until the scope closes. */
  readonly answerCommands: (handle: ApiHandler) => Effect.Effect<void, never, Scope.Scope>
}>()("@tributary/server/Store") {}

/** Every port of the core that a kind of storage provides. */
export type Ports = Layer.Success<typeof Memory.layer>

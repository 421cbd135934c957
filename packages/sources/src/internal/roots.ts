/** Folders on the service's own machine that the operator lets connections read. */
import { PulledFor, type SyncFailure } from "@tributary/core/ports/Provider"
import { Effect, Stream } from "effect"
import { steps } from "./steps.ts"

export interface BoundRoot {
  readonly path: string
  /** The ids of the workspaces that may connect it; no other may. */
  readonly workspaces: ReadonlyArray<string>
}

/** A path alone is for every workspace. */
export type Roots = ReadonlyArray<string | BoundRoot>

/** Those of the workspace on whose behalf this runs. */
export const rootsNow = (roots: Roots): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(
    PulledFor,
    (workspace) =>
      roots.flatMap((root) =>
        typeof root === "string" ? [root] : workspace !== null && root.workspaces.includes(workspace) ? [root.path] : []
      )
  )

/** `steps` with the roots of that workspace. */
export const stepsWithin = <A>(
  roots: Roots,
  run: (roots: ReadonlyArray<string>, signal: AbortSignal) => AsyncGenerator<A>
): Stream.Stream<A, SyncFailure> =>
  Stream.unwrap(Effect.map(rootsNow(roots), (roots) => steps((signal) => run(roots, signal))))

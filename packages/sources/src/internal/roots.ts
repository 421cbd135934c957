/** Folders of the server's machine that connections may read. */
import { CurrentWorkspace, type SyncFailure } from "@tributary/core/ports/Provider"
import { Effect, Stream } from "effect"
import { attempt, steps } from "./steps.ts"

export interface BoundRoot {
  readonly path: string
  /** Only these workspaces may connect it. */
  readonly workspaces: ReadonlyArray<string>
}

/** A path without ids is open to every workspace. */
export type Roots = ReadonlyArray<string | BoundRoot>

/** The roots of the workspace for which this runs. */
const rootsNow = (roots: Roots): Effect.Effect<ReadonlyArray<string>> =>
  Effect.map(
    CurrentWorkspace,
    (workspace) =>
      roots.flatMap((root) =>
        typeof root === "string" ? [root] : workspace !== null && root.workspaces.includes(workspace) ? [root.path] : []
      )
  )

/** `attempt` with the roots of that workspace. */
export const attemptWithin = <A>(
  roots: Roots,
  run: (roots: ReadonlyArray<string>, signal: AbortSignal) => Promise<A>
): Effect.Effect<A, SyncFailure> => Effect.flatMap(rootsNow(roots), (roots) => attempt((signal) => run(roots, signal)))

/** `steps` with the roots of that workspace. */
export const stepsWithin = <A>(
  roots: Roots,
  run: (roots: ReadonlyArray<string>, signal: AbortSignal) => AsyncGenerator<A>
): Stream.Stream<A, SyncFailure> =>
  Stream.unwrap(Effect.map(rootsNow(roots), (roots) => steps((signal) => run(roots, signal))))

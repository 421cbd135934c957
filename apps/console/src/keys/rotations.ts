/** Unfinished rotations, kept in this browser: the new key of each old one. */
const KEY = "tributary.rotations"

interface OpenRotation {
  readonly stale: string
  readonly fresh: string
  /** Milliseconds since 1970. */
  readonly since: number
}

const read = (): ReadonlyArray<OpenRotation> => {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]") as ReadonlyArray<OpenRotation>
  } catch {
    return []
  }
}

/** Only this many are kept; older ones are long done. */
const MOST = 100

export const openRotationOf = (stale: string): OpenRotation | null => read().find((one) => one.stale === stale) ?? null

const others = (stale: string) => read().filter((one) => one.stale !== stale)

export const rememberRotation = (rotation: OpenRotation): void =>
  localStorage.setItem(KEY, JSON.stringify([rotation, ...others(rotation.stale)].slice(0, MOST)))

export const forgetRotation = (stale: string): void => localStorage.setItem(KEY, JSON.stringify(others(stale)))

/** Unfinished rotations, kept in this browser: the new key of each old one. */
import type { Key } from "../api/consoleApi.ts"
import { isUsable } from "./isUsable.ts"

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
const MAX_ROTATIONS = 100

/** Null also if its new key was revoked or has expired: it begins again with another one. */
export const openRotationOf = (stale: string, keys: ReadonlyArray<Key>): OpenRotation | null =>
  read().find((one) => one.stale === stale && keys.some((key) => key.key_id === one.fresh && isUsable(key))) ?? null

const others = (stale: string) => read().filter((one) => one.stale !== stale)

export const rememberRotation = (rotation: OpenRotation): void =>
  localStorage.setItem(KEY, JSON.stringify([rotation, ...others(rotation.stale)].slice(0, MAX_ROTATIONS)))

export const forgetRotation = (stale: string): void => localStorage.setItem(KEY, JSON.stringify(others(stale)))

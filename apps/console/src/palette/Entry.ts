import type { IconName } from "../ui/Icon.tsx"

/** An entry of the command palette. */
export interface Entry {
  readonly id: string
  readonly name: string
  /** Distinguishes entries of the same name. */
  readonly about?: string
  readonly icon: IconName
  readonly go: () => Promise<void>
}

export interface Group {
  readonly title: string
  readonly entries: ReadonlyArray<Entry>
}

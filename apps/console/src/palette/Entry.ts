import type { IconName } from "../ui/Icon.tsx"

/** Something that can be gone to. */
export interface Entry {
  readonly id: string
  readonly name: string
  /** What tells it from others of its name. */
  readonly about?: string
  readonly icon: IconName
  readonly go: () => Promise<void>
}

export interface Group {
  readonly title: string
  readonly entries: ReadonlyArray<Entry>
}

/** A client of the API: an assistant or a program. */
import type { Scope } from "@tributary/core/model/Scope"

interface Target {
  /** Of this server, without a path. */
  readonly url: string
  /** The secret of a key, or a placeholder. */
  readonly key: string
}

export interface Snippet {
  /** The file it belongs in, or what runs it. */
  readonly title: string
  readonly code: string
}

export interface Client {
  readonly id: string
  readonly name: string
  /** Shown above the snippets. */
  readonly about: string
  readonly snippets: (target: Target) => ReadonlyArray<Snippet>
  /** The client has no key: its user signs in by OAuth. */
  readonly signsIn?: true
  /** Of a new key for it. */
  readonly scopes: ReadonlyArray<Scope>
}

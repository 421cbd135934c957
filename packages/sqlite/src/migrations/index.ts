/** Migrations in order; `user_version` counts those that were applied. A released one never changes. */
import { initial } from "./initial.ts"

export const migrations: ReadonlyArray<string> = [initial]

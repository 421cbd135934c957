/**
 * Every port in one SQLite file, for one process. SQLite is part of Node, so there is nothing to install.
 */
import { Layer } from "effect"
import { Database, type SqliteOptions } from "./internal/Database.ts"
import { lastWritten } from "./internal/lastWritten.ts"
import { ports } from "./internal/ports.ts"

export { FILE_NAME } from "./fileName.ts"
export type { SqliteOptions } from "./internal/Database.ts"

export const layer = (options: SqliteOptions) =>
  Layer.fresh(Layer.provide(ports, Database.layer(options))).pipe(Layer.provideMerge(lastWritten(options.path)))

/**
 * Every port in one SQLite file, for one process. SQLite is part of Node, so there is nothing to install.
 */
import { Layer } from "effect"
import { Database, type SqliteOptions } from "./internal/Database.ts"
import { ports } from "./internal/ports.ts"

/** The database in a data directory. */
export const FILE_NAME = "tributary.db"

export type { SqliteOptions } from "./internal/Database.ts"

export const layer = (options: SqliteOptions) => Layer.fresh(Layer.provide(ports, Database.layer(options)))

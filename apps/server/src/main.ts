#!/usr/bin/env node
/** The `tributary` command. */
import { enableCompileCache } from "node:module"
import { fileURLToPath } from "node:url"

// Caches compiled code for later starts. Without a cache folder, it is just slower.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)))

await import("./command/run.ts")

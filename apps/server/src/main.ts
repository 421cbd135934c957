#!/usr/bin/env node
/** The `tributary` command. */
import { enableCompileCache } from "node:module"
import { fileURLToPath } from "node:url"

// From the second start on, what is loaded after this is not compiled again. Where it cannot be kept, nothing is lost.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)))

await import("./command/run.ts")

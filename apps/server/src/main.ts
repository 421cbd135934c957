#!/usr/bin/env node
/** The `tributary` command. */
import { enableCompileCache } from "node:module"
import { fileURLToPath } from "node:url"

// glibc keeps freed memory, in pieces of up to 32 MB, unless this is set when a process starts; a lower first threshold
// makes SQLite slow with long texts. A process with a channel to its parent would lose the channel.
const ALLOCATOR = { MALLOC_MMAP_THRESHOLD_: "4194304", MALLOC_TRIM_THRESHOLD_: "131072" }
const { argv, channel, env, execArgv, execPath, platform } = process
if (argv[2] === "serve" && platform === "linux" && channel === undefined && !("MALLOC_MMAP_THRESHOLD_" in env)) {
  process.execve?.(execPath, [execPath, ...execArgv, ...argv.slice(1)], { ...ALLOCATOR, ...env })
}

// Caches compiled code for later starts. Without a cache folder, it is just slower.
enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)))

await import("./command/run.ts")

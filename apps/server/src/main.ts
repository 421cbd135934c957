#!/usr/bin/env node
/** The `tributary` command. */
import "@tributary/node/supportedNode"
import module from "node:module"
import { fileURLToPath } from "node:url"
import { ALLOCATOR, HEAP } from "./serve/processMemory.ts"

// A process with a channel to its parent would lose the channel.
const { argv, channel, env, execArgv, execPath, platform } = process
if (argv[2] === "serve" && platform === "linux" && channel === undefined && !("MALLOC_MMAP_THRESHOLD_" in env)) {
  process.execve?.(execPath, [execPath, ...HEAP, ...execArgv, ...argv.slice(1)], { ...ALLOCATOR, ...env })
}

// Caches compiled code for later starts. Without a cache folder, it is just slower.
module.enableCompileCache(fileURLToPath(new URL("../node_modules/.cache/compiled", import.meta.url)))

const { run } = await import("./run.ts")
run()

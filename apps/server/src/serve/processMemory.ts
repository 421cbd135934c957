/** How the process of a server takes memory, which is set when it starts. */

/**
 * Environment, in bytes. glibc keeps freed memory, in pieces of up to 32 MB, unless this is set; a lower first threshold
 * makes SQLite slow with long texts.
 */
export const ALLOCATOR = { MALLOC_MMAP_THRESHOLD_: "4194304", MALLOC_TRIM_THRESHOLD_: "131072" }

/** Node's options. By default V8 keeps up to 128 MB for new objects. */
export const HEAP = ["--max-semi-space-size=8"]

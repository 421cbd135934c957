/**
 * Environment of a server, in bytes. glibc keeps freed memory, in pieces of up to 32 MB, unless this is set when a
 * process starts; a lower first threshold makes SQLite slow with long texts.
 */
export const ALLOCATOR = { MALLOC_MMAP_THRESHOLD_: "4194304", MALLOC_TRIM_THRESHOLD_: "131072" }

import { totalmem } from "node:os"

/** Bytes of memory that the process may use: the machine's, or fewer in a container or under a service manager's limit. */
export const memoryLimit = (): number => Math.min(totalmem(), process.constrainedMemory() || Infinity)

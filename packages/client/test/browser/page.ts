/** The program in a page: it waits to be called. */
import { program } from "./program.ts"

Object.assign(globalThis, { program })

/** Reads the huge texts in a process of its own, which fails where one is not read to its end. */
import { HUGE, readToItsEnd, withSignBehind } from "./hugeTexts.ts"

for (const huge of HUGE) readToItsEnd(withSignBehind(huge))

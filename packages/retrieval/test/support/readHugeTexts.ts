/** Reads the huge texts in a process of its own, and names each that is read to its end. */
import { HUGE, readToItsEnd, withSignBehind } from "./hugeTexts.ts"

for (const huge of HUGE) {
  readToItsEnd(withSignBehind(huge))
  console.log(huge.what)
}

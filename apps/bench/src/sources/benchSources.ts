/** What pulling from sources costs: time beside the bare library, and memory as a source grows. */
import { print, printLoad } from "../print.ts"
import { Dovecot } from "./Dovecot.ts"
import { benchMailSpeed } from "./mailSpeed.ts"
import { benchMemory } from "./memory.ts"

export const benchSources = async (): Promise<void> => {
  printLoad()
  if (Dovecot.isThere) await benchMailSpeed()
  else print("There is no dovecot here, so mails are skipped.")
  print("")
  await benchMemory()
  printLoad()
  print("")
}

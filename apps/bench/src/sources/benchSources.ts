/** The cost of pulling from sources: time compared with the bare library, and memory as a source grows. */
import { print, printLoad } from "../print.ts"
import { programPath } from "../../../../packages/sources/test/support/programs.ts"
import { benchMailSpeed } from "./mailSpeed.ts"
import { benchMemory } from "./memory.ts"

export const benchSources = async (): Promise<void> => {
  printLoad()
  if (programPath("dovecot") !== null) await benchMailSpeed()
  else print("There is no dovecot here, so mails are skipped.")
  print("")
  await benchMemory()
  printLoad()
  print("")
}

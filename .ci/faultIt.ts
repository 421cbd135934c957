import { it } from "vitest"
import { extent } from "./extent.ts"

/** As `it`, for a test that only `npm run test:faults` runs: elsewhere there is none. */
export const faultIt = (name: string, test: () => Promise<void>): void => {
  if (extent(false, true)) it(name, test)
}

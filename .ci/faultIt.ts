import { it } from "vitest"
import { extent } from "./extent.ts"

/** Like `it`, for a test that only `npm run test:faults` runs. */
export const faultIt = (name: string, test: () => Promise<void>): void => {
  if (extent(false, true)) it(name, test)
}

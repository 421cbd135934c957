import { BaseSequencer, type TestSpecification } from "vitest/node"

/** What starts servers and browsers takes longest. */
const LONG = [/\/faults\//, /\/apps\/(?:server|console)\//]

/** Files that take long come first, so that no worker is left with one when the others have nothing to do. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.findIndex((pattern) => pattern.test(moduleId))
      return place === -1 ? LONG.length : place
    }
    return (await super.sort(files)).toSorted((left, right) => rank(left) - rank(right))
  }
}

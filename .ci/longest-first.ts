import { BaseSequencer, type TestSpecification } from "vitest/node"

/** Tests that start servers and browsers take longest, and then those that use Postgres or other programs. */
const LONG = [
  /\/faults\//,
  /\/apps\/(?:server|console)\//,
  /\/packages\/(?:extract|postgres|sources|sqlite|tributary)\//
]

/** Long files run first, so that the workers end at about the same time. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: Array<TestSpecification>): Promise<Array<TestSpecification>> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = LONG.findIndex((pattern) => pattern.test(moduleId))
      return place === -1 ? LONG.length : place
    }
    return (await super.sort(files)).toSorted((left, right) => rank(left) - rank(right))
  }
}

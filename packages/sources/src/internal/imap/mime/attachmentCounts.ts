/** The number of attachments of each mail that has any: `7:1,9:3`. */
export const readCounts = (text: string): Map<number, number> =>
  new Map(
    text.split(",").flatMap((pair) => {
      const [uid, count] = pair.split(":").map(Number)
      return Number.isSafeInteger(uid) && Number.isSafeInteger(count) ? [[uid!, count!] as const] : []
    })
  )

export const writeCounts = (counts: ReadonlyMap<number, number>): string =>
  Array.from(counts, ([uid, count]) => `${uid}:${count}`).join(",")

/** Wakes one listener. What rings while nobody listens is heard once. */
export const makeBell = () => {
  let rang = false
  let wake = () => {}
  return {
    ring: (): void => {
      rang = true
      wake()
    },
    heard: async (): Promise<void> => {
      if (!rang) await new Promise<void>((resolve) => wake = resolve)
      rang = false
    }
  }
}

/** Wakes one listener. A ring while nobody listens is kept, once. */
export const makeWakeUp = () => {
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

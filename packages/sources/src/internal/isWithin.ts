/** Whether a time is within the window of a sync. */
export const isWithin = (since: Date | null, time: Date): boolean => since === null || time >= since

/** Whether something of that time is within the reach of a sync. */
export const isWithin = (since: Date | null, time: Date): boolean => since === null || time >= since

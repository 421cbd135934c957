const COUNT = new Intl.NumberFormat("en")

export const counted = (value: number): string => COUNT.format(value)

/** `3 documents`, `1 document`. */
export const amount = (value: number, one: string): string => `${counted(value)} ${value === 1 ? one : `${one}s`}`

const UNITS = ["bytes", "kB", "MB", "GB", "TB"]

/** In powers of a thousand, as the limits are counted. */
export const bytes = (value: number): string => {
  if (value < 999.5) return amount(Math.round(value), "byte")
  // The first unit in which the rounded number has three digits at most.
  const power = Math.min(UNITS.length - 1, Math.floor((Math.log10(value / 999.5)) / 3) + 1)
  const scaled = value / 1_000 ** power
  return `${scaled >= 99.95 ? Math.round(scaled) : scaled.toFixed(1)} ${UNITS[power]}`
}

/** `12 ms`, `1.4 s`. */
export const milliseconds = (value: number): string =>
  value < 999.5 ? `${Math.round(value)} ms` : `${(value / 1_000).toFixed(1)} s`

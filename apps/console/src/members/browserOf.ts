/** The browser and system that a User-Agent header names; browsers claim to be others as well, which come later. */
const BROWSERS = [
  [/\bEdg(A|iOS)?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(Firefox|FxiOS)\//, "Firefox"],
  [/(Chrome|CriOS)\//, "Chrome"],
  [/\bSafari\//, "Safari"]
] as const

const SYSTEMS = [
  [/iPhone|iPod/, "iOS"],
  [/iPad/, "iPadOS"],
  [/Android/, "Android"],
  [/CrOS/, "ChromeOS"],
  [/Windows/, "Windows"],
  [/Mac OS X/, "macOS"],
  [/Linux/, "Linux"]
] as const

/** Such as `Firefox on Windows`; the header itself if it names no browser. */
export const browserOf = (userAgent: string): string => {
  const nameIn = (names: typeof BROWSERS | typeof SYSTEMS) => names.find(([pattern]) => pattern.test(userAgent))?.[1]
  const [browser, system] = [nameIn(BROWSERS), nameIn(SYSTEMS)]
  return browser === undefined ? userAgent : system === undefined ? browser : `${browser} on ${system}`
}

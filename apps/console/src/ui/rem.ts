/** A length of the style sheet in pixels: it grows with the size of text that somebody chose. */
export const rem = (count: number): number => count * parseFloat(getComputedStyle(document.documentElement).fontSize)

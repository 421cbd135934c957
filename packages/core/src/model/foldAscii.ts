/** Lower-cases ASCII letters only, which every store does in the same way. */
export const foldAscii = (text: string): string => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase())

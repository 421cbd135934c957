/** What reading a text costs, in characters that are looked at: numbers that no load of the machine changes. */

const { charCodeAt, slice } = String.prototype
const { exec } = RegExp.prototype
const { segment } = Intl.Segmenter.prototype

const put = (owner: object, name: string, value: unknown): void => {
  Object.defineProperty(owner, name, { value, configurable: true, writable: true })
}

/** How many characters `work` asks for one by one, copies, has matched, or has segmented. */
export const charactersRead = (work: () => void): number => {
  let count = 0
  put(String.prototype, "charCodeAt", function(this: string, at: number) {
    count++
    return charCodeAt.call(this, at)
  })
  put(String.prototype, "slice", function(this: string, start?: number, end?: number) {
    const copy = slice.call(this, start, end)
    count += copy.length
    return copy
  })
  put(RegExp.prototype, "exec", function(this: RegExp, text: string) {
    const from = this.global || this.sticky ? this.lastIndex : 0
    const match = exec.call(this, text)
    const to = match === null ? (this.sticky ? from : text.length) : match.index + match[0].length
    count += Math.max(0, to - from) + 1
    return match
  })
  put(Intl.Segmenter.prototype, "segment", function(this: Intl.Segmenter, text: string) {
    count += text.length
    return segment.call(this, text)
  })
  try {
    work()
  } finally {
    put(String.prototype, "charCodeAt", charCodeAt)
    put(String.prototype, "slice", slice)
    put(RegExp.prototype, "exec", exec)
    put(Intl.Segmenter.prototype, "segment", segment)
  }
  return count
}

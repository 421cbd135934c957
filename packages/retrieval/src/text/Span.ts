/** Half-open, in UTF-16 code units; without white space at either end. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** Where and why a text is not JSON, with the reasons of CPython's decoder, which existing clients expect. */
export class JsonFault extends Error {
  readonly index: number

  constructor(reason: string, index: number) {
    super(reason)
    this.index = index
  }
}

/**
 * Keeps the mark U+FEFF at the beginning of a text: it is part of the data. PGlite decodes what the database answers with
 * decoders that take it away. To be imported before PGlite, in the thread that has nothing else to decode.
 */
globalThis.TextDecoder = class extends TextDecoder {
  constructor(label?: string, options?: TextDecoderOptions) {
    super(label, { ...options, ignoreBOM: true })
  }
}

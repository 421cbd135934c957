/** Bytes that can be transferred to another thread without a copy. Small buffers share their memory with others. */
export const ownMemory = ({ buffer, byteLength }: Uint8Array): ReadonlyArray<ArrayBuffer> =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []

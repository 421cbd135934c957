/** Of bytes, what can be handed to another thread without a copy. Small ones share their memory with others. */
export const ownMemory = ({ buffer, byteLength }: Uint8Array): ReadonlyArray<ArrayBuffer> =>
  buffer instanceof ArrayBuffer && buffer.byteLength === byteLength ? [buffer] : []

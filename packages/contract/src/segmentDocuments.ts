/** Made-up documents to build segments of. */
export const segmentDocuments = (count: number) =>
  Array.from({ length: count }, (_, number) => ({
    id: `019a0000-0000-7000-8000-${number.toString(16).padStart(12, "0")}`,
    version: number + 1,
    title: `title ${number}`,
    // Long words: as much text of fewer words is the same to what is decided by size, and built sooner.
    chunks: [`word${number % 977}${"x".repeat(52)} `.repeat(8)],
    tags: ["source:custom"],
    from: number,
    to: number
  }))

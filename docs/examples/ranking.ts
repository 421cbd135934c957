/** Other parameters for search, which the retrieval benchmark measures beside ours; `open` takes the same options. */
export default { ranking: { parameters: { k1: 1.2, b: 0.75, proximity: 0 } } }

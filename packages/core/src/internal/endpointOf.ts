/** The address of an endpoint, from the base address of its API or its own: `path`, such as `/rerank`, is added once. */
export const endpointOf = (url: string | URL, path: string): string => {
  const address = new URL(url)
  const base = address.pathname.replace(/\/+$/, "")
  address.pathname = base.endsWith(path) ? base : base + path
  return address.href
}

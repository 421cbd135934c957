/** A `fetch` that tells how much of a body has left. The platform's own does not tell; the older way to ask does. */

const headersOf = (request: XMLHttpRequest): Headers => {
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().trim().split(/\r?\n/)) {
    const at = line.indexOf(":")
    if (at > 0) headers.append(line.slice(0, at), line.slice(at + 1).trim())
  }
  return headers
}

/** Statuses that have no body, and whose `Response` takes none. */
const EMPTY = new Set([204, 205, 304])

export const uploading = (onSent: (bytes: number) => void): typeof fetch => (input, init) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const { body, method, signal } = init ?? {}
    if (body instanceof ReadableStream) throw new TypeError("a stream tells nothing of how long it is")
    request.open(method ?? "GET", input instanceof Request ? input.url : input)
    new Headers(init?.headers).forEach((value, name) => request.setRequestHeader(name, value))
    request.responseType = "arraybuffer"
    request.upload.addEventListener("progress", ({ loaded }) => onSent(loaded))
    request.addEventListener("load", () => {
      const { response, status } = request
      resolve(new Response(EMPTY.has(status) ? null : response, { status, headers: headersOf(request) }))
    })
    request.addEventListener("error", () => reject(new TypeError("no connection")))
    request.addEventListener("abort", () => reject(new DOMException("It was stopped.", "AbortError")))
    signal?.addEventListener("abort", () => request.abort())
    request.send(body)
  })

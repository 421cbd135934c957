/** The code of a page did not come: the server is away, or has another release. */
export class PageUnavailable extends Error {
  override readonly name = "PageUnavailable"
  constructor(cause: unknown) {
    super("This page could not be loaded.", { cause })
  }
}

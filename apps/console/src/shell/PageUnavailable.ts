/** The code of a page could not be loaded: the server is down or runs another release. */
export class PageUnavailable extends Error {
  override readonly name = "PageUnavailable"
  constructor(cause: unknown) {
    super("This page could not be loaded.", { cause })
  }
}

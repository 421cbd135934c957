/**
 * Where the server is: a proxy may serve it below a path, which only the browser knows. Scripts are in the server's
 * folder `console/assets`.
 */
export const SERVER = import.meta.url.replace(/\/console\/assets\/[^/]*$/, "")

/** Its path, without a slash at the end. */
export const SERVER_PATH = new URL(SERVER).pathname.replace(/\/$/, "")

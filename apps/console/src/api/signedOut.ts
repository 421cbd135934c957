/** What happens when the service does not know the session: signing in, and then the page that was asked for. */
export const SIGN_IN = "/console/sign-in"

const ASKED = "page-asked-for"
/** Of workspaces; the home leads on by itself. */
const PAGES = "/console/w/"

export const signedOut = (): void => {
  if (location.pathname === SIGN_IN) return
  if (location.pathname.startsWith(PAGES)) sessionStorage.setItem(ASKED, location.pathname + location.search)
  location.assign(`${SIGN_IN}#ended`)
}

/** Once, and in the tab that asked: where the next sign-in leads is nothing that a link can say. */
export const takePageAskedFor = (): string | null => {
  const page = sessionStorage.getItem(ASKED)
  sessionStorage.removeItem(ASKED)
  return page
}

/** What happens when the service does not know the session: signing in, and then the page that was asked for. */
const SIGN_IN = "/console/sign-in"

const ASKED = "page-asked-for"
/** Of workspaces; the home leads on by itself. */
const PAGES = "/console/w/"

let leaving = false

export const signedOut = (): void => {
  if (leaving || location.pathname === SIGN_IN) return
  if (location.pathname.startsWith(PAGES)) sessionStorage.setItem(ASKED, location.pathname + location.search)
  location.assign(`${SIGN_IN}#ended`)
}

/** Ends the session as somebody wants it: what is refused meanwhile asks for no page to come back to. */
export const leave = async (end: () => Promise<unknown>): Promise<void> => {
  leaving = true
  try {
    await end()
    location.assign(SIGN_IN)
  } catch (error) {
    leaving = false
    throw error
  }
}

/** Once, and in the tab that asked: where the next sign-in leads is nothing that a link can say. */
export const takePageAskedFor = (): string | null => {
  const page = sessionStorage.getItem(ASKED)
  sessionStorage.removeItem(ASKED)
  return page
}

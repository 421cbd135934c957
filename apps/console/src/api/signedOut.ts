/** Signing out, and what happens when the service no longer knows the session. */
import { forgetAnswers } from "../calls/ask/answerHistory.ts"

const SIGN_IN = "/console/sign-in"
/** Where a link is looked at, by somebody who may not be signed in. */
const JOIN = "/console/join"

const REQUESTED_PAGE = "requested-page"
/** Of workspaces; the home page redirects by itself. */
const PAGES = "/console/w/"

/** Set while somebody is signed in. Every tab of the browser sees it change. */
const SIGNED_IN = "tributary.signed-in"

let leaving = false

const isSignInPage = (): boolean => location.pathname === SIGN_IN || location.pathname === JOIN

export const rememberSignedIn = (): void => localStorage.setItem(SIGNED_IN, "1")

/** `hadSession` decides whether the sign-in page says that a session has ended: on a first visit there was none. */
const goToSignIn = (hadSession: boolean): void => {
  if (leaving || isSignInPage()) return
  leaving = true
  if (location.pathname.startsWith(PAGES)) sessionStorage.setItem(REQUESTED_PAGE, location.pathname + location.search)
  location.replace(hadSession ? `${SIGN_IN}#ended` : SIGN_IN)
}

export const signedOut = (): void => {
  const hadSession = localStorage.getItem(SIGNED_IN) !== null
  localStorage.removeItem(SIGNED_IN)
  goToSignIn(hadSession)
}

/** Ends the session on purpose: requests that are refused meanwhile do not ask to come back. */
export const leave = async (end: () => Promise<unknown>): Promise<void> => {
  leaving = true
  try {
    await end()
    forgetAnswers()
    localStorage.removeItem(SIGNED_IN)
    location.replace(SIGN_IN)
  } catch (error) {
    leaving = false
    throw error
  }
}

/** Once, and in the tab that asked: no link can choose where the next sign-in leads. */
export const takeRequestedPage = (): string | null => {
  const page = sessionStorage.getItem(REQUESTED_PAGE)
  sessionStorage.removeItem(REQUESTED_PAGE)
  return page
}

export const watchSession = (): void => {
  // Another tab signed out.
  addEventListener("storage", ({ key, newValue }) => {
    if (key === SIGNED_IN && newValue === null) goToSignIn(true)
  })
  // A page that the browser kept in memory may show what its reader may no longer see, with scripts that believe otherwise.
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return
    document.documentElement.hidden = true
    location.reload()
  })
}

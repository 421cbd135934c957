/** Signing out, and what happens when the service no longer knows the session, or a page asks for one that there is. */
import { SERVER_PATH } from "./server.ts"

const HOME = `${SERVER_PATH}/console/`
const SIGN_IN = `${HOME}sign-in`
/** The page of an invitation, which is open without a session. */
const JOIN = `${HOME}join`

const REQUESTED_PAGE = "requested-page"
/** Of workspaces; the home page redirects by itself. */
const PAGES = `${HOME}w/`

/** Local storage key of the user who is signed in. Every tab observes its changes. */
const SIGNED_IN = "tributary.signed-in"

/** The keys of answers, and of questions that are not sent yet, begin with this. */
export const ANSWERS = "tributary.answers."

/** Of all people. */
const forgetAnswers = (): void => {
  for (const storage of [localStorage, sessionStorage]) {
    for (const key of Object.keys(storage)) if (key.startsWith(ANSWERS)) storage.removeItem(key)
  }
}

let leaving = false

const isSignInPage = (): boolean => location.pathname === SIGN_IN || location.pathname === JOIN

export const rememberSignedIn = (userId: string): void => localStorage.setItem(SIGNED_IN, userId)

/** `hadSession` decides whether the sign-in page reports an ended session, which a first visit never had. */
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

/** Signs out. Requests that fail with 401 meanwhile do not redirect to the sign-in page. */
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

/** Read once, and only by the tab that stored it, so that a link cannot choose where a sign-in leads. */
export const takeRequestedPage = (): string | null => {
  const page = sessionStorage.getItem(REQUESTED_PAGE)
  sessionStorage.removeItem(REQUESTED_PAGE)
  return page
}

/** A page that only asks to sign in is left for the home page, and for the requested one from there. */
const goOn = (): void => {
  if (location.pathname === SIGN_IN) location.replace(HOME)
}

export const watchSession = (): void => {
  // Someone who is signed in came back to this page. A fragment has something to say or to do.
  if (location.hash === "" && localStorage.getItem(SIGNED_IN) !== null) goOn()
  // Another tab signed in or out, or somebody else in. The page of an invitation asks again who is signed in.
  addEventListener("storage", ({ key, newValue, oldValue }) => {
    if (key !== SIGNED_IN) return
    if (newValue === null) goToSignIn(true)
    else if (oldValue === null) goOn()
    else if (location.pathname !== JOIN) location.replace(HOME)
  })
  // A page restored from the back/forward cache may show data of an ended session.
  addEventListener("pageshow", ({ persisted }) => {
    if (!persisted) return
    document.documentElement.hidden = true
    location.reload()
  })
}

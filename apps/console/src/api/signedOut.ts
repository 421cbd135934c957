/** What happens when the service no longer knows the session: the page begins anew, at the sign-in. */
export const SIGN_IN = "/console/sign-in"

export const signedOut = (): void => {
  if (location.pathname !== SIGN_IN) location.assign(`${SIGN_IN}#ended`)
}

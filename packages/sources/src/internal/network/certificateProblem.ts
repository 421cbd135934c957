/** Why the certificate of a server was refused; null for any other failure. */
const CODES = /^(CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH|INVALID_CA)/

export const certificateProblem = (error: unknown, host: string): string | null => {
  if (!(error instanceof Error) || !("code" in error) || !CODES.test(String(error.code))) return null
  return `${host} shows a certificate that is not trusted: ${error.message.slice(0, 300).replace(/\.$/, "")}.`
}

/** An authority of the tests' own, and a certificate that it gave to this machine's loopback. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { getCACertificates, setDefaultCACertificates } from "node:tls"
import { run } from "./programs.ts"

export interface Certificate {
  readonly certificate: string
  readonly key: string
  /** Of the authority. */
  readonly authority: string
}

export const makeCertificate = (folder: string): Certificate => {
  const at = (name: string) => join(folder, name)
  const openssl = (...args: ReadonlyArray<string>) => run("openssl", args, { cwd: folder })
  const fresh = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
  openssl(
    "req",
    "-x509",
    ...fresh,
    "-subj",
    "/CN=Authority of tests",
    "-days",
    "2",
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem"
  )
  openssl("req", ...fresh, "-subj", "/CN=localhost", "-keyout", "key.pem", "-out", "request.pem")
  writeFileSync(at("names"), "subjectAltName=DNS:localhost,IP:127.0.0.1\n")
  const signing = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names"]
  openssl("x509", "-req", "-in", "request.pem", ...signing, "-out", "certificate.pem")
  return { certificate: at("certificate.pem"), key: at("key.pem"), authority: at("ca.pem") }
}

/** As `NODE_EXTRA_CA_CERTS` does from the start; until the answer is called. */
export const trust = ({ authority }: Certificate): () => void => {
  const before = getCACertificates("default")
  setDefaultCACertificates([...before, readFileSync(authority, "utf8")])
  return () => setDefaultCACertificates(before)
}

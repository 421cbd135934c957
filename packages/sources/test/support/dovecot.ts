/** dovecot with mailboxes of its own; anyone may sign in with the password `secret` whom the file `denied` does not name. */
import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { userInfo } from "node:os"
import { join } from "node:path"
import { Redacted } from "effect"
import { ImapFlow } from "imapflow"
import { type Certificate, makeCertificate } from "./certificates.ts"
import { freePort, type Running, start, started, temporaryFolder } from "./programs.ts"

const isRoot = userInfo().uid === 0
const me = userInfo().username

/** Who is not root keeps everything under one name. */
const people = isRoot
  ? ""
  : `default_internal_user = ${me}\ndefault_login_user = ${me}\ndefault_internal_group = ${me}\n`

const tls = ({ certificate, key, port }: Certificate & { readonly port: number }) => `
ssl = yes
ssl_cert = <${certificate}
ssl_key = <${key}
service imap-login {
  inet_listener imaps {
    address = 127.0.0.1
    port = ${port}
    ssl = yes
  }
}
`

/** Tokens are the concern of a token server. */
const bearers = (folder: string, mechanisms: string) => `
auth_mechanisms = plain ${mechanisms}
passdb {
  driver = oauth2
  mechanisms = ${mechanisms}
  args = ${folder}/oauth2
}
`

const introspection = (url: string) => `
introspection_mode = post
introspection_url = ${url}
username_attribute = username
active_attribute = active
active_value = true
`

const configuration = (folder: string, port: number) => `
${people}
base_dir = ${folder}/run
state_dir = ${folder}/run
log_path = /dev/stderr
protocols = imap
listen = 127.0.0.1
disable_plaintext_auth = no
auth_failure_delay = 0
mail_location = maildir:~/Maildir
mail_uid = ${isRoot ? "nobody" : me}
mail_gid = ${isRoot ? "nogroup" : me}
first_valid_uid = 1
mailbox_list_index = no
mail_max_userip_connections = 50
passdb {
  driver = passwd-file
  args = ${folder}/denied
  deny = yes
}
passdb {
  driver = static
  args = password=secret
}
userdb {
  driver = static
  args = home=${folder}/mail/%u
}
service anvil {
  unix_listener anvil-auth-penalty {
    mode = 0
  }
}
service imap-login {
  chroot =
  inet_listener imap {
    address = 127.0.0.1
    port = ${port}
  }
}
namespace inbox {
  inbox = yes
  separator = /
  mailbox Junk {
    auto = create
    special_use = \\Junk
  }
  mailbox Spam {
    special_use = \\Junk
  }
  mailbox Trash {
    special_use = \\Trash
  }
  mailbox All {
    special_use = \\All
  }
}
`

interface Bearers {
  readonly mechanisms: "oauthbearer" | "xoauth2"
  readonly introspectionUrl: string
}

/** With `oauth`, tokens are accepted, too. */
export const startDovecot = async (
  oauth?: Bearers
): Promise<Running & { readonly tlsPort: number; readonly issued: Certificate }> => {
  const folder = temporaryFolder()
  const port = await freePort()
  const tlsPort = await freePort()
  const issued = makeCertificate(folder)
  mkdirSync(join(folder, "mail"))
  writeFileSync(join(folder, "denied"), "")
  execFileSync("chmod", ["755", folder])
  execFileSync("chmod", ["777", join(folder, "mail")])
  if (oauth !== undefined) writeFileSync(join(folder, "oauth2"), introspection(oauth.introspectionUrl))
  writeFileSync(
    join(folder, "dovecot.conf"),
    (oauth === undefined ? "" : bearers(folder, oauth.mechanisms)) +
      configuration(folder, port) + tls({ ...issued, port: tlsPort })
  )
  const running = await started(start("dovecot", ["-F", "-c", join(folder, "dovecot.conf")]), port, folder)
  return { ...running, tlsPort, issued }
}

/** The configuration of a connection to it. */
export const login = (port: number, username: string) => ({
  host: "127.0.0.1",
  port,
  security: "none" as const,
  username,
  password: Redacted.make("secret")
})

let delivered = 0

/** Puts mails into a user's inbox behind the server's back, as a mail transfer agent does. */
export const deliver = (folder: string, user: string, mails: ReadonlyArray<string>): void => {
  const box = join(folder, "mail", user, "Maildir")
  for (const name of ["cur", "new", "tmp"]) mkdirSync(join(box, name), { recursive: true })
  for (const mail of mails) writeFileSync(join(box, "new", `1700000000.${++delivered}.test`), mail)
  if (isRoot) execFileSync("chown", ["-R", "nobody:nogroup", join(folder, "mail", user)])
}

/** A client beside the one that is tested. */
export const withMailbox = async <A>(port: number, user: string, use: (client: ImapFlow) => Promise<A>): Promise<A> => {
  const auth = { user, pass: "secret" }
  const client = new ImapFlow({ host: "127.0.0.1", port, secure: false, doSTARTTLS: false, auth, logger: false })
  // Errors come from the command that is waiting.
  client.on("error", () => undefined)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.logout()
  }
}

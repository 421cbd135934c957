/** A browser that follows redirects, and keeps the cookies of each host. */
export const newBrowser = () => {
  const jars = new Map<string, Map<string, string>>()
  const jarOf = (url: string) => {
    const { host } = new URL(url)
    const jar = jars.get(host) ?? new Map<string, string>()
    jars.set(host, jar)
    return jar
  }
  const visit = async (url: string) => {
    const jar = jarOf(url)
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ")
    const response = await fetch(url, { redirect: "manual", headers: { cookie } })
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]*)=([^;]*)/.exec(line)!
      if (/expires=Thu, 01 Jan 1970|Max-Age=0/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    const location = response.headers.get("location")
    return { status: response.status, response, next: location === null ? null : new URL(location, url).href }
  }
  /** Waits for an address with this prefix, and returns it. */
  const follow = async (url: string, until: string): Promise<string> => {
    let at = url
    for (let step = 0; step < 20; step++) {
      if (at.startsWith(until)) return at
      const { next, status } = await visit(at)
      if (next === null) throw new Error(`${at} leads nowhere: ${status}`)
      at = next
    }
    throw new Error(`no end of redirects: ${at}`)
  }
  return { visit, follow, jarOf }
}

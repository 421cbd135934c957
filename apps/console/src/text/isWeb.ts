/** Only these addresses of documents become links, none that would run something. */
export const isWeb = (url: string | undefined): url is string => url !== undefined && /^https?:\/\//i.test(url)

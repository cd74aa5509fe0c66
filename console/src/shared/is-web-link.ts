/** Reports whether a document's link is an address of the web: a source may give any text. */
export const isWebLink = (link: string | null): link is string =>
  link !== null && /^https?:\/\//i.test(link);

import type { SourceApi } from "./source-server.ts";

/** A page of a fake. */
export type ConfluencePage = {
  readonly id: string;
  readonly title: string;
  readonly storage: string;
  readonly attachments?: readonly { title: string; mediaType: string; text: string }[];
};

const storageBody = (value: string) => ({ storage: { representation: "storage", value } });
const download = (page: ConfluencePage, title: string) =>
  `/download/attachments/${page.id}/${encodeURIComponent(title)}?version=1&api=v2`;

/** The file at a download's path. */
const fileAt = (pages: readonly ConfluencePage[], path: string): string | undefined => {
  const [, id, name = ""] = /\/download\/attachments\/([^/]+)\/([^/]+)$/.exec(path) ?? [];
  const page = pages.find((candidate) => candidate.id === id);
  return page?.attachments?.find(({ title }) => title === decodeURIComponent(name))?.text;
};

/** Confluence Cloud with the space DOCS: one page per response, by cursor, basic authentication. */
export const confluenceCloud =
  (pages: readonly ConfluencePage[]): SourceApi =>
  ({ path, query, headers }) => {
    const credentials = Buffer.from("ada@example.com:token").toString("base64");
    if (headers.authorization !== `Basic ${credentials}`) return { status: 401 };
    if (path === "/wiki/api/v2/spaces") {
      const isKnown = query.get("keys") === "DOCS";
      return { body: { results: isKnown ? [{ id: "98304", key: "DOCS" }] : [], _links: {} } };
    }
    if (path === "/wiki/api/v2/spaces/98304/pages") {
      const at = Number(query.get("cursor") ?? 0);
      const page = pages[at];
      const next = `/wiki/api/v2/spaces/98304/pages?body-format=storage&limit=1&cursor=${at + 1}`;
      return {
        body: {
          results: page
            ? [
                {
                  id: page.id,
                  status: "current",
                  title: page.title,
                  body: storageBody(page.storage),
                },
              ]
            : [],
          _links: at + 1 < pages.length ? { next, base: "https://x.invalid/wiki" } : {},
        },
      };
    }
    const id = /^\/wiki\/api\/v2\/pages\/([^/]+)\/attachments$/.exec(path)?.[1];
    const page = pages.find((candidate) => candidate.id === id);
    if (page !== undefined) {
      const results = (page.attachments ?? []).map(({ title, mediaType }) => ({
        id: `att-${title}`,
        title,
        mediaType,
        downloadLink: download(page, title),
      }));
      return { body: { results, _links: {} } };
    }
    const file = path.startsWith("/wiki/") ? fileAt(pages, path) : undefined;
    return file === undefined ? undefined : { body: file };
  };

/** Confluence Data Center below `/confluence`: by position, a bearer token. */
export const confluenceServer =
  (pages: readonly ConfluencePage[]): SourceApi =>
  ({ path, query, headers }) => {
    if (!path.startsWith("/confluence/rest/") && !path.startsWith("/confluence/download/")) {
      return undefined;
    }
    if (headers.authorization !== "Bearer pat") return { status: 401 };
    if (path === "/confluence/rest/api/content") {
      const at = Number(query.get("start") ?? 0);
      const page = query.get("spaceKey") === "DOCS" ? pages[at] : undefined;
      const next = `/rest/api/content?spaceKey=DOCS&limit=1&start=${at + 1}`;
      return {
        body: {
          results: page
            ? [{ id: page.id, type: "page", title: page.title, body: storageBody(page.storage) }]
            : [],
          start: at,
          limit: 1,
          size: 1,
          _links: at + 1 < pages.length ? { next, context: "/confluence" } : {},
        },
      };
    }
    const id = /^\/confluence\/rest\/api\/content\/([^/]+)\/child\/attachment$/.exec(path)?.[1];
    const page = pages.find((candidate) => candidate.id === id);
    if (page !== undefined) {
      const results = (page.attachments ?? []).map(({ title, mediaType }) => ({
        title,
        metadata: { mediaType },
        _links: { download: download(page, title) },
      }));
      return { body: { results, _links: {} } };
    }
    const file = fileAt(pages, path);
    return file === undefined ? undefined : { body: file };
  };

import * as z from "zod";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { addressBelow, authorization } from "../shared/source/address.ts";
import { fetchJson, isInaccessible, isMissing, parseItems } from "../shared/source/fetch-json.ts";
import { mapInOrder } from "../shared/source/map-in-order.ts";
import { readAhead, readersAtOnce } from "../shared/source/read-ahead.ts";
import { isTextFile, readAttachment } from "../shared/source/text-file.ts";
import { defineSource, type Source, type SourceContext, type SourceDocument } from "../source.ts";
import { type ConfluenceReading, ListPage, listItems } from "./list.ts";
import { storageToText } from "./storage-to-text.ts";

const Parameters = z.object({
  baseUrl: z.string().min(1).meta({
    displayName: "Site",
    description: "The address of the Confluence site, with its path if it has one.",
    example: "https://example.atlassian.net",
  }),
  spaceKey: z.string().min(1).meta({
    displayName: "Space key",
    description: "The space to read, as in the address of its pages.",
    example: "DOCS",
  }),
  token: z.string().min(1).meta({
    displayName: "Token",
    description: "An API token of the e-mail's account, or a bearer or personal access token.",
    secret: true,
    example: "confluence-token",
  }),
  email: z.string().optional().meta({
    displayName: "E-mail",
    description: "The account of the API token. Without it the token is sent as a bearer token.",
    example: "ada@example.com",
  }),
});
type Parameters = z.output<typeof Parameters>;

const Id = z.union([z.string(), z.number()]).transform(String);
const Space = z.object({ id: Id });
const Body = z
  .object({ storage: z.object({ value: z.string() }) })
  .nullish()
  .catch(undefined);
const Version = z.object({ number: z.number() }).nullish().catch(undefined);
const WebAddress = z.object({ webui: z.string().nullish() }).nullish().catch(undefined);
const Page = z.object({
  id: Id,
  title: z.string(),
  body: Body,
  version: Version,
  _links: WebAddress,
});
const Download = z.object({ download: z.string().nullish() }).nullish().catch(undefined);
const MediaType = z.object({ mediaType: z.string().nullish() }).nullish().catch(undefined);
const Attachment = z.object({
  title: z.string(),
  mediaType: z.string().nullish().catch(undefined),
  downloadLink: z.string().nullish().catch(undefined),
  metadata: MediaType,
  extensions: MediaType,
  _links: Download,
});

type Reading = ConfluenceReading & { readonly attachments: (page: string) => string };

/** Creates a source of pages of a Confluence Cloud or Data Center space, one document per page and per text attachment. */
export const createSource = (): Source<typeof Parameters> =>
  defineSource({
    key: "confluence",
    displayName: "Confluence",
    parameters: Parameters,
    read: (parameters, context) => readAhead(documents(parameters, context), context),
  });

async function* documents(
  { baseUrl, spaceKey, token, email }: Parameters,
  context: SourceContext,
): AsyncGenerator<SourceDocument> {
  const shared = { context, headers: authorization(token, email) };
  const cloud: Reading = {
    ...shared,
    base: cloudBase(baseUrl),
    paging: "cursor",
    attachments: (page) => `/api/v2/pages/${encodeURIComponent(page)}/attachments`,
  };
  const space = await findSpace(cloud, spaceKey);
  if (space !== undefined) {
    const path = `/api/v2/spaces/${encodeURIComponent(space)}/pages`;
    yield* readPages(cloud, path, { "body-format": "storage", status: "current" });
    return;
  }
  const server: Reading = {
    ...shared,
    base: baseUrl,
    paging: "start",
    attachments: (page) => `/rest/api/content/${encodeURIComponent(page)}/child/attachment`,
  };
  const query = { spaceKey, type: "page", status: "current", expand: "body.storage" };
  yield* readPages(server, "/rest/api/content", query);
}

/** Adds the `/wiki` path of Confluence Cloud, if the address lacks it. */
const cloudBase = (baseUrl: string): string => {
  const url = new URL(baseUrl);
  return /\/wiki\/*$/.test(url.pathname) ? url.href : addressBelow(baseUrl, "/wiki").href;
};

/** Returns the space's id; undefined on Data Center, which does not have this API. */
const findSpace = async (cloud: Reading, key: string): Promise<string | undefined> => {
  const url = addressBelow(cloud.base, "/api/v2/spaces", { keys: key });
  let spaces: ListPage;
  try {
    spaces = await fetchJson(cloud.context, url, ListPage, { headers: cloud.headers });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
  const [space] = parseItems(Space, spaces.results);
  if (space !== undefined) return space.id;
  throw new UpstreamError(
    `The space does not exist at ${url.host}, or the token has no access to it.`,
    {
      upstream: url.host,
      upstreamStatus: 404,
    },
  );
};

async function* readPages(
  reading: Reading,
  path: string,
  query: Readonly<Record<string, string>>,
): AsyncGenerator<SourceDocument> {
  const pages = listItems(reading, path, query, Page);
  const withFiles = mapInOrder(pages, readersAtOnce, async (page) => ({
    page,
    files: await listTextAttachments(reading, page),
  }));
  for await (const { page, files } of withFiles) {
    const text = storageToText(page.body?.storage.value ?? "", reading.context.charge);
    yield {
      fileName: page.title,
      id: page.id,
      link: buildPageLink(reading, page),
      version: page.version ? String(page.version.number) : undefined,
      text: [`${page.title}\n\n${text}`.trimEnd()],
    };
    yield* files;
  }
}

/** Returns a page's address for readers, below the site's. */
const buildPageLink = (reading: Reading, { _links }: z.output<typeof Page>): string | undefined =>
  fileUrl(reading, _links?.webui)?.href;

/** Returns the text attachments of a page; none if the token may not read attachments. */
const listTextAttachments = async (
  reading: Reading,
  page: z.output<typeof Page>,
): Promise<readonly SourceDocument[]> => {
  const files: SourceDocument[] = [];
  try {
    const path = reading.attachments(page.id);
    for await (const attachment of listItems(reading, path, {}, Attachment)) {
      const { title, mediaType, metadata, extensions, downloadLink, _links } = attachment;
      const type = mediaType ?? metadata?.mediaType ?? extensions?.mediaType;
      const url = fileUrl(reading, downloadLink ?? _links?.download);
      if (url === undefined || !isTextFile(type, title)) continue;
      const fileName = `${page.title}/${title}`;
      const file = { url, mediaType: type, fileName, headers: reading.headers };
      const id = `${page.id}/${title}`;
      const link = buildPageLink(reading, page);
      files.push({ fileName, id, link, text: readAttachment(reading.context, file) });
    }
  } catch (error) {
    if (!isInaccessible(error)) throw error;
  }
  return files;
};

/** Resolves a download link below the base address; never to another site. */
const fileUrl = ({ base }: Reading, link: string | null | undefined): URL | undefined => {
  if (!link?.startsWith("/")) return undefined;
  const { pathname, search } = new URL(link.replace(/^\/+/, "/"), "https://any.invalid");
  return new URL(`${addressBelow(base, pathname).href}${search}`);
};

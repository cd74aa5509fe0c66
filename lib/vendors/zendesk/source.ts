import * as z from "zod";
import { parseAddress } from "../../platform/outgoing/parse-address.ts";
import type { Charge } from "../../values/text/charge.ts";
import { htmlToText } from "../../values/text/html-to-text.ts";
import { addressBelow, authorization } from "../shared/source/address.ts";
import { parseItems } from "../shared/source/fetch-json.ts";
import { mapInOrder } from "../shared/source/map-in-order.ts";
import { readAhead, readersAtOnce } from "../shared/source/read-ahead.ts";
import { isTextFile, readAttachment } from "../shared/source/text-file.ts";
import {
  defineSource,
  type Source,
  type SourceContext,
  type SourceDocument,
  type SourceSettings,
} from "../source.ts";
import { Links, pages, type ZendeskReading } from "./pages.ts";

const Parameters = z.object({
  subdomain: z
    .string()
    .min(1)
    .regex(/^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i, {
      error: "Must be the name before .zendesk.com.",
    })
    .meta({
      displayName: "Subdomain",
      description: "The name before .zendesk.com: the one of the brand, if there are several.",
      example: "example",
    }),
  email: z.string().min(1).meta({
    displayName: "E-mail",
    description: "The account that the token is used for.",
    example: "ada@example.com",
  }),
  token: z.string().min(1).meta({
    displayName: "API token",
    description: "An API token, from Admin Center > Apps and integrations > APIs.",
    secret: true,
    example: "zendesk-token",
  }),
  locale: z
    .string()
    .regex(/^(?:[a-z0-9-]{2,35})?$/i, { error: "Must be a locale such as en-us." })
    .optional()
    .meta({
      displayName: "Locale",
      description: "The language of the articles to read. Defaults to all.",
      example: "en-us",
    }),
});
type Parameters = z.output<typeof Parameters>;

const ArticlePage = z.object({
  ...Links,
  articles: z.array(z.unknown()),
  translations: z.array(z.unknown()).catch([]),
});
const AttachmentPage = z.object({ ...Links, article_attachments: z.array(z.unknown()) });

const Id = z.union([z.number(), z.string()]);
const Translation = z.object({
  source_id: Id.nullish().catch(undefined),
  locale: z.string().catch(""),
  title: z.string().nullish().catch(undefined),
  body: z.string().nullish().catch(undefined),
  draft: z.boolean().nullish().catch(undefined),
  html_url: z.string().nullish().catch(undefined),
  updated_at: z.string().nullish().catch(undefined),
});
type Translation = z.output<typeof Translation>;
const Article = Translation.extend({ id: Id, translations: z.array(z.unknown()).catch([]) });
const Attachment = z.object({
  file_name: z.string(),
  content_url: z.string(),
  content_type: z.string().nullish().catch(undefined),
});

/** Articles with all translations are several times as large. */
const articlesPerPage = { oneLocale: "100", allLocales: "30" };
const attachmentsPerPage = "100";

/**
 * Creates a source of a Zendesk help center: one document per article and language, and per text attachment.
 * `SOURCE_URL_ZENDESK` may contain `{subdomain}`.
 */
export const createSource = ({
  SOURCE_URL_ZENDESK: apiUrl = "https://{subdomain}.zendesk.com",
}: SourceSettings = {}): Source<typeof Parameters> =>
  defineSource({
    key: "zendesk",
    displayName: "Zendesk",
    parameters: Parameters,
    read: (parameters, context) => {
      const base = apiUrl.replace("{subdomain}", parameters.subdomain.toLowerCase());
      return readAhead(documents(parameters, context, base), context);
    },
  });

async function* documents(
  { email, token, locale }: Parameters,
  context: SourceContext,
  base: string,
): AsyncGenerator<SourceDocument> {
  const headers = authorization(token, `${email}/token`);
  const reading: ZendeskReading = { context, headers, origin: new URL(base).origin };
  const path = `/api/v2/help_center${locale ? `/${locale}` : ""}`;
  const first = addressBelow(base, `${path}/articles.json`, {
    ...(locale
      ? { "page[size]": articlesPerPage.oneLocale }
      : { "page[size]": articlesPerPage.allLocales, include: "translations" }),
  });
  const withFiles = mapInOrder(articles(reading, first), readersAtOnce, async (article) => {
    const translations = locale ? [] : parseItems(Translation, article.translations);
    const texts = selectTexts(article, translations, context.charge);
    const [own] = texts;
    if (own === undefined) return [];
    const files = addressBelow(base, `${path}/articles/${article.id}/attachments.json`, {
      "page[size]": attachmentsPerPage,
    });
    return [...texts, ...(await attachments(reading, files, own.fileName))];
  });
  for await (const found of withFiles) yield* found;
}

/** Yields articles with their translations, which a page nests in them or lists separately. */
async function* articles(
  reading: ZendeskReading,
  first: URL,
): AsyncGenerator<z.output<typeof Article>> {
  for await (const page of pages(reading, first, ArticlePage)) {
    const listed = Map.groupBy(parseItems(Translation, page.translations), ({ source_id }) =>
      String(source_id),
    );
    for (const article of parseItems(Article, page.articles)) {
      const own = listed.get(String(article.id)) ?? [];
      yield { ...article, translations: [...article.translations, ...own] };
    }
  }
}

/** Returns the published texts of an article and its translations, one per language. */
const selectTexts = (
  article: z.output<typeof Article>,
  others: readonly Translation[],
  charge: Charge,
) => {
  const texts: SourceDocument[] = [];
  const seen = new Set<string>();
  for (const translation of [article, ...others]) {
    if (seen.has(translation.locale)) continue;
    seen.add(translation.locale);
    if (translation.draft === true) continue;
    const title = translation.title || article.title || String(article.id);
    const fileName = translation === article ? title : `${title} (${translation.locale})`;
    const text = `${title}\n\n${htmlToText(translation.body ?? "", charge)}`.trimEnd();
    texts.push({
      fileName,
      id: `${article.id}/${translation.locale}`,
      link: (translation.html_url ?? article.html_url) || undefined,
      version: (translation.updated_at ?? article.updated_at) || undefined,
      metadata: { locale: translation.locale },
      text: [text],
    });
  }
  return texts;
};

const attachments = async (
  reading: ZendeskReading,
  first: URL,
  parent: string,
): Promise<readonly SourceDocument[]> => {
  const files: SourceDocument[] = [];
  for await (const page of pages(reading, first, AttachmentPage)) {
    for (const { file_name, content_url, content_type } of parseItems(
      Attachment,
      page.article_attachments,
    )) {
      const url = parseAddress(content_url);
      if (!url || !isTextFile(content_type, file_name)) continue;
      const fileName = `${parent}/${file_name}`;
      const headers = url.origin === reading.origin ? reading.headers : {};
      const file = { url, mediaType: content_type, fileName, headers };
      const text = readAttachment(reading.context, file);
      files.push({ fileName, id: `${parent}/${content_url}`, text });
    }
  }
  return files;
};

import type { SourceApi } from "./source-server.ts";

/** An article of a fake, in Zendesk's format, and its attachments. */
export type ZendeskArticle = {
  readonly id: number;
  readonly locale: string;
  readonly title: string;
  readonly body: string | null;
  readonly draft?: boolean;
  readonly translations?: readonly Readonly<Record<string, unknown>>[];
  readonly files?: readonly { name: string; type: string; text: string }[];
};

/** A help center: one article per page, by cursor, translations on request. */
export const zendeskApi =
  (articles: readonly ZendeskArticle[]): SourceApi =>
  ({ path, query, headers }, url) => {
    const file = /^\/hc\/article_attachments\/(\d+)\/(.+)$/.exec(path);
    if (file !== null) {
      const article = articles.find(({ id }) => String(id) === file[1]);
      const found = article?.files?.find(({ name }) => name === file[2]);
      return found && { body: found.text };
    }
    const credentials = Buffer.from("ada@example.com/token:zendesk-token").toString("base64");
    if (headers.authorization !== `Basic ${credentials}`) return { status: 401 };
    const list = /^\/api\/v2\/help_center(?:\/([\w-]+))?\/articles\.json$/.exec(path);
    if (list !== null) {
      const found = articles.filter(({ locale }) => list[1] === undefined || locale === list[1]);
      const at = Number(query.get("page[after]") ?? 0);
      const page = found.slice(at, at + 1).map(({ files: _, translations, ...article }) => ({
        ...article,
        ...(query.get("include") === "translations" ? { translations: translations ?? [] } : {}),
      }));
      const has_more = at + 1 < found.length;
      return {
        body: {
          articles: page,
          meta: { has_more, after_cursor: String(at + 1), before_cursor: String(at) },
          links: { next: has_more ? `${url}${path}?page[size]=1&page[after]=${at + 1}` : null },
        },
      };
    }
    const id = /\/articles\/(\d+)\/attachments\.json$/.exec(path)?.[1];
    const article = articles.find((candidate) => String(candidate.id) === id);
    return (
      article && {
        body: {
          article_attachments: (article.files ?? []).map(({ name, type }, index) => ({
            id: index,
            file_name: name,
            content_type: type,
            content_url: `${url}/hc/article_attachments/${id}/${name}`,
            inline: false,
          })),
          meta: { has_more: false },
          links: {},
        },
      }
    );
  };

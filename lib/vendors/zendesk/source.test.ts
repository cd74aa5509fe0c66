import { expect, test } from "vitest";
import { plainContext, readAll } from "../../../test/harness/source-apis/read-source.ts";
import { servingSources } from "../../../test/harness/source-apis/serve.ts";
import { zendeskApi } from "../../../test/harness/source-apis/zendesk-api.ts";
import { createSource } from "./source.ts";

const serve = servingSources();
const parameters = { subdomain: "example", email: "ada@example.com", token: "zendesk-token" };

const articles = [
  {
    id: 35467,
    locale: "en-us",
    title: "How to order",
    body: "<p>Open the <b>shop</b>.</p><ul><li>Choose</li></ul>",
    translations: [
      { locale: "en-us", title: "How to order", body: "<p>again</p>" },
      { locale: "de", title: "Bestellen", body: "<p>Zum Laden</p>" },
      { locale: "fr", title: "Brouillon", body: "<p>non</p>", draft: true },
    ],
    files: [
      { name: "prices.csv", type: "text/csv", text: "item,price" },
      { name: "logo.jpg", type: "image/jpeg", text: "jpeg" },
    ],
  },
  { id: 35468, locale: "de", title: "Hilfe", body: null },
  { id: 35469, locale: "en-us", title: "Unfinished", body: "<p>x</p>", draft: true },
];

test("reads published articles in all their languages, and attached texts", async () => {
  const { url } = await serve(zendeskApi(articles));
  const source = createSource({ SOURCE_URL_ZENDESK: url });
  expect(await readAll(source.read(parameters, plainContext()))).toEqual([
    ["How to order", "How to order\n\nOpen the shop.\n\n- Choose"],
    ["Bestellen (de)", "Bestellen\n\nZum Laden"],
    ["How to order/prices.csv", "item,price"],
    ["Hilfe", "Hilfe"],
  ]);
});

test("reads one language alone", async () => {
  const { url } = await serve(zendeskApi(articles));
  const source = createSource({ SOURCE_URL_ZENDESK: url });
  const all = await readAll(source.read({ ...parameters, locale: "de" }, plainContext()));
  expect(all).toEqual([["Hilfe", "Hilfe"]]);
});

test("reports rejected credentials", async () => {
  const { url } = await serve(zendeskApi(articles));
  const source = createSource({ SOURCE_URL_ZENDESK: url });
  const reading = readAll(source.read({ ...parameters, token: "wrong" }, plainContext()));
  await expect(reading).rejects.toMatchObject({ upstreamStatus: 401 });
});

test.each(["evil.example/", "a.b", "x@y", "-a", "a-", "a:80", "a b", "", "a".repeat(64), "a#"])(
  "does not take %j as a subdomain",
  (subdomain) => {
    const { parameters: schema } = createSource();
    expect(schema.safeParse({ ...parameters, subdomain }).success).toBe(false);
  },
);

test("sends the credentials to the subdomain's host alone", async () => {
  const called: string[] = [];
  const context = {
    ...plainContext(),
    fetch: async (url: string | URL) => {
      called.push(new URL(url).origin);
      return Response.json({ articles: [], meta: { has_more: false } });
    },
  };
  await readAll(createSource().read({ ...parameters, subdomain: "Acme-1" }, context));
  expect(called).toEqual(["https://acme-1.zendesk.com"]);
});

test("continues by cursor where links lead to the help center's host name", async () => {
  const api = zendeskApi(articles.map((article) => ({ ...article, files: [] })));
  const other = await serve(() => ({ body: { articles: [] } }));
  const { url } = await serve((request) => api(request, other.url));
  const all = await readAll(
    createSource({ SOURCE_URL_ZENDESK: url }).read(parameters, plainContext()),
  );
  expect(all.map(([name]) => name)).toEqual(["How to order", "Bestellen (de)", "Hilfe"]);
  expect(other.requests).toEqual([]);
});

test("does not follow a list to another address", async () => {
  const other = await serve(() => ({ body: { articles: [] } }));
  const { url } = await serve(() => ({ body: { articles: [], next_page: `${other.url}/` } }));
  const reading = readAll(
    createSource({ SOURCE_URL_ZENDESK: url }).read(parameters, plainContext()),
  );
  await expect(reading).rejects.toMatchObject({ name: "UpstreamError" });
  expect(other.requests).toEqual([]);
});

test("fetches a file from another host without the credentials", async () => {
  const files = await serve(() => ({ body: "elsewhere" }));
  const api = zendeskApi([{ ...(articles[1] ?? never()), files: [] }]);
  const { url } = await serve((request, at) =>
    request.path.endsWith("attachments.json")
      ? {
          body: {
            article_attachments: [
              { file_name: "a.txt", content_type: "text/plain", content_url: `${at}/moved` },
            ],
          },
        }
      : request.path === "/moved"
        ? { status: 302, headers: { location: `${files.url}/signed?x=1` } }
        : api(request, at),
  );
  const all = await readAll(
    createSource({ SOURCE_URL_ZENDESK: url }).read(parameters, plainContext()),
  );
  expect(all[1]).toEqual(["Hilfe/a.txt", "elsewhere"]);
  expect(files.requests.map(({ headers }) => headers.authorization)).toEqual([undefined]);
});

test("fails when a page repeats", async () => {
  const { url } = await serve(({ path }, at) => ({
    body: { articles: [], meta: { has_more: true }, links: { next: `${at}${path}?again=1` } },
  }));
  const reading = readAll(
    createSource({ SOURCE_URL_ZENDESK: url }).read(parameters, plainContext()),
  );
  await expect(reading).rejects.toThrow("the same page twice");
});

const never = () => {
  throw new Error("no article");
};

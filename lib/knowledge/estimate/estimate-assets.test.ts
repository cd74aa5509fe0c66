import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { type SourceServer, startSourceServer } from "../../../test/harness/source-server.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { testTenant } from "../../../test/harness/tenant.ts";
import { getAgent } from "../../agents/agent/store.ts";
import { RevisionContent } from "../../agents/revision/content.ts";
import { createRevision } from "../../agents/revision/create-revision.ts";
import { loadAgentAssets } from "../../agents/revision/load-agent-assets.ts";
import { Problem } from "../../platform/http/problems.ts";
import { createLlmProvider } from "../../tenancy/llm-provider/create-llm-provider.ts";
import { sourceSettings } from "../../vendors/registry/source-settings.ts";
import { loadTokenCounter } from "../sources/token-counter.ts";
import { estimateAssets } from "./estimate-assets.ts";

const chunking = { size: 512, overlap: 64 };
const token = "ghp_the-secret-token";
let db: TestDatabase;
const open: SourceServer[] = [];
beforeAll(async () => {
  db = await testDatabase();
});
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

type ServerOptions = Parameters<typeof startSourceServer>[0];

/** A tenant with an agent and a stand-in for GitHub, and the estimate of its documents. */
const estimating = async (
  options: ServerOptions = { files: { "README.md": "# Read me", "src/a.ts": "const a = 1;\n" } },
) => {
  const server = await startSourceServer(options);
  open.push(server);
  const tenant = testTenant(db);
  await tenant.createAgent("hello");
  const estimate = (
    parameters: Record<string, unknown> = {},
    change: {
      type?: string | null;
      seconds?: number;
      isPublicOnly?: boolean;
      agentId?: string;
      clock?: () => number;
      /** Gets the milliseconds of each wait. */
      slept?: number[];
      lookup?: () => Promise<{ address: string; family: number }[]>;
    } = {},
  ) => {
    const { clock = Date.now } = change;
    return estimateAssets(
      {
        db,
        hasAgent: async (tenantId, id) => (await getAgent(db, tenantId, id)) !== undefined,
        loadAgentAssets: (tenantId, agentId, revision) =>
          loadAgentAssets({ db, objects: tenant.deps.objects }, { tenantId, agentId, revision }),
        outgoing: change.isPublicOnly ? { lookup: change.lookup } : { allowPrivateAddresses: true },
        sleep: async (ms) => change.slept?.push(ms),
        settings: sourceSettings(),
        chunking,
        loadTokenCounter,
      },
      {
        ctx: {
          ...tenant.ctx,
          clock,
          respondBy: clock() + 4_000 + (change.seconds ?? 20) * 1_000,
        },
        agentId: change.agentId ?? "hello",
        type: change.type === undefined ? "github" : change.type,
        parameters:
          (change.type ?? "github") === "github"
            ? { repository: "acme/app", baseUrl: server.url, ...parameters }
            : parameters,
        at: "/parameters",
      },
    );
  };
  return { server, tenant, estimate };
};

const catchProblem = async (work: Promise<unknown>): Promise<Problem> => {
  const failure: unknown = await work.then(
    (value) => value,
    (error: unknown) => error,
  );
  if (failure instanceof Problem) return failure;
  throw new Error("no problem", { cause: failure });
};

const catchInvalidPlaces = async (work: Promise<unknown>): Promise<unknown> =>
  (await catchProblem(work)).members.errors;

describe("a repository", () => {
  test("is counted file by file, in the order of the tree", async () => {
    const files = {
      "README.md": `# Read me\n\n${"Some words and <|endoftext|>. ".repeat(400)}`,
      "docs/empty.md": "",
      "src/a.ts": "const a = 1;\n",
    };
    const { estimate, server } = await estimating({ files });
    const expected = Object.entries(files).map(([fileName, text]) => {
      const tokenCount = countTokens(text, { disallowedSpecial: new Set() });
      const chunkCount = tokenCount === 0 ? 0 : Math.ceil(Math.max(0, tokenCount - 512) / 448) + 1;
      return { fileName, tokenCount, chunkCount };
    });
    expect(await estimate()).toMatchObject({
      documentCount: 3,
      tokenCount: expected.reduce((sum, document) => sum + document.tokenCount, 0),
      chunkCount: expected.reduce((sum, document) => sum + document.chunkCount, 0),
      documents: expected,
    });
    expect(server.requests[1]?.path).toBe("/repos/acme/app/git/trees/trunk?recursive=1");
  });

  test("omits binary, generated and oversized files, links and submodules", async () => {
    const files = {
      "a.md": "a",
      "image.png": "x",
      "package-lock.json": "{}",
      "sub/yarn.lock": "x",
      "data.txt": "x".repeat(2 * 1024 * 1024 + 1),
      unknown: new Uint8Array([65, 0, 66]),
      "to.link": "a.md",
      "other.submodule": "x",
      "z.min.js": "x",
      "z.ts": "z",
    };
    const { estimate } = await estimating({ files });
    const { documents } = await estimate();
    expect(documents.map(({ fileName }) => fileName)).toEqual(["a.md", "z.ts"]);
  });

  test("is read below a path, at a ref, with the token", async () => {
    const files = { "a.md": "a", "docs/b.md": "b", "docs/in/c.md": "c", "docsy/d.md": "d" };
    const { estimate, server } = await estimating({ files, token });
    const { documents } = await estimate({ path: "/docs/", ref: "feature/x", token });
    expect(documents.map(({ fileName }) => fileName)).toEqual(["docs/b.md", "docs/in/c.md"]);
    expect(server.requests).toHaveLength(3);
    expect(
      server.requests.every(({ headers }) => headers.authorization === `Bearer ${token}`),
    ).toBe(true);
  });

  test("with too large a tree is listed folder by folder, as far as needed", {
    tags: "nightly",
  }, async () => {
    const names = ["a", "b"].flatMap((top) =>
      ["x", "y"].flatMap((sub) => [1, 2].map((n) => `${top}/${sub}/${n}.md`)),
    );
    const files = Object.fromEntries(names.map((name) => [name, name]));
    const { estimate, server } = await estimating({ files, maxEntries: 3 });
    const { documents } = await estimate();
    expect(documents.map(({ fileName }) => fileName)).toEqual(names);
    server.requests.length = 0;
    const below = await estimate({ path: "b/y" });
    expect(below.documents.map(({ fileName }) => fileName)).toEqual(["b/y/1.md", "b/y/2.md"]);
    expect(server.requests.filter(({ path }) => path.includes("/trees/"))).toHaveLength(5);
  });

  test("without files has no documents", async () => {
    const { estimate } = await estimating({ files: {} });
    expect(await estimate()).toEqual({
      tokenCount: 0,
      chunkCount: 0,
      documentCount: 0,
      estimatedCost: [{ providerId: "echo", model: "echo-1", cost: 0 }],
      documents: [],
    });
  });

  test("has the cost of its chunks by every priced embedding model of the tenant", async () => {
    const words = "word ".repeat(1_000);
    const { estimate, tenant } = await estimating({ files: { "long.md": words } });
    for (const [id, type] of [
      ["ours", "openai"],
      ["claude", "anthropic"],
      ["local", "openai-compatible"],
    ] as const) {
      const baseUrl = type === "openai-compatible" ? "https://models.example.com/v1" : null;
      await createLlmProvider(
        { ...tenant.deps, outgoing: { allowPrivateAddresses: true } },
        { ctx: tenant.ctx, body: { id, type, baseUrl, apiKey: "k" } },
      );
    }
    const { tokenCount, chunkCount, estimatedCost } = await estimate();
    const embedded = tokenCount + (chunkCount - 1) * chunking.overlap;
    expect(chunkCount).toBeGreaterThan(1);
    expect(new Set(estimatedCost.map(({ providerId }) => providerId))).toEqual(
      new Set(["echo", "ours"]),
    );
    const small = estimatedCost.find(({ model }) => model === "text-embedding-3-small");
    expect(small?.cost).toBeCloseTo((embedded * 0.02) / 1_000_000, 12);
  });

  test("is read with at most six concurrent requests", { tags: "nightly" }, async () => {
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`${at}.md`, `${at}`]));
    const { estimate, server } = await estimating({ files, delayMs: 5 });
    expect((await estimate()).documents.map(({ fileName }) => fileName)).toEqual(
      Object.keys(files),
    );
    expect(server.maxAtOnce()).toBeGreaterThan(1);
    expect(server.maxAtOnce()).toBeLessThanOrEqual(6);
  });
});

describe("a source that fails", () => {
  test.each([
    [401, "upstream-failed"],
    [403, "upstream-failed"],
    [404, "upstream-failed"],
    [500, "upstream-failed"],
  ])(
    "with %i ends the estimate, and the problem has nothing of the request or the response",
    async (status, slug) => {
      const { estimate, server } = await estimating();
      server.failAt("/blobs/", { status, body: '{"message":"their words"}' });
      const problem = await catchProblem(estimate({ token }));
      const upstream = new URL(server.url).host;
      expect(problem).toMatchObject({ slug, members: { upstream, upstreamStatus: status } });
      const serialized = JSON.stringify([problem, problem.message, problem.stack, problem.cause]);
      expect(serialized).not.toContain("their words");
      expect(serialized).not.toContain(token);
    },
  );

  test("because of a wrong token reports that", async () => {
    const { estimate } = await estimating({ files: { "a.md": "a" }, token });
    const problem = await catchProblem(estimate({ token: "another" }));
    expect(problem.members.upstreamStatus).toBe(401);
    expect(problem.message).toContain("credentials");
  });

  test("with broken JSON, endless pages or a broken connection is reported as an upstream failure", {
    tags: "nightly",
  }, async () => {
    const { estimate, server } = await estimating();
    for (const fault of [{ status: 200, body: '{"tree":[' }, "endless", "break"] as const) {
      server.failAt("/trees/", fault);
      expect(await catchProblem(estimate())).toMatchObject({ slug: "upstream-failed" });
    }
  });

  test("by a redirect to the metadata address of the machine is not followed", async () => {
    const { estimate, server } = await estimating();
    server.failAt("/trees/", { status: 302, headers: { location: "http://169.254.169.254/" } });
    expect(await catchProblem(estimate())).toMatchObject({ slug: "upstream-failed" });
    expect(server.requests).toHaveLength(2);
  });

  test.each([
    ["does not respond", "hang" as const, 1],
    ["wants to be left alone for longer", { status: 429, headers: { "retry-after": "60" } }, 20],
  ])(
    "because it %s is 504 with the counts so far",
    { tags: "nightly" },
    async (_, fault, seconds) => {
      const { estimate, server } = await estimating({
        files: { "a.md": "some words", "b.md": "more", "c.md": "not these" },
      });
      const { documents } = await estimate({ ref: "trunk" });
      const lastBlob = server.requests.at(-1)?.path ?? "";
      server.failAt(lastBlob, fault);
      const slept: number[] = [];
      const problem = await catchProblem(estimate({ ref: "trunk" }, { seconds, slept }));
      expect(slept).toEqual([]);
      const counted = documents.slice(0, 2).reduce((sum, { tokenCount }) => sum + tokenCount, 0);
      expect(problem).toMatchObject({
        slug: "upstream-timeout",
        members: { tokenCount: counted, chunkCount: 2, documentCount: 2 },
      });
    },
  );

  test("because counting takes too long returns 504 with the counts so far", async () => {
    const files = Object.fromEntries(
      Array.from({ length: 60 }, (_, at) => [`${at}.md`, `${at} words`]),
    );
    const { estimate } = await estimating({ files });
    // Each look at the clock finds it 50 ms later.
    let now = 0;
    const clock = () => {
      now += 50;
      return now;
    };
    const problem = await catchProblem(estimate({}, { seconds: 2, clock }));
    expect(problem.slug).toBe("upstream-timeout");
    expect(problem.members.documentCount).toBeLessThan(60);
  });
});

describe("invalid parameters", () => {
  test("are all reported: missing, unknown and of a wrong type", async () => {
    const { estimate } = await estimating();
    const given = { repository: undefined, path: 1, baseUrl: "https://a.example", what: "x" };
    expect(await catchInvalidPlaces(estimate(given, { isPublicOnly: true }))).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ pointer: "/parameters/path" }),
        expect.objectContaining({
          pointer: "/parameters/what",
          detail: expect.stringContaining("repository, ref, path, token, baseUrl"),
        }),
      ]),
    );
    const places = await catchInvalidPlaces(estimate({ token: "x", more: "y" }, { type: "jira" }));
    expect(places).toEqual(
      ["baseUrl", "jql", "more"].map((name) =>
        expect.objectContaining({ pointer: `/parameters/${name}` }),
      ),
    );
  });

  test.each([null, "sharepoint"])(
    "is the type %s: the error names the known ones",
    async (type) => {
      const { estimate } = await estimating();
      const detail =
        "must be one of github, jira, zendesk, notion, google_drive, confluence, wharf";
      expect(await catchInvalidPlaces(estimate({}, { type }))).toEqual([
        { pointer: "/type", detail },
      ]);
    },
  );

  test("a credential that cannot be sent is reported without its value", async () => {
    const { estimate } = await estimating();
    expect(await catchInvalidPlaces(estimate({ token: "se\ncret" }))).toEqual([
      { pointer: "/parameters", detail: expect.not.stringContaining("ncret") },
    ]);
  });

  test("an unknown agent is reported", async () => {
    const { estimate } = await estimating();
    expect(await catchProblem(estimate({}, { agentId: "nobody" }))).toMatchObject({
      slug: "not-found",
    });
  });

  test.each([
    ["is http", "http://github.example.com", undefined],
    ["holds a user", "https://user:pass@github.example.com", undefined],
    ["is the machine's own", "https://127.0.0.1", undefined],
    ["is the cloud's metadata", "https://169.254.169.254/latest", undefined],
    ["has a name that leads inside", "https://github.example.com", "10.1.2.3"],
  ])("is an address that %s", async (_, baseUrl, address) => {
    const { estimate } = await estimating();
    const lookup = async () => [{ address: address ?? "93.184.216.34", family: 4 }];
    const places = await catchInvalidPlaces(estimate({ baseUrl }, { isPublicOnly: true, lookup }));
    expect(places).toEqual([
      { pointer: "/parameters/baseUrl", detail: expect.not.stringContaining("pass@") },
    ]);
  });
});

describe("the tenant's assets", () => {
  const withAssets = async () => {
    const { server, tenant, estimate } = await estimating({
      files: { "a.txt": "some words", page: "<p>Some <b>words</b></p><script>no()</script>" },
    });
    const own = (id: string, contentType: string | null, path: string | null) => ({
      id,
      displayName: `Asset ${id}`,
      contentType,
      link: path === null ? null : server.url + path,
    });
    const revise = (assets: unknown[]) =>
      createRevision(tenant.deps, {
        ctx: tenant.ctx,
        agentId: "hello",
        content: RevisionContent.parse({ assets }),
      });
    await tenant.createAsset("nowhere", { displayName: "Asset nowhere", type: null });
    await revise([
      own("text", "text/plain; charset=utf-8", "/files/a.txt"),
      own("page", "text/html", "/files/page"),
      own("image", "image/png", "/files/a.txt"),
      own("nowhere", "text/plain", null),
    ]);
    return { server, estimate, revise, own };
  };

  test("are read by their links; those that are not text have no tokens", {
    tags: "nightly",
  }, async () => {
    const { estimate, server } = await withAssets();
    const { documents, tokenCount } = await estimate({}, { type: "wharf" });
    expect(documents).toEqual([
      { fileName: "Asset text", tokenCount: countTokens("some words"), chunkCount: 1 },
      { fileName: "Asset page", tokenCount: countTokens("Some words"), chunkCount: 1 },
      { fileName: "Asset image", tokenCount: 0, chunkCount: 0 },
      { fileName: "Asset nowhere", tokenCount: 0, chunkCount: 0 },
    ]);
    expect(tokenCount).toBe(4);
    expect(server.requests).toHaveLength(2);
  });

  test("are the requested ones, of the requested revision", { tags: "nightly" }, async () => {
    const { estimate, revise, own } = await withAssets();
    await revise([own("later", "text/plain", "/files/a.txt")]);
    const names = async (parameters: Record<string, unknown>) =>
      (await estimate(parameters, { type: "wharf" })).documents.map(({ fileName }) => fileName);
    expect(await names({})).toEqual(["Asset later"]);
    expect(await names({ revision: "1", assetIds: "page, text" })).toEqual([
      "Asset text",
      "Asset page",
    ]);
    expect(await names({ assetIds: "text,later" })).toEqual(["Asset later", "Asset text"]);
    expect(
      await catchInvalidPlaces(estimate({ assetIds: "text,none" }, { type: "wharf" })),
    ).toEqual([{ pointer: "/parameters/assetIds", detail: "there is no asset none" }]);
  });

  test("with links to private addresses are not read", async () => {
    const { estimate } = await withAssets();
    expect(await catchInvalidPlaces(estimate({}, { type: "wharf", isPublicOnly: true }))).toEqual([
      { pointer: "/parameters/assetIds", detail: expect.stringContaining("asset text") },
    ]);
  });

  test("of an agent without revisions are empty", async () => {
    const { estimate } = await estimating();
    expect((await estimate({}, { type: "wharf" })).documentCount).toBe(0);
  });
});

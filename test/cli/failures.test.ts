import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { keyId } from "./records.ts";
import { type Run, runWharf, spawnWharf } from "./run-wharf.ts";
import { json, problem, type Responder, type StandIn, startStandIn } from "./stand-in.ts";

let respond: Responder;
let api: StandIn;

beforeAll(async () => {
  api = await startStandIn((arrived, response) => respond(arrived, response));
});
afterAll(() => api.close());
beforeEach(() => {
  api.requests.length = 0;
});

const env = (more: Record<string, string> = {}): Record<string, string> => ({
  WHARF_URL: api.url,
  WHARF_TENANT: "demo",
  WHARF_TOKEN: "a-token",
  ...more,
});
const listKeys = (more: Record<string, string> = {}): Promise<Run> =>
  runWharf(["keys", "list"], { env: env(more) });

describe("the process", () => {
  it.each([
    [1, "the API fails", ["keys", "list"], 500],
    [2, "the call is wrong", ["keys", "list", "--limit", "many"], 200],
    [4, "the API does not allow it", ["keys", "scopes"], 403],
    [5, "there is no such key", ["keys", "revoke", keyId(1), "--yes"], 404],
    [7, "nothing listens", ["keys", "list", "--url", "http://127.0.0.1:2"], 200],
  ])(
    "exits with %i when %s, and writes no data",
    { tags: "nightly" },
    async (exitCode, _, args, status) => {
      respond = (_arrived, response) => problem(response, status, "some-problem");
      const run = await spawnWharf(args, { env: env() });
      expect(run).toMatchObject({ exitCode, stdout: "" });
      expect(run.stderr).toMatch(/^wharf: .+\n$/);
    },
  );
});

describe("a problem document", () => {
  it.each([
    [401, "unauthenticated", 4],
    [402, "budget-exceeded", 4],
    [403, "insufficient-scope", 4],
    [404, "not-found", 5],
    [409, "conflict", 1],
    [500, "internal-error", 1],
  ])("%i %s ends with %i, in one line with the request id", async (status, slug, exitCode) => {
    respond = (_, response) => problem(response, status, slug);
    const run = await runWharf(["keys", "history", keyId(1), "--json"], { env: env() });
    expect(run).toMatchObject({ exitCode, stdout: "" });
    const line = `wharf: The title of ${slug}: The detail of ${slug}. (${status}, request request-1)`;
    const hint = status === 401 ? " The credentials came from WHARF_TOKEN." : "";
    expect(run.stderr).toBe(`${line}${hint}\n`);
  });

  it("names every invalid member once", async () => {
    const errors = [
      { pointer: "query/PageSize", detail: "must be a whole number" },
      { pointer: "/name", detail: "is required" },
    ];
    respond = (_, response) =>
      problem(response, 400, "validation-failed", { detail: "/name: is required", errors });
    const { exitCode, stderr } = await listKeys();
    expect(exitCode).toBe(1);
    expect(stderr.match(/query\/PageSize: must be a whole number/g)).toHaveLength(1);
    expect(stderr.match(/\/name: is required/g)).toHaveLength(1);
  });
});

describe("an unexpected response", () => {
  const html: Responder = (_, response) => {
    response.writeHead(502, { "Content-Type": "text/html; charset=utf-8" }).end("<h1>Bad</h1>");
  };
  const welcome: Responder = (_, response) => {
    response.writeHead(200, { "Content-Type": "text/html" }).end("<h1>Welcome</h1>");
  };
  const elsewhere: Responder = ({ url }, response) => {
    response.writeHead(302, { Location: `${api.url}/elsewhere${url.pathname}` }).end();
  };
  const gateway: Responder = (_, response) => json(response, { message: "Forbidden" }, 403);
  const endless: Responder = (_, response) => json(response, { items: [], nextPageToken: "0" });

  it.each([
    ["an HTML error page", html, 1, "text/html"],
    ["an HTML page with 200", welcome, 1, "text/html"],
    ["a redirect, which is not followed", elsewhere, 1, "redirect"],
    ["a gateway's own refusal", gateway, 4, "Forbidden"],
    ["a list without an end", endless, 1, "does not end"],
  ])("%s is reported in one line", async (_, responder, exitCode, words) => {
    respond = responder;
    const run = await listKeys();
    expect(run).toMatchObject({ exitCode, stdout: "" });
    expect(run.stderr).toContain(words);
    expect(run.stderr).not.toContain("    at ");
    expect(api.requests).toHaveLength(1);
  });
});

describe("the network", () => {
  const hang: Responder = () => undefined;
  const abortResponse: Responder = (_, response) => {
    response.writeHead(200, { "Content-Type": "application/json", "Content-Length": "100" });
    response.write('{"items":', () => response.destroy());
  };

  it.each([
    ["a server that hangs", hang, { WHARF_TIMEOUT_SECONDS: "0.3" }, "within 0.3 s"],
    ["a response that breaks off", abortResponse, {}, "closed"],
  ])(
    "%s ends with 7",
    { tags: "nightly" },
    async (_, responder, more: Record<string, string>, words) => {
      respond = responder;
      const run = await listKeys(more);
      expect(run).toMatchObject({ exitCode: 7, stdout: "" });
      expect(run.stderr).toContain(words);
    },
  );

  it("a refused connection ends with 7", async () => {
    const gone = await startStandIn(() => undefined);
    await gone.close();
    const run = await listKeys({ WHARF_URL: gone.url });
    expect(run.exitCode).toBe(7);
    expect(run.stderr).toBe(
      `wharf: ${gone.url} cannot be reached: the connection was refused (ECONNREFUSED).\n`,
    );
  });

  it("a failed TLS handshake ends with 7", async () => {
    respond = (_, response) => json(response, {});
    const run = await listKeys({ WHARF_URL: api.url.replace("http:", "https:") });
    expect(run.exitCode).toBe(7);
  });
});

describe("too many requests", () => {
  it("are retried after Retry-After, with a line on stderr", async () => {
    let left = 2;
    respond = (_, response) => {
      left -= 1;
      if (left >= 0) problem(response, 429, "rate-limit-exceeded", {}, { "Retry-After": "0" });
      else json(response, { items: [], nextPageToken: null });
    };
    const run = await runWharf(["keys", "list", "--json"], { env: env() });
    expect(run.exitCode).toBe(0);
    expect(JSON.parse(run.stdout)).toEqual({ items: [] });
    expect(run.stderr.match(/waiting 0 s/g)).toHaveLength(2);
  });

  it.each([
    ["three waits", "0", 4],
    ["a wait beyond five minutes was asked for", "301", 1],
  ])("end with 1 after %s", async (_, retryAfter, requests) => {
    respond = (_arrived, response) =>
      problem(response, 429, "rate-limit-exceeded", {}, { "Retry-After": retryAfter });
    const run = await listKeys();
    expect(run.exitCode).toBe(1);
    expect(api.requests).toHaveLength(requests);
  });
});

describe("a wrong call", () => {
  it.each([
    ["an unknown option", ["keys", "list", "--color"]],
    ["a missing argument", ["keys", "history"]],
    ["a limit that is no number", ["keys", "list", "--limit", "many"]],
    ["no command", ["keys"]],
  ])("%s ends with 2 and sends nothing", async (_, args) => {
    const run = await runWharf(args, { env: env() });
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(api.requests).toEqual([]);
  });
});

describe("a misspelling", () => {
  it.each([
    [["rnu"], "unknown command 'rnu'; did you mean run?"],
    [["keys", "lst"], "unknown command 'lst'; did you mean list?"],
    [["keys", "list", "--limt", "3"], "unknown option '--limt'; did you mean --limit?"],
    [["logs"], "unknown command 'logs'; use wharf executions tail"],
    [["run", "hello", "name=secret"], "Give inputs with --input, such as"],
  ])("%j is refused with a suggestion, without its values", async (args, words) => {
    const run = await runWharf(args, { env: env() });
    expect(run).toMatchObject({ exitCode: 2, stdout: "" });
    expect(run.stderr).toContain(words);
    expect(run.stderr).not.toContain("secret");
  });
});

describe("help", () => {
  it.each([
    [[]],
    [["login"]],
    [["logout"]],
    [["keys"]],
    [["keys", "list"]],
    [["keys", "delete"]],
    [["keys", "history"]],
    [["keys", "scopes"]],
  ])("of wharf %j has examples", async (command) => {
    const { exitCode, stdout } = await runWharf([...command, "--help"]);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/Examples?:\n {2}\$ wharf /);
  });
});

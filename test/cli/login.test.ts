import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { tenantRecord } from "./records.ts";
import { newHome, type Run, runAtTerminal, runWharf, spawnShell, spawnWharf } from "./run-wharf.ts";
import { json, problem, type Responder, type StandIn, startStandIn } from "./stand-in.ts";

const token = "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJhZG1pbiJ9.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg";
const apiKey = "wharf_live_0123456789abcdefghijABCDEFGHIJ0123456789xyz";

const credentialsPath = (home: string): string => join(home, "config/wharf/credentials.json");
const readMode = (path: string): number => statSync(path).mode & 0o777;

const expectNotPrinted = (secret: string, { stdout, stderr }: Run): void => {
  expect(stdout + stderr).not.toContain(secret);
};

let respond: Responder;
let api: StandIn;
const address = (): string[] => ["--url", api.url, "--tenant", "demo"];

beforeAll(async () => {
  api = await startStandIn((arrived, response) => respond(arrived, response));
});
afterAll(() => api.close());
beforeEach(() => {
  api.requests.length = 0;
  respond = (_, response) => json(response, tenantRecord);
});

describe("wharf login", () => {
  it("checks the token with one call and saves it for its owner alone", {
    tags: "nightly",
  }, async () => {
    const home = newHome();
    const run = await spawnWharf(["login", ...address(), "--token", token], { home });
    expect(run).toMatchObject({ exitCode: 0, stdout: "" });
    expectNotPrinted(token, run);
    expect(api.requests.map(({ method, url }) => `${method} ${url.pathname}`)).toEqual([
      "GET /v1/tenants/demo",
    ]);
    expect(api.requests[0]?.headers.authorization).toBe(`Bearer ${token}`);
    expect(JSON.parse(readFileSync(credentialsPath(home), "utf8"))).toEqual({
      current: "default",
      profiles: { default: { url: api.url, tenant: "demo", token } },
    });
    expect(readMode(credentialsPath(home))).toBe(0o600);
    expect(readMode(dirname(credentialsPath(home)))).toBe(0o700);
    expect(readdirSync(dirname(credentialsPath(home)))).toEqual(["credentials.json"]);
  });

  it("reads the token that is piped in", { tags: "nightly" }, async () => {
    const home = newHome();
    const run = await spawnWharf(["login", ...address(), "--json"], { home, stdin: `${token}\n` });
    expect(run.exitCode).toBe(0);
    expect(JSON.parse(run.stdout)).toEqual({
      url: api.url,
      tenant: "demo",
      profile: "default",
      loggedIn: true,
    });
    expectNotPrinted(token, run);
    expect(readFileSync(credentialsPath(home), "utf8")).toContain(token);
  });

  it("prompts for the token at a terminal and shows nothing of it", {
    tags: "nightly",
  }, async () => {
    const home = newHome();
    const run = await runAtTerminal(["login", ...address(), "--token", "-"], `${token}\r`, {
      home,
    });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain("Token: ");
    expectNotPrinted(token, run);
    expect(readFileSync(credentialsPath(home), "utf8")).toContain(token);
  });

  it("ends with 130 and saves nothing on Ctrl-C", async () => {
    const home = newHome();
    const run = await runAtTerminal(["login", ...address(), "--token", "-"], "\u0003", { home });
    expect(run.exitCode).toBe(130);
    expect(existsSync(credentialsPath(home))).toBe(false);
  });

  it("accepts an API key in the token's place", async () => {
    const home = newHome();
    const run = await runWharf(["login", ...address()], { home, stdin: apiKey });
    expect(run.exitCode).toBe(0);
    expectNotPrinted(apiKey, run);
    expect(api.requests[0]?.headers["x-api-key"]).toBe(apiKey);
    expect(api.requests[0]?.headers.authorization).toBeUndefined();
    expect(JSON.parse(readFileSync(credentialsPath(home), "utf8"))).toMatchObject({
      profiles: { default: { apiKey } },
    });
  });

  it("accepts a credential that may not read the tenant, because the response shows that both exist", async () => {
    respond = (_, response) => problem(response, 403, "insufficient-scope");
    const home = newHome();
    const run = await runWharf(["login", ...address()], { home, stdin: apiKey });
    expect(run.exitCode).toBe(0);
    expect(existsSync(credentialsPath(home))).toBe(true);
  });

  it("finds the tenant of a credential, and lists those to choose from", {
    tags: "nightly",
  }, async () => {
    const tenants = [tenantRecord];
    respond = ({ url: { pathname } }, response) =>
      json(response, pathname === "/v1/tenants" ? tenants : tenantRecord);
    const home = newHome();
    const run = await runWharf(["login", "--url", api.url], { home, stdin: token });
    expect(run.exitCode).toBe(0);
    const { profiles } = JSON.parse(readFileSync(credentialsPath(home), "utf8"));
    expect(profiles.default).toMatchObject({ tenant: "demo", token });

    tenants.push({ ...tenantRecord, slug: "other" });
    const several = await runWharf(["login", "--url", api.url], { stdin: token });
    expect(several.exitCode).toBe(2);
    expect(several.stderr).toContain("Set one with --tenant: demo, other.");

    respond = (_, response) => problem(response, 403, "insufficient-scope");
    const limited = await runWharf(["login", "--url", api.url], { stdin: apiKey });
    expect(limited.exitCode).toBe(2);
    expect(limited.stderr).toContain("may not list tenants (organization:read). Set the tenant");
  });

  it("keeps the last login when the new token is refused, and hides a token that is echoed", async () => {
    const home = newHome();
    await runWharf(["login", ...address()], { home, stdin: token });
    const before = readFileSync(credentialsPath(home), "utf8");
    respond = (_, response) =>
      problem(response, 401, "unauthenticated", { detail: `Bad token ${token}x.` });
    const run = await runWharf(["login"], { home, stdin: `${token}x` });
    expect(run.exitCode).toBe(4);
    expectNotPrinted(token, run);
    expect(readFileSync(credentialsPath(home), "utf8")).toBe(before);
  });

  it("leaves no readable file behind where one was readable before", async () => {
    const home = newHome();
    mkdirSync(dirname(credentialsPath(home)), { recursive: true });
    writeFileSync(credentialsPath(home), "{}", { mode: 0o644 });
    const run = await runWharf(["login", ...address()], { home, stdin: token });
    expect(run.exitCode).toBe(0);
    expect(readMode(credentialsPath(home))).toBe(0o600);
  });

  it("signs in with a browser on another device where the issuer offers that", async () => {
    const home = newHome();
    const bodies = [{ error: "authorization_pending" }, { id_token: token, expires_in: 60 }];
    const replies: Record<string, () => unknown> = {
      "/console/config.json": () => ({ issuer: api.url, clientId: "cli", bearer: "id_token" }),
      "/.well-known/openid-configuration": () => ({
        issuer: api.url,
        authorization_endpoint: `${api.url}/authorize`,
        token_endpoint: `${api.url}/token`,
        device_authorization_endpoint: `${api.url}/device`,
      }),
      "/device": () => ({
        device_code: "d",
        user_code: "ABCD-EFGH",
        verification_uri: "https://id.example.com/device",
        interval: 0,
      }),
      "/token": () => bodies.shift(),
      "/v1/tenants": () => [tenantRecord],
    };
    respond = ({ url: { pathname } }, response) => {
      const reply = replies[pathname]?.() ?? tenantRecord;
      json(response, reply, Object(reply).error === undefined ? 200 : 400);
    };
    const run = await runWharf(["login", "--device", "--url", api.url], { home });
    expect(run.exitCode).toBe(0);
    expect(run.stderr).toContain("https://id.example.com/device and enter the code ABCD-EFGH");
    expectNotPrinted(token, run);
    const { profiles } = JSON.parse(readFileSync(credentialsPath(home), "utf8"));
    expect(profiles.default).toMatchObject({ url: api.url, tenant: "demo", token });
  });

  it.each(["localhost", "127.0.0.1", "127", "[::1]", "localhost@127.0.0.1"])(
    "refuses an issuer with an unencrypted address that begins with %s",
    async (prefix) => {
      const evil = `http://${prefix}.evil.example`;
      const endpoints = {
        authorization_endpoint: `${api.url}/authorize`,
        token_endpoint: `${api.url}/token`,
        device_authorization_endpoint: `${api.url}/device`,
      };
      for (const name of ["issuer", ...Object.keys(endpoints)]) {
        api.requests.length = 0;
        respond = ({ url: { pathname } }, response) => {
          const issuer = name === "issuer" ? evil : api.url;
          if (pathname === "/console/config.json") return json(response, { issuer, clientId: "c" });
          return json(response, { issuer, ...endpoints, [name]: evil });
        };
        const run = await runWharf(["login", "--device", "--url", api.url]);
        expect(run, name).toMatchObject({ exitCode: 1, stdout: "" });
        expect(run.stderr).toContain("has an address that is not https");
        const asked = api.requests.map(({ url: { pathname } }) => pathname);
        expect(asked).not.toContain("/device");
      }
    },
  );

  it("saves for its owner alone whatever the umask, in a folder that others could read, too", {
    tags: "nightly",
  }, async () => {
    const home = newHome();
    const folder = dirname(credentialsPath(home));
    mkdirSync(folder, { recursive: true });
    for (const umask of ["000", "022"]) {
      chmodSync(folder, 0o777);
      const line = `umask ${umask}; echo ${token} | $WHARF login ${address().join(" ")}`;
      expect(await spawnShell(line, { home })).toMatchObject({ exitCode: 0 });
      expect(readMode(credentialsPath(home))).toBe(0o600);
      expect(readMode(folder)).toBe(0o700);
    }
  });

  it.each([
    ["no token", ""],
    ["a token that no header can carry", `${token}\u00e9\n${token}`],
  ])("refuses %s without a call and without a word of it", async (_, stdin) => {
    const run = await runWharf(["login", ...address()], { stdin });
    expect(run.exitCode).toBe(2);
    expectNotPrinted(token, run);
    expect(api.requests).toEqual([]);
  });

  it.each([
    ["a stray argument", ["login", token]],
    ["an unknown option", ["login", `--tokn=${token}`]],
    ["an unknown command", [token]],
    ["a key's id", ["keys", "revoke", apiKey, "--yes"]],
    ["a tenant", ["login", "--url", "http://127.0.0.1:1", "--tenant", token]],
    ["a URL", ["login", "--url", `https://user:${apiKey}@127.0.0.1:1`, "--tenant", "demo"]],
  ])("does not print a secret passed as %s", async (_, args) => {
    const run = await runWharf(args);
    expect(run.exitCode).toBe(2);
    expectNotPrinted(token, run);
    expectNotPrinted(apiKey, run);
  });

  it("does not print a misplaced token in a separate process", { tags: "nightly" }, async () => {
    const run = await spawnWharf(["login", token]);
    expect(run.exitCode).toBe(2);
    expectNotPrinted(token, run);
  });

  it("reports a damaged file without quoting it", async () => {
    const home = newHome();
    mkdirSync(dirname(credentialsPath(home)), { recursive: true });
    writeFileSync(credentialsPath(home), `{"token": "${token}", oops`);
    const run = await runWharf(["keys", "list"], { home });
    expect(run.exitCode).toBe(1);
    expect(run.stderr).toContain("is damaged");
    expectNotPrinted("eyJ", run);
  });
});

describe("wharf profiles", () => {
  it("keeps logins of several deployments, uses one for a command or for all that follow, and removes one", {
    tags: "nightly",
  }, async () => {
    const home = newHome();
    const profiles = async () =>
      JSON.parse((await runWharf(["profiles", "list", "--json"], { home })).stdout).items;
    // A file of before there were profiles is one of them.
    mkdirSync(dirname(credentialsPath(home)), { recursive: true });
    writeFileSync(credentialsPath(home), JSON.stringify({ url: api.url, tenant: "demo", token }));
    const named = ["login", ...address(), "--profile", "production"];
    expect((await runWharf(named, { home, stdin: apiKey })).exitCode).toBe(0);
    expect(await profiles()).toMatchObject([
      { name: "default", credential: "token", isCurrent: false },
      { name: "production", credential: "api-key", isCurrent: true },
    ]);
    await runWharf(["keys", "list", "--profile", "default"], { home });
    await runWharf(["profiles", "use", "default"], { home });
    await runWharf(["keys", "list"], { home, env: { WHARF_PROFILE: "production" } });
    const [, first, second] = api.requests.map(({ headers }) => headers);
    expect(first?.authorization).toBe(`Bearer ${token}`);
    expect(second?.["x-api-key"]).toBe(apiKey);
    expect((await runWharf(["logout"], { home })).stderr).toBe("Removed profile default.\n");
    expect(await profiles()).toMatchObject([{ name: "production", isCurrent: true }]);
    const unknown = await runWharf(["keys", "list", "--profile", "default"], { home });
    expect(unknown).toMatchObject({ exitCode: 2, stdout: "" });
  });
});

describe("wharf logout", () => {
  it("removes the saved token, and is content when there is none", async () => {
    const home = newHome();
    await runWharf(["login", ...address()], { home, stdin: token });
    expect((await runWharf(["logout"], { home })).exitCode).toBe(0);
    expect(existsSync(credentialsPath(home))).toBe(false);
    const again = await runWharf(["logout", "--json"], { home });
    expect(again.exitCode).toBe(0);
    expect(JSON.parse(again.stdout)).toEqual({ loggedIn: false });
  });
});

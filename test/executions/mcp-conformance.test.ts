import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import * as z from "zod";
import { findFreePort } from "../../infra/local/free-port.ts";
import { newOrganization } from "../harness/api.ts";
import { signInAtIssuer } from "../harness/sign-in-at-issuer.ts";

const run = promisify(execFile);
const command = resolve(import.meta.dirname, "../../node_modules/.bin/conformance");
const Created = z.object({ id: z.string() });

const output = (value: unknown) => ({ id: "out", type: "Output", value });
const approval = (id: string) => ({ id, type: "Approval", title: "Go on?", allowStarter: true });
const text = (name: string) => ({ name, type: "String" });
const flow = (...steps: { id: string; type: string; [member: string]: unknown }[]) => ({
  steps,
  edges: steps.slice(1).map(({ id }, at) => ({ source: steps[at]?.id, target: id })),
});

/** Agents with the names and the inputs that the scenarios call. */
const agents = {
  test_simple_text: { flow: flow(output("This is a simple text response for testing.")) },
  test_error_handling: { flow: flow(output("{% $error('intended') %}")) },
  greet: {
    parametersMetadata: [text("name")],
    flow: flow(output("Hello, {% input.name %}!")),
  },
  slow_compute: {
    parametersMetadata: [{ name: "seconds", type: "Integer" }, text("label")],
    flow: flow({ id: "pause", type: "Wait", seconds: "{% input.seconds %}" }, output("done")),
  },
  failing_job: {
    flow: flow({ id: "pause", type: "Wait", seconds: 1 }, output("{% $error('intended') %}")),
  },
  confirm_delete: {
    parametersMetadata: [text("filename")],
    flow: flow(approval("ask"), output("deleted")),
  },
  test_streaming_elicitation: { flow: flow(approval("ask"), output("done")) },
  test_logging_tool: { flow: flow(output("done")) },
  multi_input: { flow: { steps: [approval("one"), approval("two")], edges: [] } },
  test_tool_with_progress: {
    flow: flow(
      { id: "first", type: "Transform", value: 1 },
      { id: "second", type: "Transform", value: 2 },
      output("done"),
    ),
  },
};

describe("the official conformance suite", () => {
  const path = [dirname(process.execPath), process.env.PATH].join(delimiter);
  /** Adds the credentials, which the suite does not send. */
  const proxy = createServer();
  let own: Awaited<ReturnType<typeof newOrganization>>;
  let folder: string;
  let url: string;
  let target: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "wharf-conformance-"));
    own = await newOrganization();
    for (const [id, revision] of Object.entries(agents)) await own.deployAgent(id, revision);
    const created = await own.send("POST", "/integration-configs", {
      integrationId: "system",
      exposeMcp: true,
      parameters: { tools: [], agents: Object.keys(agents) },
    });
    const { id } = Created.parse(created.body);
    await own.send("POST", `/integration-configs/${id}:publish`);
    target = `${inject("stack").baseUrl}${own.base}/mcp/${id}`;
    proxy.on("request", async (incoming, response) => {
      const { "content-length": _, connection, host, ...headers } = incoming.headers;
      const body = new Uint8Array(await buffer(incoming));
      const reply = await fetch(target, {
        method: incoming.method ?? "GET",
        headers: {
          ...Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `${value}`])),
          Authorization: `Bearer ${own.token}`,
        },
        ...(body.length > 0 && { body }),
      });
      const type = reply.headers.get("content-type");
      response.writeHead(reply.status, type === null ? {} : { "Content-Type": type });
      if (reply.body) await pipeline(reply.body, response);
      else response.end();
    });
    proxy.listen(0, "127.0.0.1");
    await once(proxy, "listening");
    const { port } = z.object({ port: z.number() }).parse(proxy.address());
    url = `http://127.0.0.1:${port}/mcp`;
  });
  afterAll(async () => {
    proxy.closeAllConnections();
    proxy.close();
    await rm(folder, { recursive: true });
  });

  /** Runs a command of the suite; returns what it prints, also where a check fails, which is an exit code. */
  const runSuite = async (options: string[], variables: Record<string, string> = {}) => {
    const env = { ...process.env, ...variables, PATH: path };
    const { stdout, stderr } = await run(command, options, { cwd: folder, env }).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    return stdout + stderr;
  };
  const runScenario = (kind: string, scenario: string, address: string) =>
    runSuite([kind, "--url", address, "--scenario", scenario]);

  const passed = /Passed: [1-9]\d*\/\d+, 0 failed/;

  test.each([
    "server-initialize",
    "ping",
    "tools-list",
    "tools-call-simple-text",
    "tools-call-error",
    "tools-call-with-progress",
    "dns-rebinding-protection",
    "http-header-validation",
    "input-required-result-ignore-extra-params",
    "input-required-result-unsupported-methods",
    "input-required-result-validate-input",
    "resources-list",
    "tasks-capability-negotiation",
    "tasks-wire-fields",
    "tasks-mrtr-input",
    "tasks-request-state-removal",
    "tasks-dispatch-and-envelope",
  ])("passes %s", { tags: "nightly" }, async (scenario) => {
    expect(await runScenario("server", scenario, url)).toMatch(passed);
  });

  test.each(["sep-2164-resource-not-found", "tasks-request-headers"])(
    "passes %s",
    async (scenario) => {
      expect(await runScenario("server", scenario, url)).toMatch(passed);
    },
  );

  test.each([
    ["server-stateless", ["ServerRejectsUndeclaredCapability", "MissingCapabilityHttp400"]],
    ["caching", ["PromptsListCachingHints"]],
    ["tasks-lifecycle", ["TasksProtocolErrorFailedShape"]],
    ["tasks-required-task-error", ["Sep2663ServerReturnsMissingCapabilityWhenRequired"]],
    ["tasks-mrtr-composition", ["Sep2663MrtrSynchronousBeforeTaskCreation"]],
  ])(
    "passes %s but for %j, which need what this server does not have",
    {
      tags: "nightly",
    },
    async (scenario, failed) => {
      const printed = await runScenario("server", scenario, url);
      expect([...printed.matchAll(/^ {2}- (\w+): /gm)].map(([, name]) => name)).toEqual(failed);
    },
  );

  const withoutWarning = /Passed: [1-9]\d*\/\d+, 0 failed, 0 warnings/;
  const runClient = (scenario: string, ...more: string[]) => {
    const program = resolve(import.meta.dirname, "../harness/mcp-client-program.ts");
    const options = ["client", "--command", `node ${program}`, "--scenario", scenario, ...more];
    return runSuite(options, {
      WHARF_TENANT_URL: `${inject("stack").baseUrl}${own.base}`,
      WHARF_TOKEN: own.token,
    });
  };

  test.each([
    "initialize",
    "sse-retry",
    "tools_call",
    "auth/authorization-server-migration",
    "auth/client-credentials-basic",
    "auth/client-credentials-jwt",
    "auth/dpop",
    "auth/dpop-nonce",
    "auth/enterprise-managed-authorization",
    "auth/iss-normalized",
    "auth/iss-not-advertised",
    "auth/iss-supported",
    "auth/iss-supported-missing",
    "auth/iss-unexpected",
    "auth/iss-wrong-issuer",
    "auth/metadata-default",
    "auth/metadata-issuer-mismatch",
    "auth/metadata-var1",
    "auth/metadata-var2",
    "auth/metadata-var3",
    "auth/offline-access-not-supported",
    "auth/offline-access-scope",
    "auth/resource-mismatch",
    "auth/scope-from-scopes-supported",
    "auth/scope-from-www-authenticate",
    "auth/scope-omitted-when-undefined",
    "auth/scope-retry-limit",
    "auth/token-endpoint-auth-basic",
    "auth/token-endpoint-auth-none",
    "auth/wif-jwt-bearer",
  ])("passes %s as a client, with the tools of a config", { tags: "nightly" }, async (scenario) => {
    expect(await runClient(scenario)).toMatch(withoutWarning);
  });

  test.each([
    "http-custom-headers",
    "http-invalid-tool-headers",
    "http-standard-headers",
    "json-schema-ref-no-deref",
    "request-metadata",
    "tools_call",
    "auth/metadata-default",
    "auth/metadata-var1",
    "auth/metadata-var2",
    "auth/metadata-var3",
    "auth/pre-registration",
    "auth/scope-from-scopes-supported",
    "auth/scope-from-www-authenticate",
    "auth/scope-omitted-when-undefined",
    "auth/scope-retry-limit",
    "auth/scope-step-up",
    "auth/token-endpoint-auth-basic",
    "auth/token-endpoint-auth-none",
    "auth/token-endpoint-auth-post",
  ])("passes %s as a client of 2026-07-28, too", { tags: "nightly" }, async (scenario) => {
    expect(await runClient(scenario, "--spec-version", "2026-07-28")).toMatch(withoutWarning);
  });

  test.each(["2025-11-25", "2026-07-28"])(
    "passes auth/basic-cimd as a client of %s, with the address of its own metadata document",
    { tags: "nightly" },
    async (version) => {
      const printed = await runClient("auth/basic-cimd", "--spec-version", version, "--verbose");
      expect(printed).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed, 1 warnings/);
      const address = `${inject("stack").baseUrl}/v1/oauth/client-metadata.json`;
      expect(printed).toContain(`"actualClientId": "${address}"`);
    },
  );

  test.each([
    "auth/2025-03-26-oauth-endpoint-fallback",
    "auth/2025-03-26-oauth-metadata-backcompat",
  ])(
    "passes %s as a client with the issuer in its config",
    { tags: "nightly" },
    async (scenario) => {
      expect(await runClient(scenario)).toMatch(withoutWarning);
    },
  );

  test.each(["auth/pre-registration", "auth/scope-step-up", "auth/token-endpoint-auth-post"])(
    "passes %s as a client with a connection",
    async (scenario) => {
      expect(await runClient(scenario)).toMatch(withoutWarning);
    },
  );

  test("passes authorization-server-metadata-endpoint", async () => {
    const { baseUrl } = inject("stack");
    const scenario = "authorization-server-metadata-endpoint";
    expect(await runScenario("authorization", scenario, baseUrl)).toMatch(passed);
  });

  test("passes authorization-code-grant for a client with its own callback", {
    tags: "nightly",
  }, async () => {
    const port = await findFreePort();
    const settings = ["--client-id", "wharf-mcp", "--resource", target, "--port", `${port}`];
    const options = ["authorization", "--url", inject("stack").baseUrl, ...settings];
    const child = spawn(command, options, { cwd: folder, env: { ...process.env, PATH: path } });
    let printed = "";
    for await (const chunk of child.stdout) {
      printed += chunk;
      const [address] = /^http\S+\/oauth2\/authorize\S+(?=\n)/m.exec(printed) ?? [];
      const isReady = printed.includes("Callback server started");
      if (!isReady || address === undefined || printed.includes("is signed in")) continue;
      printed += "is signed in";
      await fetch(await signInAtIssuer(new URL(address), "runner"));
    }
    expect(printed).toContain("authorization-code-grant: 1 passed, 0 failed");
  });
});

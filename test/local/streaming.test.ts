import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { readAssembly } from "../../infra/local/template/assembly.ts";
import { readModel } from "../../infra/local/template/model.ts";
import {
  type FixtureStack,
  removeFolders,
  startFixture,
  temporaryFolder,
  writeFixture,
} from "./fixture-stack.ts";
import { fixtureTemplates } from "./fixture-template.ts";

let fixture: FixtureStack;
beforeAll(async () => {
  fixture = await startFixture(undefined, { gracePeriod: 100 });
});
afterAll(removeFolders);
afterAll(() => fixture.stack.close());

type Step = [string, unknown?];
const head = (headers: object = {}): Step => ["head", { statusCode: 200, headers }];
const run = (...steps: Step[]) => fixture.post("/streams", steps);
const open = async (gate: string) => {
  await (await run(head(), ["open", gate], ["end", ""])).text();
};
const finished = async (): Promise<string> => (await run(head(), ["finished"])).text();

const decodeText = (value: Uint8Array | undefined): string => Buffer.from(value ?? []).toString();

/** Posts steps over a paused socket. */
const postUnread = (...steps: Step[]) => {
  const body = JSON.stringify(steps);
  const socket = connect(fixture.stack.port, "127.0.0.1");
  socket.pause();
  socket.write(
    `POST /streams HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  return socket;
};

describe("a streamed response", () => {
  test("has the function's status and headers, with the gateway's header rules applied", {
    tags: "nightly",
  }, async () => {
    const response = await run(
      ["head", { statusCode: 202, headers: { "X-Own": "1", "WWW-Authenticate": "Bearer" } }],
      ["end", '{"ü":1}'],
    );
    expect(response.status).toBe(202);
    expect(response.headers.get("x-own")).toBe("1");
    expect(response.headers.get("x-amzn-remapped-www-authenticate")).toBe("Bearer");
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toEqual({ ü: 1 });
  });

  test("reaches the client as the function writes it", async () => {
    const response = await run(
      head(),
      ["write", "one"],
      ["wait", "two"],
      ["bytes", [0, 255]],
      ["end"],
    );
    const reader = response.body?.getReader();
    expect(decodeText((await reader?.read())?.value)).toBe("one");
    await open("two");
    expect((await reader?.read())?.value).toEqual(new Uint8Array([0, 255]));
    expect((await reader?.read())?.done).toBe(true);
  });

  test("may be empty", async () => {
    const response = await run(["head", { statusCode: 204 }], ["end"]);
    expect(response.status).toBe(204);
    expect(await response.text()).toBe("");
  });

  test("is complete for a slow client when the function respects backpressure", {
    tags: "nightly",
  }, async () => {
    const socket = postUnread(head(), ["paced", 40], ["end"]);
    await run(head(), ["wait", "drain"], ["end"]);
    let size = 0;
    socket.on("data", (chunk) => {
      size += chunk.length;
    });
    socket.resume();
    await once(socket, "close");
    expect(size).toBeGreaterThan(40 * 1_048_576);
  });

  test("is aborted for a slow client when the function ignores backpressure; the function continues", {
    tags: "nightly",
  }, async () => {
    const socket = postUnread(head(), ["unpaced", 64], ["finish", "unpaced"], ["end"]);
    await expect.poll(finished).toContain("unpaced");
    let size = 0;
    socket.on("data", (chunk) => {
      size += chunk.length;
    });
    socket.on("error", () => {});
    socket.resume();
    await once(socket, "close");
    expect(size).toBeLessThan(32 * 1_048_576);
  });

  test("runs concurrently with 500 others", { tags: "nightly" }, async () => {
    const all = Array.from({ length: 500 }, () => run(head(), ["wait", "all"], ["end", "done"]));
    await open("all");
    for (const response of await Promise.all(all)) expect(await response.text()).toBe("done");
  });
});

describe("the function of a streamed response", () => {
  test("continues after its response has ended", async () => {
    const response = await run(head(), ["end", "answer"], ["wait", "later"], ["finish", "later"]);
    expect(await response.text()).toBe("answer");
    expect(await finished()).not.toContain("later");
    await open("later");
    await expect.poll(finished).toContain("later");
  });

  test("continues when its client disconnects, and its writes are dropped", {
    tags: "nightly",
  }, async () => {
    const client = new AbortController();
    const steps = [
      head(),
      ["write", "x"],
      ["wait", "gone"],
      ["paced", 20],
      ["end"],
      ["finish", "gone"],
    ];
    const response = await fetch(`${fixture.baseUrl}/streams`, {
      method: "POST",
      body: JSON.stringify(steps),
      signal: client.signal,
    });
    expect(response.status).toBe(200);
    client.abort();
    await expect.poll(() => fixture.stack.inFlight()).toBe(0);
    await open("gone");
    await expect.poll(finished).toContain("gone");
  });

  test.each<[string, Step[]]>([
    ["that throws before its head", [["throw", "early"]]],
    ["that exits before its head", [["exit"]]],
    ["that writes no head", [["write", "no head"], ["end"]]],
    ["that writes its body with end alone", [["end", "no head"]]],
    ["whose head is not JSON", [["write", `nonsense${"\0".repeat(8)}`], ["end"]]],
    [
      "whose head has no end",
      [
        ["write", "x".repeat(20_000)],
        ["wait", "never"],
      ],
    ],
  ])("%s returns the template's 5xx", async (_, steps) => {
    const response = await run(...steps);
    expect(response.status).toBe(500);
    expect(await response.json()).toMatchObject({ title: "Internal error" });
    expect(await (await run(head(), ["end", "next"])).text()).toBe("next");
  });

  test.each<[string, Step]>([
    ["throws", ["throw", "late"]],
    ["exits", ["exit"]],
  ])(
    "that %s after its head has its connection closed, and the next request succeeds",
    async (name, step) => {
      const response = await run(head(), ["write", "started"], ["wait", name], step);
      const text = response.text();
      await open(name);
      await expect(text).rejects.toThrow();
      expect(await (await run(head(), ["end", "next"])).text()).toBe("next");
    },
  );
});

test("a stream over the timeout of its method is closed, or returns the template's 504 before its head", {
  tags: "nightly",
}, async () => {
  const late = await fixture.post("/streams-briefly", [["wait", "never"]]);
  expect(late.status).toBe(504);
  expect(await late.json()).toMatchObject({ title: "Too slow" });
  const steps = [head(), ["write", "started"], ["wait", "never"]];
  // On a busy machine the timeout may pass before the head.
  let started = await fixture.post("/streams-briefly", steps);
  while (started.status === 504) started = await fixture.post("/streams-briefly", steps);
  expect(started.status).toBe(200);
  await expect(started.text()).rejects.toThrow();
});

test("a mismatch of a method's transfer mode and URI is an error that names the method", async () => {
  const directory = temporaryFolder();
  const templates = fixtureTemplates(join(directory, "functions"));
  const text = JSON.stringify(templates).replaceAll(
    "/response-streaming-invocations",
    "/invocations",
  );
  await writeFixture(directory, z.record(z.string(), z.looseObject({})).parse(JSON.parse(text)));
  const assembly = readAssembly(join(directory, "assembly"));
  expect(() => readModel(assembly, "http://127.0.0.1")).toThrow(
    /paths\.\/(closed|streams.*)\.post: responseTransferMode does not match uri/,
  );
});

test("a streaming function behind a buffered integration, or the reverse, returns the template's 5xx", async () => {
  expect((await fixture.post("/streams-whole", [head(), ["end"]])).status).toBe(500);
  expect((await fixture.post("/whole-streamed", { statusCode: 200, body: "x" })).status).toBe(500);
  expect(fixture.printed.join("\n")).toContain("the integration is buffered");
});

test("a stop does not wait beyond the grace period for work after a response", {
  tags: "nightly",
}, async () => {
  const own = await startFixture(undefined, { gracePeriod: 300 });
  const steps = [head(), ["end", "answer"], ["wait", "never"], ["log", "Error: completed"]];
  expect(await (await own.post("/streams", steps)).text()).toBe("answer");
  await own.stack.close();
  expect(own.printed.join("\n")).not.toContain("completed");
});

test("a stop waits for work after a response within the grace period", {
  tags: "nightly",
}, async () => {
  const own = await startFixture();
  const steps = [head(), ["end", "answer"], ["pause", 300], ["log", "Error: ended in time"]];
  expect(await (await own.post("/streams", steps)).text()).toBe("answer");
  await own.stack.close();
  expect(own.printed.join("\n")).toContain("ended in time");
});

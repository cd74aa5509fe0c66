import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, expect, test } from "vitest";
import * as z from "zod";
import { lockDataFolder, openDataFolder } from "../../infra/local/data-folder.ts";
import {
  type FixtureStack,
  removeFolders,
  startFixture,
  temporaryFolder,
} from "./fixture-stack.ts";

const Address = z.object({ baseUrl: z.string(), services: z.string() });
const Called = z.object({ status: z.number(), body: z.unknown() });

let child: ChildProcess | undefined;
let restarted: FixtureStack | undefined;
afterAll(removeFolders);
afterEach(async () => {
  child?.kill("SIGKILL");
  await restarted?.stack.close();
  restarted = undefined;
});

/** Starts the fixture in its own process. */
const startApart = async (directory: string) => {
  const started = spawn(
    process.execPath,
    [fileURLToPath(new URL("run-fixture.ts", import.meta.url)), directory],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  child = started;
  const [line] = await once(createInterface(started.stdout), "line");
  return { process: started, ...Address.parse(JSON.parse(String(line))) };
};

const able = async (baseUrl: string, call: object) => {
  const response = await fetch(`${baseUrl}/able`, { method: "POST", body: JSON.stringify(call) });
  return Called.parse(await response.json());
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const write = {
  item: (id: string) => ({
    service: "dynamodb",
    operation: "PutItem",
    request: { TableName: "$TABLE_NAME", Item: { pk: { S: id }, sk: { S: "s" } } },
  }),
  message: (id: string) => ({
    service: "sqs",
    operation: "SendMessage",
    request: { QueueUrl: "$PARKED_URL", MessageBody: id },
  }),
  object: (id: string) => ({ service: "s3", operation: "PUT", key: id, body: id }),
};

test("SIGKILL during writes loses no acknowledged write and leaves no process", async () => {
  const directory = temporaryFolder();
  const { process: started, baseUrl } = await startApart(directory);
  const enginePid = Number(readFileSync(join(directory, "data/dynoxide.pid"), "utf8"));
  const answered = { item: [""], message: [""], object: [""] };
  const writers = (["item", "message", "object"] as const).map(async (kind) => {
    for (let count = 0; ; count += 1) {
      const id = `${kind}-${count}`;
      const { status } = await able(baseUrl, write[kind](id));
      if (status === 200) answered[kind].push(id);
      if (kind === "item" && count === 40) started.kill("SIGKILL");
    }
  });
  await Promise.allSettled(writers);
  await expect.poll(() => isAlive(enginePid), { timeout: 20_000 }).toBe(false);

  restarted = await startFixture(directory);
  const { baseUrl: again } = restarted;
  for (const id of answered.item.slice(1)) {
    const request = { TableName: "$TABLE_NAME", Key: { pk: { S: id }, sk: { S: "s" } } };
    const { body } = await able(again, { service: "dynamodb", operation: "GetItem", request });
    expect(body).toMatchObject({ Item: { pk: { S: id } } });
  }
  for (const id of answered.object.slice(1)) {
    expect(await able(again, { service: "s3", operation: "GET", key: id })).toEqual({
      status: 200,
      body: id,
    });
  }
  const bodies = await restarted.queue("parked");
  for (const id of answered.message.slice(1)) expect(bodies).toContain(`"${id}"`);
  expect(answered.item.length).toBeGreaterThan(40);
  expect(answered.message.length).toBeGreaterThan(3);
}, 30_000);

test("a message in flight at a SIGKILL is visible after the restart, regardless of its visibility timeout", async () => {
  const directory = temporaryFolder();
  const { process: started, baseUrl } = await startApart(directory);
  const receive = {
    service: "sqs",
    operation: "ReceiveMessage",
    request: { QueueUrl: "$PARKED_URL" },
  };
  await able(baseUrl, write.message("one"));
  expect((await able(baseUrl, receive)).body).toMatchObject({ Messages: [{ Body: "one" }] });
  expect((await able(baseUrl, receive)).body).toEqual({});
  started.kill("SIGKILL");
  await once(started, "exit");
  restarted = await startFixture(directory);
  expect((await able(restarted.baseUrl, receive)).body).toMatchObject({
    Messages: [{ Body: "one" }],
  });
}, 30_000);

test("a second start on a data folder fails and names the first process, until that has exited", async () => {
  const directory = temporaryFolder();
  const { process: started } = await startApart(directory);
  const folder = openDataFolder(join(directory, "data"));
  expect(() => lockDataFolder(folder)).toThrow(`in use by process ${started.pid}.`);
  started.kill("SIGKILL");
  await once(started, "exit");
  lockDataFolder(folder).release();
  expect(existsSync(join(directory, "data/lock.pid"))).toBe(false);
}, 30_000);

test("a stop completes requests in progress and accepts no new ones", async () => {
  const { stack, baseUrl, post, directory } = await startFixture();
  await post("/slowest", {});
  const inFlight = post("/slowest", { wait: 2_000 });
  await expect.poll(() => stack.inFlight()).toBe(1);
  await stack.close();
  expect(await (await inFlight).text()).toBe("done");
  await expect(fetch(baseUrl)).rejects.toThrow();
  expect(existsSync(join(directory, "data/dynoxide.pid"))).toBe(false);
}, 30_000);

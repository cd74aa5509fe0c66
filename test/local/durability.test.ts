import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, expect, test } from "vitest";
import * as z from "zod";
import { lockDataFolder, openDataFolder } from "../../infra/local/data-folder.ts";
import { StopError } from "../../infra/local/stop-error.ts";
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
const startApart = async (directory: string, umask = "022") => {
  const script = fileURLToPath(new URL("run-fixture.ts", import.meta.url));
  const command = `umask ${umask}; exec "$@"`;
  const started = spawn("/bin/sh", ["-c", command, "sh", process.execPath, script, directory], {
    stdio: ["ignore", "pipe", "inherit"],
  });
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

test("a data folder is accessible only to its owner, whatever the umask and the modes of existing files", {
  tags: "nightly",
}, async () => {
  const directory = temporaryFolder();
  const data = join(directory, "data");
  const modes = (): string[] =>
    ["", ...readdirSync(data, { recursive: true, encoding: "utf8" })].flatMap((name) => {
      const entry = statSync(join(data, name), { throwIfNoEntry: false });
      if (!entry) return [];
      return `${(entry.mode & 0o777).toString(8)} ${entry.isDirectory() ? "folder" : "file"} ${name}`;
    });
  const wide = (): string[] => modes().filter((mode) => !/^(700 folder|600 file) /.test(mode));
  for (const umask of ["000", "022"]) {
    const { process: started, baseUrl } = await startApart(directory, umask);
    for (const kind of ["item", "message", "object"] as const) {
      expect(await able(baseUrl, write[kind](umask))).toMatchObject({ status: 200 });
    }
    const written = modes().map((mode) => mode.split(" ")[2]);
    expect(written).toEqual(expect.arrayContaining(["table.db", "issuer-key.json", "logs"]));
    expect(wide()).toEqual([]);
    const enginePid = Number(readFileSync(join(data, "dynoxide.pid"), "utf8"));
    started.kill("SIGKILL");
    await once(started, "exit");
    await expect.poll(() => isAlive(enginePid)).toBe(false);
    await expect.poll(() => existsSync(join(data, "dynoxide.pid"))).toBe(false);
    for (const name of readdirSync(data, { recursive: true, encoding: "utf8" })) {
      const path = join(data, name);
      chmodSync(path, statSync(path).isDirectory() ? 0o777 : 0o666);
    }
    chmodSync(data, 0o777);
  }
  openDataFolder(data);
  expect(wide()).toEqual([]);
});

test("SIGKILL during writes loses no acknowledged write and leaves no process", {
  tags: "nightly",
}, async () => {
  const directory = temporaryFolder();
  const { process: started, baseUrl } = await startApart(directory);
  const enginePid = Number(readFileSync(join(directory, "data/dynoxide.pid"), "utf8"));
  const confirmed = { item: [""], message: [""], object: [""] };
  const writers = (["item", "message", "object"] as const).map(async (kind) => {
    for (let count = 0; ; count += 1) {
      const id = `${kind}-${count}`;
      const { status } = await able(baseUrl, write[kind](id));
      if (status === 200) confirmed[kind].push(id);
      if (kind === "item" && count === 40) started.kill("SIGKILL");
    }
  });
  await Promise.allSettled(writers);
  await expect.poll(() => isAlive(enginePid), { timeout: 20_000 }).toBe(false);

  restarted = await startFixture(directory);
  const { baseUrl: again } = restarted;
  for (const id of confirmed.item.slice(1)) {
    const request = { TableName: "$TABLE_NAME", Key: { pk: { S: id }, sk: { S: "s" } } };
    const { body } = await able(again, { service: "dynamodb", operation: "GetItem", request });
    expect(body).toMatchObject({ Item: { pk: { S: id } } });
  }
  for (const id of confirmed.object.slice(1)) {
    expect(await able(again, { service: "s3", operation: "GET", key: id })).toEqual({
      status: 200,
      body: id,
    });
  }
  const bodies = await restarted.queue("parked");
  for (const id of confirmed.message.slice(1)) expect(bodies).toContain(`"${id}"`);
  expect(confirmed.item.length).toBeGreaterThan(40);
  expect(confirmed.message.length).toBeGreaterThan(3);
});

test("a message in flight at a SIGKILL is visible after the restart, and its receive did not count", {
  tags: "nightly",
}, async () => {
  const directory = temporaryFolder();
  const { process: started, baseUrl } = await startApart(directory);
  const receive = {
    service: "sqs",
    operation: "ReceiveMessage",
    request: {
      QueueUrl: "$PARKED_URL",
      MessageSystemAttributeNames: ["ApproximateReceiveCount"],
    },
  };
  const first = { Messages: [{ Body: "one", Attributes: { ApproximateReceiveCount: "1" } }] };
  await able(baseUrl, write.message("one"));
  expect((await able(baseUrl, receive)).body).toMatchObject(first);
  expect((await able(baseUrl, receive)).body).toEqual({});
  started.kill("SIGKILL");
  await once(started, "exit");
  restarted = await startFixture(directory);
  expect((await able(restarted.baseUrl, receive)).body).toMatchObject(first);
});

test("a full disk for the logs fails no function", { tags: "nightly" }, async () => {
  const directory = temporaryFolder();
  mkdirSync(join(directory, "data/logs"), { recursive: true });
  symlinkSync("/dev/full", join(directory, "data/logs/slowest.log"));
  restarted = await startFixture(directory);
  const response = await restarted.post("/slowest", { log: "a line", wait: 200 });
  expect([response.status, await response.text()]).toEqual([200, "done"]);
  expect(restarted.printed.join("\n")).not.toContain("crashed");
});

test("a damaged issuer key is reported at the start, with advice", {
  tags: "nightly",
}, async () => {
  const directory = temporaryFolder();
  const file = openDataFolder(join(directory, "data")).issuerKey;
  writeFileSync(file, '{"kty":"EC","crv":"P-2');
  const failure = await startFixture(directory).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(StopError);
  expect(String(failure)).toMatch(/issuer-key\.json is damaged.*backup, or delete it/);
  expect(readFileSync(file, "utf8")).toBe('{"kty":"EC","crv":"P-2');
});

test("a second start on a data folder fails and names the first process, until that has exited", {
  tags: "nightly",
}, async () => {
  const directory = temporaryFolder();
  const { process: started } = await startApart(directory);
  const folder = openDataFolder(join(directory, "data"));
  expect(() => lockDataFolder(folder)).toThrow(`in use by process ${started.pid}.`);
  started.kill("SIGKILL");
  await once(started, "exit");
  lockDataFolder(folder).release();
  expect(existsSync(join(directory, "data/lock.pid"))).toBe(false);
});

test("a stop completes requests in progress and accepts no new ones", {
  tags: "nightly",
}, async () => {
  const { stack, baseUrl, post, directory } = await startFixture();
  await post("/slowest", {});
  const inFlight = post("/slowest", { wait: 2_000 });
  await expect.poll(() => stack.inFlight()).toBe(1);
  await stack.close();
  expect(await (await inFlight).text()).toBe("done");
  await expect(fetch(baseUrl)).rejects.toThrow();
  expect(existsSync(join(directory, "data/dynoxide.pid"))).toBe(false);
});

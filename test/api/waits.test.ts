import { afterAll, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { call, newOrganization } from "../harness/api.ts";
import { startToolApi } from "../harness/tool-api.ts";
import { deployCaller } from "../suites/prepare-callback.ts";

const Executed = z.object({ executionId: z.string(), status: z.string() });
const Recorded = z.looseObject({ status: z.string(), output: z.unknown() });

describe("an agent that waits", () => {
  let own: Awaited<ReturnType<typeof newOrganization>>;
  let api: Awaited<ReturnType<typeof startToolApi>>;
  beforeAll(async () => {
    api = await startToolApi();
    own = await newOrganization();
  });
  afterAll(() => api.close());

  const execute = async (agentId: string, input: object = {}) =>
    Executed.parse((await own.try("POST", `/agents/${agentId}:execute`, { body: { input } })).body);
  const read = async (agentId: string, id: string) =>
    Recorded.parse((await own.send("GET", `/agents/${agentId}/execution-records/${id}`)).body);
  const readOutput = async (agentId: string, id: string) => {
    const ended = async () => (await read(agentId, id)).status;
    await expect.poll(ended, { timeout: 30_000 }).toBe("Succeeded");
    return (await read(agentId, id)).output;
  };

  test("for a callback continues with the body that a tool posts to the address, once", async () => {
    await deployCaller(own, api.url);
    const { executionId, status } = await execute("caller");
    expect(status).toBe("Waiting");
    const address = api.requests.at(-1)?.body ?? "";
    const { pathname } = new URL(address);
    const trace = await own.send("GET", `/agents/caller/execution-records/${executionId}/trace`);
    expect(trace.text).not.toContain(pathname.split("/").at(-1));
    expect((await call("POST", `${pathname}x`, { body: 1 })).status).toBe(404);
    const large = { text: "x".repeat(262_144) };
    expect((await call("POST", pathname, { body: large })).status).toBe(413);
    expect((await call("POST", pathname, { body: { paid: true } })).status).toBe(204);
    expect((await call("POST", pathname, { body: { paid: true } })).status).toBe(409);
    expect(await readOutput("caller", executionId)).toEqual({ paid: true });
  });
});

import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { PutCommand } from "@aws-sdk/lib-dynamodb";
import { expect, inject, test } from "vitest";
import { noCost, noTokens } from "../../lib/engine/models/sums.ts";
import { agentPartition } from "../../lib/platform/db/keys.ts";
import { TenantId } from "../../lib/platform/db/tenant-id.ts";
import { newOrganization } from "../harness/api.ts";
import { tableOfStack } from "../harness/stack-table.ts";

const run = promisify(execFile);

test("npm run migrate moves the usage of earlier versions to GET /usage; again, there is nothing to do", async () => {
  const own = await newOrganization();
  await own.send("POST", "/agents", { id: "a", displayName: "a" });
  const db = tableOfStack();
  const counts = { executionCount: 3, ...noTokens, inputTokens: 30, ...noCost, totalCost: 0.3 };
  const put = (sk: string, names: object) => {
    const pk = agentPartition(TenantId.parse(own.tenantId), "a");
    const Item = { pk, sk, ...counts, ...names };
    return db.client.send(new PutCommand({ TableName: db.table, Item }));
  };
  await put("USAGE#0000000001###5", {});
  await put("USAGE#0000000001#p#m#5", { providerId: "p", modelId: "m" });
  const migrate = async (...args: string[]) => {
    const env = { PATH: process.env.PATH, WHARF_DATA_DIR: inject("stack").dataDir };
    const command = ["infra/migrate.ts", "--local", ...args];
    return (await run(process.execPath, command, { env })).stdout;
  };
  expect(await migrate()).toContain(`${own.tenantId}/a: revision 1: 2 counters moved to 1 days`);
  const today = new Date().toISOString().slice(0, 10);
  const usage = await own.send("GET", `/usage?from=${today}&to=${today}`);
  expect(usage.body).toMatchObject({
    items: [{ date: today, key: "a", executionCount: 3, inputTokens: 30, totalCost: 0.3 }],
  });
  expect(await migrate("--tenant", own.tenantId)).toContain("nothing to do");
});

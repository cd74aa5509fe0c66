import { expect, test } from "vitest";
import * as z from "zod";
import { dataFolderPaths } from "../../infra/local/data-folder.ts";
import { startupMessage } from "../../infra/local/startup-message.ts";
import { findPreset } from "../../lib/platform/auth/scopes.ts";

const localJson = {
  baseUrl: "http://127.0.0.1:8787",
  organizationId: "local",
  tenantId: "01a1fb9e-ab6b-7c66-81d8-d0100f04b623",
  tenantSlug: "demo",
  userToken: "token",
  apiKey: "wharf_live_1",
  agentId: "hello",
  pid: 1,
};

test("the message suggests a user token with a role that may create, test, deploy and run agents", () => {
  const { baseUrl } = localJson;
  const message = startupMessage({ baseUrl, folder: dataFolderPaths(undefined), localJson }, 1_000);
  const role = z.string().parse(/npm run --silent token -- --role (\S+)/.exec(message)?.[1]);
  expect(findPreset(role)).toEqual(
    expect.arrayContaining([
      ...["agents:write", "revisions:write", "revisions:deploy", "agents:test", "agents:execute"],
    ]),
  );
});

test("the first line of the message is the address of the console", () => {
  const { baseUrl } = localJson;
  const message = startupMessage({ baseUrl, folder: dataFolderPaths(undefined), localJson }, 1_000);
  expect(message.split("\n")[0]).toBe("Console: http://127.0.0.1:8787/console/");
});

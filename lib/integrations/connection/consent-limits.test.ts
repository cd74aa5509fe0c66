import { createServer } from "node:http";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { browserSession } from "../../../test/harness/browser-session.ts";
import { connectable } from "../../../test/harness/connections.ts";
import { startIssuer } from "../../../test/harness/issuer.ts";
import { listen } from "../../../test/harness/listen.ts";
import { type TestDatabase, testDatabase } from "../../../test/harness/table.ts";
import { UpstreamError } from "../../platform/outgoing/upstream-error.ts";
import { beginConsent } from "./begin-consent.ts";
import { verifyConnectionLink } from "./connection-link.ts";
import { finishConsent } from "./finish-consent.ts";

let db: TestDatabase;
let issuer: Awaited<ReturnType<typeof startIssuer>>;
beforeAll(async () => {
  db = await testDatabase();
  issuer = await startIssuer(["http://localhost/v1/oauth/callback"]);
});
afterAll(() => issuer.close());

test("a consent that comes back while all slots are taken keeps its state, and is finished with a slot", async () => {
  const { ctx, deps, create, begin, close } = await connectable(db, issuer);
  const { url, cookie } = await begin((await create()).authorizeUrl ?? "");
  const callback = await browserSession().follow(url, ctx.baseUrl);
  const request = {
    parameters: new URL(callback).searchParams,
    cookie: (name: string) => (name === cookie.name ? cookie.value : undefined),
    baseUrl: ctx.baseUrl,
  };
  const takeNone = vi.fn(async () => undefined);
  const busy = await finishConsent({ ...deps, takeSlot: takeNone }, request);
  expect(busy).toEqual({ outcome: "busy" });
  expect(takeNone).toHaveBeenCalledExactlyOnceWith(ctx.tenant.id);
  const release = vi.fn(async () => {});
  const ended = await finishConsent({ ...deps, takeSlot: async () => ({ release }) }, request);
  expect(ended).toEqual({ outcome: "connected" });
  expect(release).toHaveBeenCalledOnce();
  await close();
});

test("a consent in another browser takes no slot", async () => {
  const { ctx, deps, create, begin, close } = await connectable(db, issuer);
  const { url } = await begin((await create()).authorizeUrl ?? "");
  const callback = await browserSession().follow(url, ctx.baseUrl);
  const parameters = new URL(callback).searchParams;
  const takeSlot = vi.fn(async () => undefined);
  const request = { parameters, cookie: () => undefined, baseUrl: ctx.baseUrl };
  expect(await finishConsent({ ...deps, takeSlot }, request)).toEqual({ outcome: "other-browser" });
  expect(takeSlot).not.toHaveBeenCalled();
  await close();
});

test("a consent does not begin where discovery takes longer than two responses may", async () => {
  const failing = await listen(createServer((_, response) => response.writeHead(500).end()));
  const auth = { authorizationUrl: undefined, tokenUrl: undefined, issuer: failing.url };
  const { ctx, deps, create, close } = await connectable(db, issuer, auth, undefined, 200);
  const token = (await create()).authorizeUrl?.split("/").at(-1) ?? "";
  const link = await verifyConnectionLink(deps, { tenant: ctx.tenant, token });
  // The pause before the next attempt ends with the time of all attempts.
  const sleep = (_: number, signal: AbortSignal) =>
    new Promise<void>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  const begun = beginConsent({ ...deps, sleep }, { link, baseUrl: ctx.baseUrl });
  await expect(begun).rejects.toThrow(UpstreamError);
  await Promise.all([close(), failing.close()]);
});

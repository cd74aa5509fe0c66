import { answerCallback, verifyCallback } from "../../lib/executions/wait/end-wait.ts";
import { database } from "../../lib/platform/db/database.ts";
import { objectStore } from "../../lib/platform/db/object-store.ts";
import { kmsSealer } from "../../lib/platform/db/seal.ts";
import { send } from "../../lib/platform/queue/send.ts";
import { systemRuntime } from "../../lib/platform/runtime/runtime.ts";
import { signedEndpoint } from "../deps/signed-endpoint.ts";
import * as rows from "./routes.ts";

export const handler = signedEndpoint(
  rows.receiveCallback,
  ({ tenant, signed }) =>
    verifyCallback({ db: database(), sealer: kmsSealer() }, { tenantId: tenant.id, token: signed }),
  async ({ signed, body }) => {
    const deps = { db: database(), objects: objectStore(), runtime: systemRuntime, send };
    await answerCallback(deps, { callback: signed, answer: body });
    return undefined;
  },
);

import { createPrivateKey, createPublicKey, randomUUID, sign } from "node:crypto";
import {
  formatUnixSeconds,
  jsonRequest,
  type WebhookSample,
  withHeaders,
} from "../webhook-sample.ts";

/** Prefix of the 32 bytes of an Ed25519 private key (RFC 8410). */
const pkcs8Head = Buffer.from("302e020100300506032b657004220420", "hex");

const toPrivateKey = (seed: string) =>
  createPrivateKey({
    key: Buffer.concat([pkcs8Head, Buffer.from(seed, "hex")]),
    format: "der",
    type: "pkcs8",
  });

/** Samples of Discord. The key is the 32 bytes of a private key in hex, the secret its public key. */
export const sample: WebhookSample = {
  signature: { header: "x-signature-ed25519", windowSeconds: 300 },
  events: {
    APPLICATION_COMMAND: () =>
      jsonRequest({
        id: randomUUID(),
        type: 2,
        token: "an-interaction-token",
        application_id: "1",
        data: { id: "2", name: "hello", type: 1 },
      }),
    APPLICATION_AUTHORIZED: (now) =>
      jsonRequest({
        version: 1,
        type: 1,
        application_id: "1",
        event: {
          type: "APPLICATION_AUTHORIZED",
          timestamp: new Date(now).toISOString(),
          data: { user: { id: "7", username: "ada" } },
        },
      }),
    PING: () => jsonRequest({ id: randomUUID(), type: 1, token: "t", application_id: "1" }),
  },
  newKey: (randomBytes) => Buffer.from(randomBytes(32)).toString("hex"),
  toSigningSecret: (seed) => {
    const { x = "" } = createPublicKey(toPrivateKey(seed)).export({ format: "jwk" });
    return Buffer.from(x, "base64url").toString("hex");
  },
  sign: (request, seed, now) => {
    const signed = Buffer.concat([Buffer.from(formatUnixSeconds(now)), Buffer.from(request.body)]);
    return withHeaders(request, {
      "x-signature-timestamp": formatUnixSeconds(now),
      "x-signature-ed25519": sign(null, signed, toPrivateKey(seed)).toString("hex"),
    });
  },
};

import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type * as Sdk from "@aws-sdk/client-kms";
import * as z from "zod";
import { awsRetries } from "../runtime/aws-retry.ts";
import { sealKeyId } from "../runtime/env.ts";
import { once } from "../runtime/once.ts";
import { Bytes } from "./bytes.ts";

/** A JSON value encrypted with its own data key, which is encrypted with the seal key. */
export const SealedValue = z.object({
  dataKey: Bytes,
  nonce: Bytes,
  tag: Bytes,
  ciphertext: Bytes,
});
export type SealedValue = z.output<typeof SealedValue>;

/** Encryption context: a sealed value opens only with the context that it was sealed with. */
export type SealContext = Record<string, string>;

/** Encrypts and decrypts secrets at rest. */
export type Sealer = {
  seal: (value: unknown, context: SealContext) => Promise<SealedValue>;
  open: (sealed: SealedValue, context: SealContext) => Promise<unknown>;
};

type Kms = { sdk: typeof Sdk; client: Sdk.KMSClient };

const ownKms = once(async (): Promise<Kms> => {
  const sdk = await import("@aws-sdk/client-kms");
  return { sdk, client: new sdk.KMSClient({ retryStrategy: awsRetries() }) };
});

/** Envelope encryption with the function's seal key. */
export const kmsSealer = (): Sealer => createSealer(ownKms, sealKeyId);

/** Envelope encryption: AES-256-GCM with data keys of a key in KMS. */
export const createSealer = (kms: () => Promise<Kms>, sealKeyId: () => string): Sealer => ({
  seal: async (value, EncryptionContext) => {
    const { sdk, client } = await kms();
    const { Plaintext, CiphertextBlob } = await client.send(
      new sdk.GenerateDataKeyCommand({ KeyId: sealKeyId(), KeySpec: "AES_256", EncryptionContext }),
    );
    if (!Plaintext || !CiphertextBlob) throw new Error("KMS responded without a data key");
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", Plaintext, nonce);
    const ciphertext = Buffer.concat([
      cipher.update(JSON.stringify(value), "utf8"),
      cipher.final(),
    ]);
    return { dataKey: CiphertextBlob, nonce, tag: cipher.getAuthTag(), ciphertext };
  },
  open: async ({ dataKey, nonce, tag, ciphertext }, EncryptionContext) => {
    const { sdk, client } = await kms();
    const { Plaintext } = await client.send(
      new sdk.DecryptCommand({ CiphertextBlob: dataKey, KeyId: sealKeyId(), EncryptionContext }),
    );
    if (!Plaintext) throw new Error("KMS responded without a data key");
    const decipher = createDecipheriv("aes-256-gcm", Plaintext, nonce).setAuthTag(tag);
    const json = Buffer.concat([decipher.update(ciphertext), decipher.final()]).toString("utf8");
    return JSON.parse(json);
  },
});

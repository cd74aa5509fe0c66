import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import * as z from "zod";
import type { Guard } from "../access/guard.ts";
import { sendError, sendJson } from "../access/service-response.ts";
import { writePrivateFile } from "../private-file.ts";
import type { LocalKey } from "../template/storage.ts";

const Context = z.record(z.string(), z.string()).default({});
const Encrypt = z.object({ KeyId: z.string(), Plaintext: z.string(), EncryptionContext: Context });
const Decrypt = z.object({
  KeyId: z.string().optional(),
  CiphertextBlob: z.string(),
  EncryptionContext: Context,
});
const GenerateDataKey = z.object({
  KeyId: z.string(),
  KeySpec: z.enum(["AES_256", "AES_128"]).optional(),
  NumberOfBytes: z.int().min(1).max(1024).optional(),
  EncryptionContext: Context,
});
const Materials = z.record(z.string(), z.string());

/** Handles a KMS request. */
export type KmsEndpoint = (
  caller: string,
  operation: string,
  body: Buffer,
  response: ServerResponse,
) => void;

class KmsFault extends Error {
  override name = "KmsFault";
  readonly type: string;
  constructor(type: string, message: string) {
    super(message);
    this.type = type;
  }
}

/**
 * Creates the KMS endpoint: AES-256-GCM with the encryption context as additional data. Key material is created
 * once and stored in `file` (mode 0600); ciphertexts cannot be decrypted without it.
 */
export const createKmsEndpoint = (
  keys: readonly LocalKey[],
  file: string,
  guard: Guard,
): KmsEndpoint => {
  const materials = loadMaterials(keys, file);

  const requireKey = (idOrArn: string): LocalKey => {
    const id = idOrArn.split("/").at(-1);
    const key = keys.find((candidate) => candidate.id === id);
    if (!key) throw new KmsFault("NotFoundException", `Key '${idOrArn}' does not exist`);
    return key;
  };
  const readKeyMaterial = (key: LocalKey): Buffer => Buffer.from(materials[key.id] ?? "", "base64");

  const authorize = (
    caller: string,
    action: string,
    key: LocalKey,
    context: Record<string, string>,
  ): void => {
    const values = () =>
      new Map(
        Object.entries(context).map(([name, value]) => [`kms:EncryptionContext:${name}`, [value]]),
      );
    const refusal = guard(caller, [
      { action: `kms:${action}`, resource: key.arn, context: values },
    ]);
    if (refusal !== undefined) throw new KmsFault("AccessDeniedException", refusal);
  };

  const operations: Record<string, (caller: string, body: unknown) => Record<string, string>> = {
    Encrypt: (caller, body) => {
      const request = Encrypt.parse(body);
      const key = requireKey(request.KeyId);
      authorize(caller, "Encrypt", key, request.EncryptionContext);
      const plaintext = Buffer.from(request.Plaintext, "base64");
      const blob = lock(key, readKeyMaterial(key), plaintext, request.EncryptionContext);
      return {
        KeyId: key.arn,
        CiphertextBlob: blob.toString("base64"),
        EncryptionAlgorithm: "SYMMETRIC_DEFAULT",
      };
    },
    GenerateDataKey: (caller, body) => {
      const request = GenerateDataKey.parse(body);
      const key = requireKey(request.KeyId);
      authorize(caller, "GenerateDataKey", key, request.EncryptionContext);
      const plaintext = randomBytes(
        request.NumberOfBytes ?? (request.KeySpec === "AES_128" ? 16 : 32),
      );
      const blob = lock(key, readKeyMaterial(key), plaintext, request.EncryptionContext);
      return {
        KeyId: key.arn,
        Plaintext: plaintext.toString("base64"),
        CiphertextBlob: blob.toString("base64"),
      };
    },
    Decrypt: (caller, body) => {
      const request = Decrypt.parse(body);
      const blob = Buffer.from(request.CiphertextBlob, "base64");
      const key = keys.find(
        (candidate) => candidate.id === blob.subarray(0, idLength).toString("latin1"),
      );
      if (!key) throw new KmsFault("InvalidCiphertextException", "");
      if (request.KeyId !== undefined && requireKey(request.KeyId) !== key) {
        throw new KmsFault(
          "IncorrectKeyException",
          "The ciphertext was encrypted under another key",
        );
      }
      authorize(caller, "Decrypt", key, request.EncryptionContext);
      const plaintext = unlock(readKeyMaterial(key), blob, request.EncryptionContext);
      return {
        KeyId: key.arn,
        Plaintext: plaintext.toString("base64"),
        EncryptionAlgorithm: "SYMMETRIC_DEFAULT",
      };
    },
  };

  return (caller, operation, body, response) => {
    try {
      const run = operations[operation];
      if (!run) throw new KmsFault("UnknownOperationException", `${operation} is not supported`);
      sendJson(response, 200, run(caller, JSON.parse(body.toString("utf8"))));
    } catch (error) {
      if (error instanceof KmsFault) sendError(response, error.type, error.message);
      else sendError(response, "ValidationException", "Validation failed");
    }
  };
};

const idLength = 36;
const nonceLength = 12;
const tagLength = 16;

const additionalData = (context: Record<string, string>): Buffer =>
  Buffer.from(JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))));

const lock = (
  key: LocalKey,
  material: Buffer,
  plaintext: Buffer,
  context: Record<string, string>,
): Buffer => {
  const nonce = randomBytes(nonceLength);
  const cipher = createCipheriv("aes-256-gcm", material, nonce).setAAD(additionalData(context));
  const sealed = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([Buffer.from(key.id, "latin1"), nonce, cipher.getAuthTag(), sealed]);
};

const unlock = (material: Buffer, blob: Buffer, context: Record<string, string>): Buffer => {
  const nonce = blob.subarray(idLength, idLength + nonceLength);
  const tag = blob.subarray(idLength + nonceLength, idLength + nonceLength + tagLength);
  try {
    const decipher = createDecipheriv("aes-256-gcm", material, nonce);
    decipher.setAuthTag(tag).setAAD(additionalData(context));
    const sealed = blob.subarray(idLength + nonceLength + tagLength);
    return Buffer.concat([decipher.update(sealed), decipher.final()]);
  } catch {
    throw new KmsFault("InvalidCiphertextException", "");
  }
};

const loadMaterials = (keys: readonly LocalKey[], file: string): Record<string, string> => {
  const stored = existsSync(file) ? Materials.parse(JSON.parse(readFileSync(file, "utf8"))) : {};
  const missing = keys.filter((key) => stored[key.id] === undefined);
  if (missing.length === 0) return stored;
  const created = Object.fromEntries(
    missing.map((key) => [key.id, randomBytes(32).toString("base64")]),
  );
  const materials = { ...stored, ...created };
  writePrivateFile(file, JSON.stringify(materials));
  return materials;
};

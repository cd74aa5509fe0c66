import type { Key } from "../db/keys.ts";

export const apiKeyKey = (organizationId: string, keyId: string): Key => ({
  pk: `ORG#${organizationId}`,
  sk: `KEY#${keyId}`,
});

export const keyHashKey = (sha256: string): Key => ({ pk: `KEYHASH#${sha256}`, sk: "KEYHASH" });

export const userRateKey = (organizationId: string, userId: string): Key => ({
  pk: `RATE#USER#${organizationId}#${userId}`,
  sk: "RATE",
});

export const webhookRateKey = (webhookId: string): Key => ({
  pk: `RATE#WEBHOOK#${webhookId}`,
  sk: "RATE",
});

export const addressRateKey = (address: string): Key => ({
  pk: `RATE#ADDRESS#${address}`,
  sk: "RATE",
});

/** Counts failed calls of an IP address to one webhook. */
export const senderRateKey = (sender: { address: string; webhookId: string }): Key => ({
  pk: `RATE#ADDRESS#${sender.address}#WEBHOOK#${sender.webhookId}`,
  sk: "RATE",
});

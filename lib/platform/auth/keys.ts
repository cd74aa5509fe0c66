import type { Key } from "../db/keys.ts";

export const userRateKey = (organizationId: string, userId: string): Key => ({
  pk: `RATE#USER#${organizationId}#${userId}`,
  sk: "RATE",
});

/** Users by a verified address; in the partitions that functions which authenticate may update. */
export const addressUsersKey = (organizationId: string, address: string): Key => ({
  pk: `RATE#EMAIL#${organizationId}#${address}`,
  sk: "USERS",
});

export const webhookRateKey = (webhookId: string): Key => ({
  pk: `RATE#WEBHOOK#${webhookId}`,
  sk: "RATE",
});

export const addressRateKey = (address: string): Key => ({
  pk: `RATE#ADDRESS#${address}`,
  sk: "RATE",
});

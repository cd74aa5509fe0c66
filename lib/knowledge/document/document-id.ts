import { createHash } from "node:crypto";

/** Returns the id of the document that a source knows by a key, or an upload by its name. */
export const deriveDocumentId = (key: string): string =>
  createHash("sha256").update(key).digest("base64url").slice(0, 22);

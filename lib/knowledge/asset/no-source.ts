import { conflict, type Problem } from "../../platform/http/problems.ts";

/** Creates the 409 for an asset that only revisions name, so that it cannot be changed or synchronized. */
export const noSource = (assetId: string): Problem =>
  conflict(`The asset "${assetId}" has no source. Create it with a type first.`);

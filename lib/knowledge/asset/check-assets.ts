import type { ValidationIssue } from "../../platform/http/problems.ts";
import type { RevisionAsset } from "./schemas.ts";

/**
 * Size limits of an asset in bytes of UTF-8. The id is a sort key
 * (docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html); a page of 200 assets must fit in a
 * function's response.
 */
export const assetBounds = { idBytes: 1_024, assetBytes: 8_192 } as const;

/** Returns the problems of a revision's assets, with pointers such as `/0/id`. */
export const checkAssets = (assets: readonly RevisionAsset[]): ValidationIssue[] =>
  assets.flatMap((asset, at) => {
    if (Buffer.byteLength(asset.id) > assetBounds.idBytes) {
      return [{ pointer: `/${at}/id`, detail: `must have at most ${assetBounds.idBytes} bytes` }];
    }
    return Buffer.byteLength(JSON.stringify(asset)) > assetBounds.assetBytes
      ? [{ pointer: `/${at}`, detail: `must have at most ${assetBounds.assetBytes} bytes of JSON` }]
      : [];
  });

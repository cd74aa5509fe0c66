import type { InvalidPlace } from "../../platform/http/problems.ts";
import type { RevisionAsset } from "./schemas.ts";

/**
 * How large an asset may be, in bytes of UTF-8: its id as large as a sort key
 * (docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html), and its JSON such that the
 * largest page of assets (200) fits in a function's answer.
 */
export const bounds = { idBytes: 1_024, assetBytes: 8_192 } as const;

/** What is wrong with the assets of a revision, with pointers such as `/0/id`. */
export const checkAssets = (assets: readonly RevisionAsset[]): InvalidPlace[] =>
  assets.flatMap((asset, at) => {
    if (Buffer.byteLength(asset.id) > bounds.idBytes) {
      return [{ pointer: `/${at}/id`, detail: `must have at most ${bounds.idBytes} bytes` }];
    }
    return Buffer.byteLength(JSON.stringify(asset)) > bounds.assetBytes
      ? [{ pointer: `/${at}`, detail: `must have at most ${bounds.assetBytes} bytes of JSON` }]
      : [];
  });

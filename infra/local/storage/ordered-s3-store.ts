import { S3Store } from "../../../node_modules/fauxqs/dist/s3/s3Store.js";

/**
 * Lists the buckets of fauxqs in the order of the keys' code units. fauxqs itself sorts the keys by the rules of a language and
 * continues a list by their code units, so that a page may repeat or skip keys. S3 sorts by UTF-8 bytes, which is the same
 * order for all keys of the product.
 */
export class OrderedS3Store extends S3Store {
  override listObjects(...[bucket, options = {}]: Parameters<S3Store["listObjects"]>) {
    const { delimiter, maxKeys = 1_000, prefix = "" } = options;
    // Nothing in the product lists by folders.
    if (delimiter) return super.listObjects(bucket, options);
    const after = options.startAfter ?? options.marker ?? "";
    const all = super.listObjects(bucket, { prefix, maxKeys: Number.POSITIVE_INFINITY });
    const left = all.objects
      .filter(({ key }) => key > after)
      .sort((one, other) => (one.key < other.key ? -1 : 1));
    return { ...all, objects: left.slice(0, maxKeys), isTruncated: left.length > maxKeys };
  }
}

import fc from "fast-check";
import { expect, test } from "vitest";
import { OrderedS3Store } from "../../infra/local/storage/ordered-s3-store.ts";

test("pages of a list of objects have each key once, in the order of bytes", () => {
  const key = fc.stringMatching(/^[a-zA-Z0-9_#/-]{1,6}$/);
  fc.assert(
    fc.property(
      fc.uniqueArray(key, { maxLength: 20 }),
      fc.integer({ min: 1, max: 4 }),
      (keys, maxKeys) => {
        const store = new OrderedS3Store();
        store.createBucket("bucket");
        for (const name of keys)
          store.putObject("bucket", `p/${name}`, Buffer.from(""), "text/plain");
        store.putObject("bucket", "q", Buffer.from(""), "text/plain");
        const listed: string[] = [];
        for (let startAfter: string | undefined; ; startAfter = listed.at(-1)) {
          const page = store.listObjects("bucket", { prefix: "p/", maxKeys, startAfter });
          listed.push(...page.objects.map((object) => object.key));
          if (!page.isTruncated) break;
        }
        expect(listed).toEqual(keys.map((name) => `p/${name}`).sort());
      },
    ),
  );
});

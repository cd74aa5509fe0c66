import { expect, test } from "vitest";
import * as z from "zod";
import { type Classified, findFamily, type Item } from "../../infra/tenant/classify.ts";
import { newSecretsForm, openSecretsBox } from "../../infra/tenant/secrets.ts";
import type { Sealer } from "../../lib/platform/db/seal.ts";

const tenant = "0193f0a0-7c4b-7000-8000-00000000000a";
const cost = 2 ** 10;
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

/** A sealer. Its sealed values have its name, and open only with their context. */
const fakeSealer = (name: string): Sealer => ({
  seal: async (value, context) => ({
    dataKey: bytes(name),
    nonce: bytes(JSON.stringify(context)),
    tag: bytes("tag"),
    ciphertext: bytes(JSON.stringify(value)),
  }),
  open: async ({ dataKey, nonce, ciphertext }, context) => {
    expect(String(Buffer.from(dataKey))).toBe(name);
    expect(JSON.parse(String(Buffer.from(nonce)))).toEqual(context);
    return JSON.parse(String(Buffer.from(ciphertext)));
  },
});

const [source, target] = [fakeSealer("source"), fakeSealer("target")];

const findClassified = (pk: string, sk: string): Classified => {
  const found = findFamily(pk, sk);
  if (!found) throw new Error(`${pk} is of no family`);
  return { ...found, owner: "tenant" };
};

const provider = findClassified(`TENANT#${tenant}`, "PROVIDER#ours");
const context = { tenantId: tenant, providerId: "ours" };

const sealedItem = async (value: unknown, sealedWith: Record<string, string> = context) => {
  const members = Object.entries(await source.seal(value, sealedWith));
  return { key: { M: Object.fromEntries(members.map(([name, bytes]) => [name, { B: bytes }])) } };
};

const SealedItem = z.object({
  key: z.object({ M: z.record(z.string(), z.object({ B: z.instanceof(Uint8Array) })) }),
});

const openItem = async (item: Item, sealedWith: Record<string, string> = context) => {
  const { dataKey, nonce, tag, ciphertext } = SealedItem.parse(item).key.M;
  const empty = new Uint8Array();
  const sealed = {
    dataKey: dataKey?.B ?? empty,
    nonce: nonce?.B ?? empty,
    tag: tag?.B ?? empty,
    ciphertext: ciphertext?.B ?? empty,
  };
  return target.open(sealed, sealedWith);
};

test("a secret goes from one key to another through a passphrase, and is in no file in clear", async () => {
  const form = await newSecretsForm("the passphrase", cost);
  const from = await openSecretsBox(source, form, "the passphrase");
  const { item, packed } = await from.pack(await sealedItem("the-secret"), provider);
  expect(packed).toBe(1);
  const [encrypted] = Object.values(item).map(({ M }) => M?.encrypted?.B ?? new Uint8Array());
  expect(String(Buffer.from(encrypted ?? ""))).not.toContain("the-secret");
  const to = await openSecretsBox(target, form, "the passphrase");
  expect(await openItem(await to.unpack(item, provider))).toBe("the-secret");
});

test("a secret opens with the passphrase of its export, for its own resource only", async () => {
  const form = await newSecretsForm("the passphrase", cost);
  await expect(openSecretsBox(target, form, "another one")).rejects.toThrow(
    "not that of the export",
  );
  await expect(openSecretsBox(target, form, undefined)).rejects.toThrow("--passphrase-file");
  const box = await openSecretsBox(source, form, "the passphrase");
  const { item } = await box.pack(await sealedItem("the-secret"), provider);
  const other = findClassified(`TENANT#${tenant}`, "PROVIDER#theirs");
  await expect(box.unpack(item, other)).rejects.toThrow();
});

test("a secret of a family without an encryption context stops the export", async () => {
  const box = await openSecretsBox(
    source,
    await newSecretsForm("the passphrase", cost),
    "the passphrase",
  );
  const skill = findClassified(`TENANT#${tenant}`, "SKILL#travel");
  await expect(box.pack(await sealedItem("the-secret"), skill)).rejects.toThrow('"skills"');
});

test("secrets that are left out become random texts of the same form", async () => {
  const box = await openSecretsBox(source, await newSecretsForm(undefined), undefined);
  const to = await openSecretsBox(target, { form: "omitted" }, undefined);
  const token = JSON.stringify({ botToken: "b" });
  const values = ["a", "whsec_YQ==", token, { "/a/b": "c", n: 1 }];
  const [text, standard, json, members] = await Promise.all(
    values.map(async (value) => {
      const { item } = await box.pack(await sealedItem(value), provider);
      return openItem(await to.unpack(item, provider));
    }),
  );
  const random = /^[A-Za-z0-9+/=]{44}$/;
  expect(text).toMatch(random);
  expect(standard).toMatch(/^whsec_[A-Za-z0-9+/=]{44}$/);
  expect(JSON.parse(String(json))).toEqual({ botToken: expect.stringMatching(random) });
  expect(members).toEqual({ "/a/b": expect.stringMatching(random), n: null });
});

import {
  createCipheriv,
  createDecipheriv,
  randomBytes,
  type ScryptOptions,
  scrypt,
} from "node:crypto";
import type { AttributeValue } from "@aws-sdk/client-dynamodb";
import type { SealContext, SealedValue, Sealer } from "../../lib/platform/db/seal.ts";
import { CommandError } from "../shell/command.ts";
import type { Classified, Item } from "./classify.ts";
import type { SecretsForm } from "./manifest.ts";

/** Number of iterations of scrypt, 128 MB: OWASP's recommendation for passwords. */
const defaultCost = 2 ** 17;
const blockSize = 8;
const knownText = "wharf-tenant";

/** Converts the secrets of items between KMS and an export. */
export type SecretsBox = {
  readonly form: SecretsForm;
  /** Returns an item with its sealed values as an export has them; the item itself where it has none. */
  pack: (item: Item, classified: Classified) => Promise<{ item: Item; packed: number }>;
  /** Returns an item with its values sealed for this installation. */
  unpack: (item: Item, classified: Classified) => Promise<Item>;
};

const deriveKey = (passphrase: string, salt: Uint8Array, cost: number): Promise<Buffer> => {
  const options: ScryptOptions = { N: cost, r: blockSize, p: 1, maxmem: 256 * cost * blockSize };
  return new Promise((resolve, reject) => {
    scrypt(passphrase.normalize("NFC"), salt, 32, options, (error, key) =>
      error ? reject(error) : resolve(key),
    );
  });
};

type Cipher = {
  encrypt: (text: string, context: SealContext) => Uint8Array;
  /** Throws for another key or context. */
  decrypt: (bytes: Uint8Array, context: SealContext) => string;
};

const toAad = (context: SealContext): Buffer =>
  Buffer.from(JSON.stringify(Object.entries(context).sort(([a], [b]) => (a < b ? -1 : 1))));

const createCipher = (key: Uint8Array): Cipher => ({
  encrypt: (text, context) => {
    const nonce = randomBytes(12);
    const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(toAad(context));
    const content = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return new Uint8Array(Buffer.concat([nonce, cipher.getAuthTag(), content]));
  },
  decrypt: (bytes, context) => {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, 12))
      .setAuthTag(bytes.subarray(12, 28))
      .setAAD(toAad(context));
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString("utf8");
  },
});

/** Returns the form of the secrets of a new export: without a passphrase they are left out. */
export const newSecretsForm = async (
  passphrase: string | undefined,
  cost = defaultCost,
): Promise<SecretsForm> => {
  if (passphrase === undefined) return { form: "omitted" };
  const salt = randomBytes(16);
  const cipher = createCipher(await deriveKey(passphrase, salt, cost));
  const check = Buffer.from(cipher.encrypt(knownText, {})).toString("base64");
  return { form: "passphrase", salt: salt.toString("base64"), cost, check };
};

const openCipher = async (
  form: SecretsForm,
  passphrase: string | undefined,
): Promise<Cipher | undefined> => {
  if (form.form === "omitted") return undefined;
  if (passphrase === undefined) {
    throw new CommandError(
      "The secrets of the export are encrypted with a passphrase: set WHARF_EXPORT_PASSPHRASE, or give --passphrase-file.",
    );
  }
  const cipher = createCipher(
    await deriveKey(passphrase, Buffer.from(form.salt, "base64"), form.cost),
  );
  try {
    cipher.decrypt(Buffer.from(form.check, "base64"), {});
  } catch {
    throw new CommandError("The passphrase is not that of the export.");
  }
  return cipher;
};

/** Opens the secrets of an export with the KMS key of an installation. Throws a CommandError for another passphrase. */
export const openSecretsBox = async (
  sealer: Sealer,
  form: SecretsForm,
  passphrase: string | undefined,
): Promise<SecretsBox> => {
  const cipher = await openCipher(form, passphrase);
  const pack = async (sealed: SealedValue, context: SealContext): Promise<AttributeValue> => {
    const value = JSON.stringify(await sealer.open(sealed, context));
    if (cipher) return { M: { encrypted: { B: cipher.encrypt(value, context) } } };
    return { M: { omitted: { S: JSON.stringify(describeForm(JSON.parse(value))) } } };
  };
  const unpack = async (packed: Packed, context: SealContext): Promise<AttributeValue> => {
    const value: unknown =
      "omitted" in packed
        ? fillForm(JSON.parse(packed.omitted))
        : JSON.parse(cipher?.decrypt(packed.encrypted, context) ?? "null");
    const { dataKey, nonce, tag, ciphertext } = await sealer.seal(value, context);
    const members = { dataKey, nonce, tag, ciphertext };
    return {
      M: Object.fromEntries(Object.entries(members).map(([name, bytes]) => [name, { B: bytes }])),
    };
  };
  return {
    form,
    pack: async (item, classified) => {
      let packed = 0;
      const replaced = await replaceMaps(item, async (members) => {
        const sealed = readSealed(members);
        if (!sealed) return undefined;
        packed += 1;
        return pack(sealed, buildContext(classified));
      });
      return { item: replaced, packed };
    },
    unpack: (item, classified) =>
      replaceMaps(item, async (members) => {
        const found = readPacked(members);
        return found && unpack(found, buildContext(classified));
      }),
  };
};

type Members = Record<string, AttributeValue>;
type Packed = { encrypted: Uint8Array } | { omitted: string };

const readSealed = ({ dataKey, nonce, tag, ciphertext }: Members): SealedValue | undefined =>
  dataKey?.B && nonce?.B && tag?.B && ciphertext?.B
    ? { dataKey: dataKey.B, nonce: nonce.B, tag: tag.B, ciphertext: ciphertext.B }
    : undefined;

const readPacked = (members: Members): Packed | undefined => {
  if (Object.keys(members).length !== 1) return undefined;
  const { encrypted, omitted } = members;
  if (encrypted?.B) return { encrypted: encrypted.B };
  return omitted?.S === undefined ? undefined : { omitted: omitted.S };
};

/** Returns the encryption context of a family's sealed values. Throws for a family that declares none. */
const buildContext = ({ family, parts }: Classified): SealContext => {
  if (!family.seal) throw new Error(`the family "${family.name}" has a secret and no context`);
  return Object.fromEntries(
    Object.entries(family.seal).map(([name, text]) => [
      name,
      text.replaceAll(/\{(\w+)\}/g, (_, part: string) => parts[part] ?? ""),
    ]),
  );
};

const replaceMaps = async (
  item: Item,
  replace: (members: Members) => Promise<AttributeValue | undefined>,
): Promise<Item> => {
  const visit = async (value: AttributeValue): Promise<AttributeValue> => {
    if (value.L) return { L: await Promise.all(value.L.map(visit)) };
    if (!value.M) return value;
    return (await replace(value.M)) ?? { M: await visitAll(value.M) };
  };
  const visitAll = async (members: Members): Promise<Members> =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(members).map(async ([name, value]) => [name, await visit(value)] as const),
      ),
    );
  return visitAll(item);
};

/** Prefixes of generated secrets, which their readers require. */
const standardPrefix = "whsec_";

type Form = string | Form[] | { [name: string]: Form } | null;

/** Returns the form of a secret without its texts: connectors store theirs as JSON in a text. */
const describeForm = (value: unknown): Form => {
  if (typeof value === "string") {
    const parsed = readJsonObject(value);
    if (parsed) return { json: describeForm(parsed) };
    return value.startsWith(standardPrefix) ? standardPrefix : "";
  }
  if (Array.isArray(value)) return value.map(describeForm);
  if (!(value instanceof Object)) return null;
  return {
    members: Object.fromEntries(
      Object.entries(value).map(([name, member]) => [name, describeForm(member)]),
    ),
  };
};

const readJsonObject = (text: string): object | undefined => {
  if (!text.startsWith("{")) return undefined;
  try {
    const parsed: unknown = JSON.parse(text);
    return parsed instanceof Object ? parsed : undefined;
  } catch {
    return undefined;
  }
};

/** Returns a value of a form with random texts, which are unguessable: an empty signing secret would open a webhook. */
const fillForm = (form: Form): unknown => {
  if (typeof form === "string") return `${form}${randomBytes(32).toString("base64")}`;
  if (Array.isArray(form)) return form.map(fillForm);
  if (form === null) return null;
  const { json, members } = form;
  if (json !== undefined) return JSON.stringify(fillForm(json));
  return Object.fromEntries(
    Object.entries(members instanceof Object ? members : {}).map(([name, member]) => [
      name,
      fillForm(member),
    ]),
  );
};

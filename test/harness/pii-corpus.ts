import { type PiiKind, piiKinds } from "../../lib/engine/guardrails/schemas.ts";

/** A text, and the kind of personal data that it has; null for none. */
export type PiiSample = { readonly text: string; readonly kind: PiiKind | null };

/** Returns pseudo-random whole numbers below a limit, the same in every run. */
const createRandom = (seed: number) => {
  let state = seed;
  return (limit: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
};

const letters = "abcdefghijklmnopqrstuvwxyz";
const mixed = `${letters}${letters.toUpperCase()}0123456789`;
const names = ["ada", "grace.hopper", "m_curie", "o'neill", "li+news", "j-doe"];
const domains = ["example.com", "mail.example.co.uk", "firma.example.de", "x.example.io"];
const frames = [
  (value: string) => `Please use ${value} from now on.`,
  (value: string) => `(${value})`,
  (value: string) => `${value}, thank you`,
  (value: string) => `{"note":"${value}"}`,
  (value: string) => `The answer\n${value}\nwas given on 2026-03-04 at 12:30.`,
];

const luhnDigit = (digits: string): string => {
  const sum = [...digits].reduceRight((total, digit, at) => {
    const doubled = (digits.length - at) % 2 === 1 ? Number(digit) * 2 : Number(digit);
    return total + (doubled > 9 ? doubled - 9 : doubled);
  }, 0);
  return String((10 - (sum % 10)) % 10);
};

const toIban = (country: string, account: string): string => {
  const numbers = [...`${account}${country}00`]
    .map((character) => Number.parseInt(character, 36))
    .join("");
  return `${country}${String(98n - (BigInt(numbers) % 97n)).padStart(2, "0")}${account}`;
};

const inGroups = (text: string, size: number, separator: string): string =>
  text.match(new RegExp(`.{1,${size}}`, "g"))?.join(separator) ?? text;

/** Generates texts with a value: personal data in usual forms and in forms that are not found, and lookalikes. */
export const generatePiiCorpus = (count: number, seed = 7): PiiSample[] => {
  const random = createRandom(seed);
  const pick = <Item>(items: readonly Item[]): Item => {
    const item = items[random(items.length)];
    if (item === undefined) throw new Error("nothing to choose from");
    return item;
  };
  const digits = (length: number) => Array.from({ length }, () => random(10)).join("");
  const text = (length: number, alphabet = mixed) =>
    Array.from({ length }, () => pick([...alphabet])).join("");
  const card = () => {
    const start = pick(["4", "51", "55", "2221", "34", "37", "6011", "65"]);
    const length = start.startsWith("3") ? 15 : 16;
    const body = start + digits(length - start.length - 1);
    return body + luhnDigit(body);
  };
  const values: Readonly<Record<PiiKind, () => string>> = {
    Email: () => {
      const address = `${pick(names)}${random(90)}@${pick(domains)}`;
      // People also write addresses for people.
      return random(20) === 0 ? address.replace("@", " at ").replaceAll(".", " dot ") : address;
    },
    Phone: () =>
      pick([
        () => `+${1 + random(90)} ${digits(2)} ${digits(3)} ${digits(4)}`,
        () => `+49${1 + random(9)}${digits(9)}`,
        () => `(${2 + random(8)}${digits(2)}) ${digits(3)}-${digits(4)}`,
        () => `${2 + random(8)}${digits(2)}-${digits(3)}-${digits(4)}`,
        () => `0${1 + random(9)}${digits(2)} ${digits(6)}`,
        // Without any separator, it is a number like others.
        () => `${2 + random(8)}${digits(9)}`,
      ])(),
    Card: () => inGroups(card(), 4, pick([" ", "-", ""])),
    Iban: () => {
      const [country, length] = pick([
        ["DE", 18],
        ["NL", 14],
        ["FR", 23],
        ["ES", 20],
      ] as const);
      const bank = country === "NL" ? "ABNA" : "";
      const iban = toIban(country, bank + digits(length - bank.length));
      return random(2) === 0 ? iban : inGroups(iban, 4, " ");
    },
    Key: () =>
      pick([
        () => `sk-${text(40)}`,
        () => `ghp_${text(36)}`,
        () => `AKIA${text(16, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")}`,
        () => `xoxb-${digits(12)}-${text(24)}`,
        () => `eyJ${text(30)}.eyJ${text(60)}.${text(43)}`,
        // A password has no form.
        () => text(14),
      ])(),
  };
  const lookalikes = [
    () => `order ${digits(8)}`,
    () => `4${digits(15)}`,
    () => `${digits(3)}-${digits(3)}-${digits(4)}`,
    () => `version ${random(20)}.${random(20)}.${random(20)}`,
    () => `2026-0${1 + random(9)}-1${random(10)} 0${random(10)}:15`,
    () =>
      `${text(8, "0123456789abcdef")}-${text(4, "0123456789abcdef")}-4${text(3, "0123456789abcdef")}`,
    () => `@${text(8, letters)}`,
    () => `DE${digits(20)}`,
    () => `${digits(1)}.${digits(3)}.${digits(3)},${digits(2)} EUR`,
    () => `978-3-16-${digits(6)}-${digits(1)}`,
    () => `${text(40, "0123456789abcdef")}`,
    () => `17635${digits(8)}`,
    () => `${digits(2)}° N ${digits(2)}.${digits(4)}`,
    () => `user/${text(12, letters)}#${digits(4)}`,
  ];
  return Array.from({ length: count }, (_, at) => {
    const frame = pick(frames);
    const kind = at % 2 === 0 ? pick(piiKinds) : null;
    return { text: frame((kind ? values[kind] : pick(lookalikes))()), kind };
  });
};

/** Quality of a finder, in percent of its findings and of all values. */
export type PiiQuality = { readonly precision: number; readonly recall: number };

/** Measures a finder by kind, in percent with one decimal. */
export const measurePii = (
  corpus: readonly PiiSample[],
  find: (text: string, kind: PiiKind) => boolean,
): Readonly<Record<string, PiiQuality>> =>
  Object.fromEntries(
    piiKinds.map((kind) => {
      const found = corpus.filter(({ text }) => find(text, kind));
      const right = found.filter((sample) => sample.kind === kind).length;
      const all = corpus.filter((sample) => sample.kind === kind).length;
      const percent = (part: number, whole: number) => Math.round((part / whole) * 1_000) / 10;
      return [kind, { precision: percent(right, found.length), recall: percent(right, all) }];
    }),
  );

import type { CreateSource, Source, SourceSettings } from "../source.ts";
import { sources } from "./sources.ts";

const all: readonly (readonly [string, CreateSource])[] = Object.entries(sources);

/** Creates the sources of all vendors. */
export const createSources = (
  settings: Readonly<Record<string, SourceSettings | undefined>>,
): readonly Source[] => all.map(([vendor, createSource]) => createSource(settings[vendor] ?? {}));

import type { CreateSource, Source, SourceSettings } from "../source.ts";
import { sources } from "./sources.ts";

const all: readonly CreateSource[] = Object.values(sources);

/** Creates the sources of all vendors. */
export const createSources = (settings: SourceSettings): readonly Source[] =>
  all.map((createSource) => createSource(settings));

import type { ByteRoom } from "../../platform/runtime/byte-room.ts";
import type { FlowFile } from "../flow-file.ts";

/** The files of an execution. */
export type FlowFiles = {
  /** Returns a file that the execution may use (one of its inputs, or one that its tools made); undefined for any other id. */
  find(id: string): Promise<FlowFile | undefined>;
  /** Returns the content of a file that `find` returned, or that an earlier turn of the session had; undefined when it is no longer kept. */
  read(file: FlowFile): Promise<Uint8Array | undefined>;
  /** Returns the text of a document (PDF, DOCX, HTML, CSV ...), or why there is none, as the end of a sentence that begins with the file. */
  readText(file: FlowFile): Promise<{ ok: true; text: string } | { ok: false; reason: string }>;
  /** The memory that the content of files of all Prompts may take at the same time. */
  room: ByteRoom;
  /** Stores what a tool returned, as a file of the execution. */
  save(file: { name: string; mediaType: string; content: Uint8Array }): Promise<FlowFile>;
};

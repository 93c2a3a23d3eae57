import { createReadStream } from 'node:fs';
import { hintsFromHeaders, type Hints } from './hints.ts';
import type { MailFile } from './mail-files.ts';
import { createMboxReader, type MessageReader } from './mbox-reader.ts';

/** A message of a source. It has no bytes when it is larger than one call carries. */
export interface FoundMessage {
  raw: Buffer | null;
  size: number;
  hints: Hints;
}

/** It is more than mail systems deliver, and less than one call carries. */
const LARGEST_MESSAGE = 50 * 1024 * 1024;
const CHUNK = 64 * 1024;
const MBOX_START = Buffer.from('From ');

export function messagesOfFile(file: MailFile, onBytes: (count: number) => void): AsyncGenerator<FoundMessage> {
  return messagesOf(createReadStream(file.path, { highWaterMark: CHUNK }), file.hints, onBytes);
}

/** Reads an mbox or one message. The first bytes tell which. */
export async function* messagesOf(
  stream: NodeJS.ReadableStream,
  known: Hints,
  onBytes: (count: number) => void,
): AsyncGenerator<FoundMessage> {
  const reader = createFormatReader();
  const describe = ({ raw, size }: { raw: Buffer | null; size: number }) => ({
    raw,
    size,
    hints: raw ? { ...hintsFromHeaders(raw), ...known } : known,
  });
  for await (const chunk of stream as AsyncIterable<Buffer | string>) {
    const bytes = Buffer.from(chunk as Buffer);
    onBytes(bytes.length);
    for (const message of reader.push(bytes)) yield describe(message);
  }
  for (const message of reader.end()) yield describe(message);
}

/** Chooses the reader once it has enough bytes. */
function createFormatReader() {
  let start: Buffer = Buffer.alloc(0);
  let chosen: MessageReader | undefined;
  const choose = () => {
    chosen = start.subarray(0, MBOX_START.length).equals(MBOX_START)
      ? createMboxReader(LARGEST_MESSAGE)
      : createSingleReader(LARGEST_MESSAGE);
    return chosen.push(start);
  };
  return {
    push: (chunk: Buffer) => {
      if (chosen) return chosen.push(chunk);
      start = start.length === 0 ? chunk : Buffer.concat([start, chunk]);
      return start.length < MBOX_START.length ? [] : choose();
    },
    end: () => {
      const first = chosen ? [] : choose();
      return [...first, ...(chosen?.end() ?? [])];
    },
  };
}

function createSingleReader(limit: number): MessageReader {
  let pieces: Buffer[] = [];
  let size = 0;
  return {
    push: (chunk) => {
      size += chunk.length;
      if (size <= limit) pieces.push(chunk);
      else pieces = [];
      return [];
    },
    end: () => {
      if (size === 0) return [];
      return [{ raw: size <= limit ? Buffer.concat(pieces) : null, size }];
    },
  };
}

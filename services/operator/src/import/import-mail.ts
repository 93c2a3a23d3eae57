import { createHash } from 'node:crypto';
import type { FolderType } from '@postroom/contract/lists';
import type { IncomingMessage } from '@postroom/proto/postroom/v1/mailbox_write';
import { createInFlight } from '@postroom/runtime/in-flight';
import type { CommandDeps } from '../command/command-deps.ts';
import { batches } from './batches.ts';
import { createSendBatch, type Destination } from './send-batch.ts';
import { mailFiles, type MailFile } from './mail-files.ts';
import { messagesOf, messagesOfFile, type FoundMessage } from './messages.ts';
import { createProgress } from './progress.ts';
import { countUp, newTally, type Tally } from './tally.ts';

interface ImportOptions extends Destination {
  /** Files, folders, or "-" for standard input. */
  paths: readonly string[];
  /** The folder for all messages. Without it the source decides, and the inbox is the default. */
  folderType: FolderType | undefined;
  /** The folders that the mailbox has. */
  folders: readonly string[];
}

// The size in bytes bounds the memory: a few batches are in flight, and each exists in three forms meanwhile.
const BATCH = { count: 100, bytes: 1024 * 1024 };
const AT_ONCE = 3;

interface Ready {
  source: string;
  size: number;
  message: IncomingMessage;
}

/** Streams mail from its sources into ingest; it can be stopped and repeated at any point. */
export async function importMail(options: ImportOptions, deps: CommandDeps): Promise<Tally> {
  const tally = newTally();
  const { json, progress: out, context } = deps;
  const totalBytes = await sizeOf(options.paths);
  const progress = createProgress({ out, clock: context.clock, totalBytes, json });
  const sendBatch = createSendBatch(deps, options);
  const inFlight = createInFlight(AT_ONCE);

  const send = async (batch: Ready[]) => {
    const outcomes = await sendBatch(batch.map(({ message }) => message));
    for (const [position, { outcome, cause }] of outcomes.entries()) {
      if (outcome === 'stored') tally.new += 1;
      else if (outcome === 'known') tally.known += 1;
      else if (outcome === 'failed') {
        tally.failed += 1;
        countUp(tally.failedIn, batch[position]?.source ?? '');
      } else {
        tally.quarantined += 1;
        countUp(tally.causes, cause ?? 'no cause given');
      }
    }
    progress.update(tally);
  };

  try {
    for await (const batch of batches(readyMessages(options, tally, deps), BATCH)) {
      // Two messages that are larger than a batch must not be in memory together.
      if (batch.some(({ size }) => size > BATCH.bytes)) await inFlight.drain();
      await inFlight.add(() => send(batch));
    }
  } finally {
    // This waits for the batches in flight after Ctrl-C, too, so that the figures are right.
    await inFlight.drain().finally(() => progress.stop());
  }
  return tally;
}

async function* readyMessages(options: ImportOptions, tally: Tally, deps: CommandDeps): AsyncGenerator<Ready> {
  for await (const { source, messages } of sourcesOf(options.paths, tally, deps)) {
    for await (const found of messages) {
      if (deps.signal.aborted) return;
      tally.read += 1;
      if (found.raw) yield { source, ...toReady(found.raw, found, options) };
      else {
        tally.skipped += 1;
        countUp(tally.skippedIn, source);
      }
    }
  }
}

async function* sourcesOf(
  paths: readonly string[],
  tally: Tally,
  deps: CommandDeps,
): AsyncGenerator<{ source: string; messages: AsyncIterable<FoundMessage> }> {
  const onBytes = (count: number) => {
    tally.bytes += count;
  };
  for (const path of paths) {
    if (path === '-') yield { source: 'standard input', messages: messagesOf(deps.stdin, {}, onBytes) };
    else {
      for await (const file of mailFiles([path])) yield { source: file.path, messages: readable(file, onBytes) };
    }
  }
}

/** A running mail server may rename the file between listing and reading. The next import finds it. */
async function* readable(file: MailFile, onBytes: (count: number) => void): AsyncGenerator<FoundMessage> {
  try {
    yield* messagesOfFile(file, onBytes);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** Without flags, a message in a sent folder counts as read. */
const OWN_WORK: ReadonlySet<FolderType> = new Set(['SENT', 'DRAFTS']);

function toReady(
  raw: Buffer,
  { hints, size }: FoundMessage,
  { folderType, folders }: ImportOptions,
): Omit<Ready, 'source'> {
  const hinted = hints.folderType && folders.includes(hints.folderType) ? hints.folderType : undefined;
  const folder = folderType ?? hinted ?? 'INBOX';
  // The key is derived from the bytes of the message, so that a second import of it changes nothing.
  const sourceKey = `import:${folder}:${createHash('sha256').update(raw).digest('hex')}`;
  const message = {
    sourceKey,
    raw,
    folderType: folder,
    providerLabels: [],
    isRead: hints.isRead ?? OWN_WORK.has(folder),
    isStarred: hints.isStarred ?? false,
    isHistory: true,
  };
  return { size, message };
}

/** Read twice, so that the time left can be told without keeping a list of millions of files. */
async function sizeOf(paths: readonly string[]): Promise<number | undefined> {
  if (paths.includes('-')) return undefined;
  let total = 0;
  for await (const { size } of mailFiles(paths)) total += size;
  return total;
}

import { parentPort } from 'node:worker_threads';
import { messageBounds, MimeRefused } from '@postroom/mime/message-bounds';
import type { WorkerAnswer, WorkerRequest } from './worker-messages.ts';
import { readMail } from './parsed-mail.ts';

// It runs in a thread with its own limits, so that no message can stop the service.
parentPort?.on('message', ({ id, raw }: WorkerRequest) => {
  parentPort?.postMessage(answer(id, Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength)));
});
parentPort?.postMessage({ kind: 'ready' } satisfies WorkerAnswer);

function answer(id: number, raw: Buffer): WorkerAnswer {
  try {
    return { kind: 'mail', id, mail: readMail(raw, messageBounds) };
  } catch (error) {
    // The text of a stranger's error may quote the message, so only a refusal of our own says more.
    const cause = error instanceof MimeRefused ? error.message : `the parser failed (${(error as Error).name})`;
    return { kind: 'refused', id, cause };
  }
}

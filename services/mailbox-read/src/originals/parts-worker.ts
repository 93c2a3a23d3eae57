import { parentPort, workerData } from 'node:worker_threads';
import { type AskedParts, partsOf } from './parts.ts';

const { raw, asked } = workerData as { raw: Uint8Array; asked: AskedParts };

// It runs in a thread of its own, so that no message can stop the service.
parentPort?.postMessage(partsOf(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), asked));

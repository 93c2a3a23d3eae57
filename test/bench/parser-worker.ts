import { parentPort, workerData } from 'node:worker_threads';
import { type ParserName, parsers } from './parsers.ts';

/** One parser in a thread that may be ended: it says that it is there, and then when it is through with a message. */
const parse = parsers[workerData as ParserName];

parentPort?.on('message', (raw: Uint8Array) => {
  void (async () => {
    try {
      await parse(Buffer.from(raw));
      parentPort?.postMessage('read');
    } catch {
      parentPort?.postMessage('refused');
    }
  })();
});
parentPort?.postMessage('ready');

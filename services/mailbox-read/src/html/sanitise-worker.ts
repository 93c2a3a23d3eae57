import { parentPort } from 'node:worker_threads';
import { sanitise, TooMuch } from './sanitise.ts';

// It runs in a thread of its own, so that no html can stop the service.
parentPort?.on('message', (html: string) => parentPort?.postMessage(cleaned(html)));

function cleaned(html: string): string | null {
  try {
    return sanitise(html);
  } catch (error) {
    if (error instanceof TooMuch) return null;
    throw error;
  }
}

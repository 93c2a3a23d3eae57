import { parentPort } from 'node:worker_threads';
import { sanitise, TooMuch } from './sanitise.ts';

// Runs in a thread of its own: whatever a sender made of the html, the service goes on.
parentPort?.on('message', (html: string) => parentPort?.postMessage(cleaned(html)));

function cleaned(html: string): string | null {
  try {
    return sanitise(html);
  } catch (error) {
    if (error instanceof TooMuch) return null;
    throw error;
  }
}

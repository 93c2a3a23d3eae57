import { parentPort } from 'node:worker_threads';
import { type Images, sanitise, TooMuch } from './sanitise.ts';

// It runs in a thread of its own, so that no html can stop the service.
parentPort?.on('message', ({ html, images }: { html: string; images: Images }) =>
  parentPort?.postMessage(cleaned(html, images)),
);

function cleaned(html: string, images: Images): string | null {
  try {
    return sanitise(html, images);
  } catch (error) {
    if (error instanceof TooMuch) return null;
    throw error;
  }
}

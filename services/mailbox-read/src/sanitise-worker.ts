import { parentPort } from 'node:worker_threads';
import { sanitise } from './sanitise.ts';

// Runs in a thread of its own: whatever a sender made of the html, the service goes on.
parentPort?.on('message', (html: string) => parentPort?.postMessage(sanitise(html)));

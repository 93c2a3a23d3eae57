import { setFlagsFromString } from 'node:v8';

/**
 * Lets the heap grow to four times what is in use between collections, which halves what a request pays for them. For
 * processes with many short-lived objects; --max-old-space-size is the cap, and is kept. Growing further saves nothing
 * more, and a service that has little in use would hold hundreds of megabytes of what is not.
 */
export function makeHeapRoomy(): void {
  setFlagsFromString('--heap-growing-percent=300');
}

/** For a process that holds much and does little with it: collections are cheap there, and what is not in use is a lot. */
export function makeHeapTight(): void {
  setFlagsFromString('--heap-growing-percent=30');
}

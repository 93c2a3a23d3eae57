import { parentPort } from 'node:worker_threads';
import { type HtmlTask, runHtmlTask } from './html-task.ts';
import { READY } from './html-thread.ts';

// It runs in a thread of its own, so that no html can stop the service.
parentPort?.on('message', (task: HtmlTask) => parentPort?.postMessage({ result: runHtmlTask(task) }));
parentPort?.postMessage(READY);

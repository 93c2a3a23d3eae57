import { answerRequests } from '@postroom/runtime/worker-thread';
import { type HtmlTask, runHtmlTask } from './html-task.ts';

// It runs in a thread of its own, so that no html can stop the service.
answerRequests((task: HtmlTask) => runHtmlTask(task));

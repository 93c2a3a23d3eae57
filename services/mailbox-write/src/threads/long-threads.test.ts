import { expect, it } from '@jest/globals';
import { memoryStore } from '../../../../test/mail/thread-meetings.ts';
import { createThreads } from './threads.ts';

it.each([
  [200, 1],
  [201, 0],
])(
  'a repeat reads a thread of %d messages as a whole %d times: a longer one costs no more than a new message',
  async (count, times) => {
    const { store, insertEmail } = memoryStore();
    const names = Array.from({ length: count }, (_, n) => `m${n}`);
    await store.insertNodes(
      'wsp_1',
      'mbx_1',
      names.map((messageId, n) => ({ messageId, threadId: 'thr_1', answers: n === 0 ? [] : ['m0'] })),
    );
    const node = { messageId: 'm0', threadId: '', answers: [] };
    await insertEmail('eml_1', { ...node, threadId: 'thr_1' });
    const whole: (readonly string[])[] = [];
    const findThreads: typeof store.findThreads = (workspaceId, mailboxId, threadIds) => {
      whole.push(threadIds);
      return store.findThreads(workspaceId, mailboxId, threadIds);
    };
    const threads = createThreads({ ...store, findThreads });
    await threads.link('wsp_1', 'mbx_1', [{ emailId: 'eml_1', node }], { isRepeat: true });
    expect(whole).toHaveLength(times);
  },
);

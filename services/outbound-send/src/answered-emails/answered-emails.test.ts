import { expect, it } from '@jest/globals';
import { createAnsweredEmails } from './answered-emails.ts';

const email = { messageId: '<1@far.example>', threadId: 'thr_1', threadKey: '<1@far.example>' };

it.each([
  ['an email whose thread is ours', email, { messageId: '<1@far.example>', threadId: 'thr_1' }],
  ['an email that is in a thread of its provider', { ...email, threadKey: '' }, undefined],
  ['spam, which is in a thread by another name', { ...email, threadKey: 'spam:eml_1' }, undefined],
  ['an email without a thread', { ...email, threadId: null }, undefined],
])('of %s', (_which, read, told) => {
  const { read: note, of } = createAnsweredEmails();
  note('snd_1', read);
  expect([of('snd_1'), of('snd_2')]).toEqual([told, undefined]);
});

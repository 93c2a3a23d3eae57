import { expect, it } from '@jest/globals';
import type { HomeAnswer } from '@postroom/app/answers';
import { attentionOf, durationOf } from './attention.ts';

const month = { limit: 1_000, used: 100, resetsAt: null };
const calm: HomeAnswer = {
  mailboxes: { total: 1, failing: [], lagSeconds: 10 },
  replies: { waiting: 0, drafts: 3 },
  quarantined: { messages: 0, emails: 0 },
  deadLetters: 0,
  approvals: { waiting: 0 },
  webhooks: null,
  limits: { plan: 'free', minute: { limit: 60, used: 0, resetsAt: null }, month },
  backfills: { running: 0 },
};
const titles = (parts: Partial<HomeAnswer>) => attentionOf({ ...calm, ...parts }, 'wsp_1').map(({ title }) => title);

it('asks for nothing while all is well', () => expect(titles({})).toEqual([]));

it('names each failing mailbox and webhook before what is only low or waiting', () => {
  const failing = [{ id: 'm', email: 'a@b.example', status: 'disconnected', lastError: null }];
  expect(
    titles({
      mailboxes: { total: 1, failing, lagSeconds: 9_999 },
      webhooks: { total: 1, failing: [{ id: 'w', url: 'https://h.example', status: 'enabled', failingSince: null }] },
      limits: { ...calm.limits, month: { ...month, used: 950 } },
      replies: { waiting: 2, drafts: 0 },
      approvals: { waiting: 1 },
    }),
  ).toEqual([
    'a@b.example is disconnected',
    'A webhook fails',
    'The quota of the month is nearly used up',
    'A message waits for your approval',
    '2 replies wait to be sent',
  ]);
});

it('says that mail is late, where no mailbox fails', () => {
  expect(titles({ mailboxes: { total: 1, failing: [], lagSeconds: 301 } })).toEqual(['Mail is late']);
});

it.each([
  [1, '1 second'],
  [59, '59 seconds'],
  [150, '2 minutes'],
  [7_200, '2 hours'],
  [100_000, '1 day'],
])('%d seconds are %s', (seconds, words) => expect(durationOf(seconds)).toBe(words));

it('tells how much mail was given up, and by which command an operator tries it again', () => {
  const [messages, emails] = attentionOf({ ...calm, quarantined: { messages: 1_000, emails: 1 } }, 'wsp_1');
  expect(messages).toMatchObject({ title: '1,000 or more messages could not be read', tone: 'bad' });
  expect(messages?.command).toBe('postroom mail quarantine list --workspace wsp_1');
  expect(emails).toMatchObject({ title: 'An email was not classified', tone: 'warn' });
  expect(emails?.command).toBe('postroom rules quarantine list --workspace wsp_1');
  const [events] = attentionOf({ ...calm, deadLetters: 2 }, 'wsp_1');
  expect(events).toMatchObject({ title: '2 events were not handled', tone: 'bad' });
  expect(events?.command).toBe('postroom events list --workspace wsp_1');
  expect(titles({ quarantined: { messages: 3, emails: 0 } })).toEqual(['3 messages could not be read']);
});

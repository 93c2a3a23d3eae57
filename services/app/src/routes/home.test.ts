import { expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { createRecentAnswers } from '../http/recent-answers.ts';
import type { HomeAnswer } from '../answers/answers.ts';
import { homeAppRoutes } from './home.ts';
import type { AppServices, WorkspaceVisit } from './table.ts';

const APPROVALS = [{ personId: 'per_mia', waiting: 2 }, { personId: 'per_max', waiting: 3 }, { waiting: 4 }];

/** Services that answer with nothing in particular, and count how often they are asked. */
function countedServices() {
  const asked: string[] = [];
  const answering = (name: string, answer: object) => async () => {
    asked.push(name);
    return answer;
  };
  const window = { limit: 1, used: 0 };
  const services = {
    mailboxRead: {
      listMailboxes: answering('listMailboxes', { items: [] }),
      countMail: answering('countMail', { quarantinedMessages: 0, quarantinedEmails: 0, deadLetters: 0 }),
    },
    outboundSend: { countApprovals: answering('countApprovals', { items: APPROVALS }) },
    webhookDelivery: { listWebhooks: answering('listWebhooks', { items: [] }) },
    activity: { readLimits: answering('readLimits', { plan: 'free', minute: window, month: window }) },
    labelRule: { listBackfills: answering('listBackfills', { items: [] }) },
  };
  return { asked, services: services as unknown as AppServices };
}

it('asks each service once for all people of a workspace, and tells each what is theirs', async () => {
  const { asked, services } = countedServices();
  const recent = createRecentAnswers(manualClock());
  const home = async (personId: string, role: string) => {
    const shared = (name: string, make: () => Promise<unknown>) => recent.get('wsp_1', name, make);
    const visit = { personId, role, features: ['webhooks'], now: 0, shared } as unknown as WorkspaceVisit;
    const [route] = homeAppRoutes;
    return (await route?.call({ params: {}, query: undefined, body: undefined }, services, visit)) as HomeAnswer;
  };
  const answers = await Promise.all([
    home('per_mia', 'member'),
    home('per_max', 'member'),
    home('per_new', 'member'),
    home('per_ada', 'admin'),
  ]);
  expect(answers.map(({ approvals }) => approvals.waiting)).toEqual([2, 3, 0, 9]);
  expect(answers.map(({ webhooks }) => webhooks?.total ?? null)).toEqual([null, null, null, 0]);
  expect(asked.toSorted()).toEqual([
    'countApprovals',
    'countMail',
    'listBackfills',
    'listMailboxes',
    'listWebhooks',
    'readLimits',
  ]);
});
